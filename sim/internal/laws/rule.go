package laws

// A rule names one way to break a law, why it breaks it, and what to write in its place.
// The reader's next step stands in the finding itself, so that nobody has to look the law up.
type rule struct {
	name    string
	law     int
	why     string
	instead string
}

var (
	concurrency = &rule{
		"concurrency", 1, "the order of two threads is not the same twice",
		"make it an event in the world's queue (sim); many whole worlds run side by side in sim/fleet",
	}
	clock = &rule{
		"clock", 1, "the wall clock is an ambient input",
		"use sim.Clock (virtual ticks); of package time only Duration and its constants are fine",
	}
	random = &rule{
		"random", 1, "it draws from a source that the run's seed does not fix",
		"draw from a *rand.Rand that is handed in, made by rand.New(rand.NewPCG(seed, stream))",
	}
	machine = &rule{
		"machine", 1, "the answer depends on the machine or on its load",
		"take the value as an argument or from the configuration",
	}
	callSite = &rule{
		"call-site", 1, "places in the source are recorded only when a failing script is replayed",
		"call the file that the table in sim/internal/laws/exempt.go names for it",
	}
	outside = &rule{
		"outside", 1, "files, environment, network, process and terminal are ambient inputs or outputs",
		"take or return the bytes (embed is fine), and let sim/simtest or a command under cmd meet the machine",
	}
	foreign = &rule{
		"foreign", 1, "code that this test does not read",
		"move the code to one of the six packages, or give the import a line with a reason in sim/internal/laws/imports.go",
	}
	mapOrder = &rule{
		"map-order", 1, "the order is not the same twice",
		"range over a sorted slice of keys, such as slices.Sorted(maps.Keys(m)), or keep a slice beside the map",
	}
	global = &rule{
		"global", 1, "state that outlives a run changes the next run in the same process",
		"make it a field of the part that changes it, or set it once in its declaration or in init",
	}
	pointers = &rule{
		"unsafe", 1, "addresses are ambient inputs, and what is reached through them is hidden from this test",
		"use math.Float32bits and its kin, or encoding/binary",
	}
	unread = &rule{
		"unread", 1, "no target of this test builds it, so nobody read it",
		"add a target that builds it to the table in sim/internal/laws/targets.go",
	}
	transcendental = &rule{
		"transcendental", 7, "its last bit differs between processors, and between kinds of one processor",
		"use the functions of package model, made of rounded sums and products",
	}
	product = &rule{
		"product", 7, "the compiler may fuse the two into one rounding",
		"round the product by an explicit conversion, as in float32(x*y) + z",
	}
	complexNumber = &rule{
		"complex", 7, "products and sums inside a complex operation cannot be rounded one by one",
		"keep the two parts apart and round every product",
	}
	fusedAssembly = &rule{
		"fused-assembly", 7, "a fused multiply-add rounds once where the plain loop rounds twice",
		"multiply, then add",
	}
)

// shape stands in place of a law where a rule is about how the house is built, and not about what runs in it.
const shape = 0

var (
	longLine = &rule{
		"long-line", shape, "it is cut off, or folded, where somebody reads it",
		"break it behind a comma or an operator",
	}
	longFunction = &rule{
		"long-function", shape, "it cannot be read at a glance",
		"give its parts names",
	}
	largeType = &rule{
		"large-type", shape, "it is more than one idea",
		"cut it into parts, each with its own reset and clone",
	}
	arrow = &rule{
		"arrow", shape, "a package rests on what lies below it, and on nothing else",
		"take an interface, or give the package its floor in sim/internal/laws/arrows.go",
	}
	wide = &rule{
		"wide", shape, "a user has to read all of it before the first line",
		"keep what nobody uses to the package, or put constants into groups; two ideas are two packages",
	}
	noExample = &rule{
		"no-example", shape, "go doc shows no way in",
		"write an Example that runs",
	}
	hidden = &rule{
		"hidden-value", shape, "a user meets a value that he cannot name",
		"export all values of the type, or hide the type",
	}
)
