// Package bits compares the transformer's logits, a training's weights and campaigns' digests with a table that was made on
// every kind of processor. It stands apart from other tests because it is built for each of them.
package bits

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"hash"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"custody/cache"
	"custody/model"
	"custody/model/llama"
	"custody/model/safetensors"
	"custody/model/train"
	"custody/model/train/corpus"
	"custody/sim"
	"custody/sim/cover"
	"custody/sim/fleet"
	"custody/sim/gen"
)

// printAs makes the test print its lines of the table instead of comparing them: .ci/bits writes the table.
var printAs = flag.String("bits.print", "", "print the digests as those of the named target")

// table holds lines of target, what was computed (a shape, or a campaign of seeds), digest.
const table = "testdata/digests.txt"

var shapes = []struct {
	name string
	arch llama.Arch
}{
	{"small", llama.Small()},
	{"stories", llama.Arch{Dim: 64, Layers: 5, Heads: 8, KVHeads: 4, HeadDim: 8, Hidden: 172, Vocab: 512, RopeBase: 10000,
		Eps: 1e-5, MaxLen: 64, Tied: true}},
	{"three", llama.Arch{Dim: 24, Layers: 3, Heads: 3, KVHeads: 1, HeadDim: 16, Hidden: 17, Vocab: 33, RopeBase: 1000,
		Eps: 1e-5, MaxLen: 40, Tied: true}},
	{"wide", llama.Arch{Dim: 40, Layers: 2, Heads: 4, KVHeads: 4, HeadDim: 24, Hidden: 31, Vocab: 16,
		RopeBase: 10000, Eps: 1e-5, MaxLen: 16}},
}

