package traces

// Key names one configuration value of a script's header.
type Key uint8

// The configuration keys. The order is the order in which a header is printed.
const (
	Blocks Key = iota
	Block
	Rows
	Chunk
	Budget
	MaxLen
	Depth
	Overlap
	Queue
	Quota
	Requeues
	Policy
	Free
	Release
	Publish
	Cache
	KeyBits
	Reserve
	Copy
	Link
	Loop
	Layers
	Heads
	HeadDim
	Rope
	Dtype
	Vocab
	Seed
	NumKeys
)

// KeySpec says what a key may hold. Values are whole numbers; a key with names holds an index into them.
type KeySpec struct {
	Name              string
	Default, Min, Max int64
	Names             []string // for a choice: the words, by value
	Worker            bool     // a `worker` line may set it
	Layout            bool     // a layout field: a difference is refused at the handshake
	Doc               string
}

// Keys is the table of all keys, by Key.
var Keys = [NumKeys]KeySpec{
	Blocks: {Name: "blocks", Default: 64, Min: 1, Max: 1 << 20, Doc: "KV blocks in the pool"},
	Block:  {Name: "block", Default: 4, Min: 1, Max: 256, Worker: true, Layout: true, Doc: "token positions a block"},
	Rows:   {Name: "rows", Default: 4, Min: 1, Max: 64, Worker: true, Doc: "requests running at once"},
	Chunk:  {Name: "chunk", Default: 0, Min: 0, Max: 1 << 16, Doc: "most tokens of one request in one pass; 0 is no limit"},
	Budget: {Name: "budget", Default: 64, Min: 1, Max: 1 << 16, Worker: true, Doc: "tokens a pass"},
	MaxLen: {Name: "max_len", Default: 64, Min: 2, Max: 1 << 16, Worker: true,
		Doc: "tokens a request, prompt and output together"},
	Depth:   {Name: "depth", Default: 1, Min: 1, Max: 8, Doc: "passes outstanding at once"},
	Overlap: choice("overlap", 1, "plan a request again before its last pass has settled", "off", "on"),
	Queue:   {Name: "queue", Default: 16, Min: 1, Max: 1024, Doc: "requests waiting at once"},
	Quota:   {Name: "quota", Default: 0, Min: 0, Max: 1024, Doc: "live requests a tenant; 0 is no limit"},
	Requeues: {Name: "requeues", Default: 2, Min: 0, Max: 16,
		Doc: "times a worker may send a request back before its refusal is final"},
	Policy:  choice("policy", 0, "which waiting request is next", "fcfs", "priority"),
	Free:    choice("free", 0, "order of the free list", "vllm", "lifo", "random"),
	Release: choice("release", 0, "when an ended request's blocks return", "settled", "ordered"),
	Publish: choice("publish", 0, "when a full block can be found by others", "settled", "schedule"),
	Cache:   choice("cache", 1, "the prefix cache", "off", "on"),
	KeyBits: {Name: "keybits", Default: 64, Min: 0, Max: 64, Doc: "width of a prefix key; few bits force collisions"},
	Reserve: choice("reserve", 1, "admit a request only if its whole prompt fits", "off", "on"),
	Copy: {Name: "copy", Default: 0, Min: 0, Max: 10000,
		Doc: "ticks of an asynchronous copy of a cached tail block on the second queue; 0 is no copies"},
	Link: {Name: "link", Default: 0, Min: 0, Max: 10000,
		Doc: "ticks from the engine to a client; 0 delivers within the settling step"},
	Loop:    choice("loop", 0, "whether settling a pass plans the next one in the same step", "split", "fused"),
	Layers:  {Name: "layers", Default: 2, Min: 1, Max: 64, Worker: true, Layout: true, Doc: "model layers"},
	Heads:   {Name: "heads", Default: 1, Min: 1, Max: 64, Worker: true, Layout: true, Doc: "KV heads"},
	HeadDim: {Name: "head_dim", Default: 1, Min: 1, Max: 256, Worker: true, Layout: true, Doc: "words a head"},
	Rope: {Name: "rope", Default: 10000, Min: 1, Max: 1 << 30, Worker: true, Layout: true,
		Doc: "base of the rotary positions"},
	Dtype: layout(choice("dtype", 0, "precision of the KV words", "f32", "f16", "bf16")),
	Vocab: {Name: "vocab", Default: 256, Min: 2, Max: 1 << 16, Worker: true, Layout: true, Doc: "tokens of the vocabulary"},
	Seed:  {Name: "seed", Default: 1, Min: 0, Max: 1<<63 - 1, Doc: "key of the random free-list order"},
}

func choice(name string, def int64, doc string, names ...string) KeySpec {
	return KeySpec{Name: name, Default: def, Max: int64(len(names) - 1), Names: names, Doc: doc}
}

func layout(s KeySpec) KeySpec {
	s.Worker, s.Layout = true, true
	return s
}

// Config holds a value for every key.
type Config [NumKeys]int64

// DefaultConfig returns the documented default of every key.
func DefaultConfig() Config {
	var c Config
	for k := range c {
		c[k] = Keys[k].Default
	}
	return c
}
