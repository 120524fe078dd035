package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/scheduler"
	"custody/traces"
)

// The language knows words and numbers; what a number means is said elsewhere. These tests hold the two together.

func TestTheStatesOfTheLanguageAreTheSchedulers(t *testing.T) {
	require.Equal(t, scheduler.StateNames[:], traces.States)
}

// wordsByMeaning are the words of every key that is a choice, by the constants that give them their meaning.
var wordsByMeaning = map[traces.Key][]string{
	traces.Overlap: offOn,
	traces.Policy:  {scheduler.FCFS: "fcfs", scheduler.Priority: "priority"},
	traces.Free:    {cache.FreeVLLM: "vllm", cache.FreeLIFO: "lifo", cache.FreeRandom: "random"},
	traces.Release: {cache.ReleaseSettled: "settled", cache.ReleaseOrdered: "ordered"},
	traces.Publish: {scheduler.PublishSettled: "settled", scheduler.PublishSchedule: "schedule"},
	traces.Cache:   offOn,
	traces.Reserve: offOn,
	traces.Loop:    {"split", "fused"},
	traces.Dtype:   {"f32", "f16", "bf16"},
}

var offOn = []string{"off", "on"}

func TestTheWordsOfEveryChoiceStandInTheOrderOfTheirMeaning(t *testing.T) {
	for k := range traces.NumKeys {
		assert.Equal(t, wordsByMeaning[k], traces.Keys[k].Names, traces.Keys[k].Name)
	}
}