// digest runs a shape through prefill, a hit within the pass, mixed batches and decoding with every kind of sampling,
// and hashes what comes out: the weights, all logits, all sampled tokens.
func digest(t *testing.T, arch llama.Arch) string {
	w, h := llama.RandomWeights(arch, 11), sha256.New()
	tr, err := llama.New(w)
	if err != nil {
		t.Fatal(err)
	}
	weights := w.Digest()
	h.Write(weights[:])
	mem, rows := cache.NewMemory(arch.Layout(36, 5)), requests(arch)
	for range 20 {
		b := model.Batch{Rows: slices.Clone(rows)}
		tr.Logits(&b, mem, func(_ int, _ int32, logits []float32) { hashFloats(h, logits) })
		tr.Forward(&b, mem)
		for i := range rows {
			fmt.Fprintln(h, b.Rows[i].Next[0])
			rows[i].Start, rows[i].N, rows[i].Input = rows[i].Start+rows[i].N, 1, []cache.Token{b.Rows[i].Next[0]}
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// campaign is the digest of seeds on the hash model, and of every tenth on the transformer that is built in.
func campaign(t *testing.T) string { return digestsOf(t, 60, 10) }

// command is the first halves of the digests that `custody run --seeds 130` prints: of the seeds, and of those that it
// samples on the transformer. That it prints them is tested where the command is.
func command(t *testing.T) string { return digestsOf(t, 130, 64) }

// digestsOf is the first halves of the digests of so many seeds, and of those that a number divides on the transformer.
func digestsOf(t *testing.T, seeds, every uint64) string {
	m, err := sim.NewTransformer()
	if err != nil {
		t.Fatal(err)
	}
	var hashed, transformed cover.Summary
	c := fleet.Campaign{First: 1, Seeds: seeds, Workers: 2, Profile: gen.Profiles[0], Model: m, Every: every}
	c.Run(func(x fleet.Taken) bool {
		if x.Err != nil {
			t.Error(x.Err)
			return false
		}
		hashed.Add(x.Result, x.Seen)
		if x.Again != nil {
			transformed.Add(x.Again, x.SeenAgain)
		}
		return true
	})
	return hashed.Digest.String()[:16] + transformed.Digest.String()[:16]
}

// taught is a shape that is learnt quickly: the least that the trainer's tiles of 16 allow.
var taught = llama.Arch{
	Dim: 16, Layers: 2, Heads: 2, KVHeads: 1, HeadDim: 16, Hidden: 16, Vocab: 128, RopeBase: 10000, Eps: 1e-5, MaxLen: corpus.MaxLen,
}

// training is the digest of weights after two steps on samples as long as they get. Two are enough for a bit that differs:
// the first goes through everything once, and the second through what the first has made of the optimiser's memory.
func training(t *testing.T) string {
	trainer := train.New(taught, train.Recipe{Seed: 1, Steps: 2, Rate: 2e-3, Warmup: 1, Curriculum: 1})
	for !trainer.Done() {
		trainer.Step(2)
	}
	file, err := safetensors.FromWeights(trainer.Weights()).Encode()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(file))[:32]
}

// digests is the digest of every line of the table.
func digests(t *testing.T, visit func(name, digest string)) {
	for _, s := range shapes {
		visit(s.name, digest(t, s.arch))
	}
	visit("campaign", campaign(t))
	visit("command", command(t))
	visit("training", training(t))
}

// requests are three rows of different lengths and samplings. The second starts like the first, and has its first five
// positions from the block that the first writes in the same pass.
func requests(arch llama.Arch) []model.Row {
	rng := rand.New(rand.NewPCG(7, 7))
	rows := make([]model.Row, 3)
	for i, n := range []int32{23, 9, 1} {
		rows[i].Sample = true
		rows[i].Used = cache.Used{Req: cache.Req{Slot: int32(i)}, N: n, Sampling: cache.Sampling{
			Seed: uint64(i), Temp: float32(i) / 2, TopK: int32(i) * 8, TopP: 0.9,
		}}
		for range n {
			rows[i].Input = append(rows[i].Input, cache.Token(rng.IntN(arch.Vocab)))
		}
		for b := range cache.BlockID(12) {
			rows[i].Table = append(rows[i].Table, 35-b-12*cache.BlockID(i))
		}
	}
	rows[1].Table[0], rows[1].Start, rows[1].N = rows[0].Table[0], 5, 4
	rows[1].Input = append([]cache.Token(nil), rows[0].Input[5:9]...)
	return rows
}

func hashFloats(h hash.Hash, x []float32) {
	for _, v := range x {
		h.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
	}
}

func TestTheLogitsAreThePinnedOnes(t *testing.T) {
	if *printAs != "" {
		digests(t, func(name, digest string) { fmt.Printf("%s %s %s\n", *printAs, name, digest) })
		return
	}
	pinned, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	digests(t, func(name, got string) {
		lines := 0
		for line := range strings.Lines(string(pinned)) {
			f := strings.Fields(line)
			if len(f) != 3 || f[1] != name {
				continue
			}
			if lines++; f[2] != got {
				t.Errorf("%s has the digest %s, but on %s it had %s; if the change is meant, .ci/bits writes %s",
					name, got, f[0], f[2], table)
			}
		}
		if lines == 0 {
			t.Errorf("no line of %s is about %s", table, name)
		}
	})
}

// What the processor can is taken from this binary, step by step.
func TestLessOfAProcessorGivesThePinnedLogits(t *testing.T) {
	for name, less := range map[string]string{"FMA": "cpu.fma=off", "AVX2": "cpu.avx2=off"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if runtime.GOARCH != "amd64" {
				t.Skip("about amd64")
			}
			checkPinned(t, []string{"GODEBUG=" + less}, os.Args[0])
		})
	}
}

// Amd64 with instructions that fuse, plain Go in place of assembly, and arm64 under emulation. The others are run by .ci/bits.
func TestOtherTargetsGiveThePinnedLogits(t *testing.T) {
	if testing.Short() {
		t.Skip("builds this package's tests several times")
	}
	for name, c := range map[string]struct {
		tags        string
		build       []string
		interpreter string
	}{
		"amd64 v3": {build: []string{"GOARCH=amd64", "GOAMD64=v3"}},
		"plain":    {tags: "purego"},
		"arm64":    {build: []string{"GOARCH=arm64"}, interpreter: "qemu-aarch64-static"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			binary := filepath.Join(t.TempDir(), "model.test")
			command := []string{binary}
			if c.interpreter != "" {
				emulator, err := exec.LookPath(c.interpreter)
				if err != nil {
					t.Skipf("%s is not installed (Debian: qemu-user-static)", c.interpreter)
				}
				command = []string{emulator, binary}
			}
			execute(t, append(c.build, "CGO_ENABLED=0"), "go", "test", "-c", "-tags="+c.tags, "-o", binary, ".")
			checkPinned(t, nil, command...)
		})
	}
}

// checkPinned compares with the table in another process.
func checkPinned(t *testing.T, env []string, command ...string) {
	t.Helper()
	out := execute(t, env, append(command, "-test.run=^TestTheLogitsAreThePinnedOnes$")...)
	if !strings.Contains(out, "PASS") {
		t.Error(out)
	}
}

func execute(t *testing.T, env []string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	return string(out)
}
