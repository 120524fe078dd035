package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"custody/sim/gen"
	"custody/sim/museum"
	"custody/traces"
)

// probeOptions are the flags of probe.
type probeOptions struct {
	hunt         museum.Hunt
	profile, set string
	script       string
}

const probeDoc = `Hunts in the engine that this binary was compiled with, and prints one JSON object, a museum.Report: the first
seed that breaks the promise in its first failing step, its script shrunk, and the next such seeds until there are
enough of them. Or, with --script, what one script breaks.`

func newProbe(c *console) *cobra.Command {
	o := probeOptions{}
	cmd := &cobra.Command{
		Use: "probe", Short: "Hunt in the engine that this binary was compiled with", Long: probeDoc,
		Args: arguments(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			report, err := o.report()
			if err != nil {
				return err
			}
			return json.NewEncoder(c.out).Encode(report)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.profile, "profile", gen.Profiles[0].Name, "what the generator draws")
	f.StringVar(&o.script, "script", "", "execute this file instead")
	f.StringVar(&o.set, "set", "", "a setting made over what is drawn, as KEY=VALUE")
	f.IntVar(&o.hunt.Seeds, "seeds", 500, "how many seeds to try, from 1")
	f.StringVar(&o.hunt.Promise, "promise", "", "the promise to look for; any, if empty")
	f.BoolVar(&o.hunt.Silent, "silent", false, "the engine keeps its facts to itself; nothing is shrunk")
	f.IntVar(&o.hunt.Found, "found", 1, "stop when so many seeds are found")
	return cmd
}

func (o *probeOptions) report() (*museum.Report, error) {
	if o.script != "" {
		return executeFile(o.script)
	}
	var ok bool
	if o.hunt.Profile, ok = gen.FindProfile(o.profile); !ok {
		return nil, fmt.Errorf("--profile: there is none of the name %q", o.profile)
	}
	if o.set != "" {
		key, value, err := setting(o.set)
		if err != nil {
			return nil, fmt.Errorf("--set: %w", err)
		}
		o.hunt.Profile.Configure = func(c *traces.Config) { c[key] = value }
	}
	return o.hunt.Run(), nil
}

func executeFile(file string) (*museum.Report, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s, err := traces.Parse(file, string(text))
	if err != nil {
		return nil, err
	}
	return museum.Execute(s)
}

// setting reads KEY=VALUE, the value a word of the key or a number.
func setting(text string) (traces.Key, int64, error) {
	name, value, _ := strings.Cut(text, "=")
	for k := range traces.Keys {
		spec := &traces.Keys[k]
		if spec.Name != name {
			continue
		}
		if i := slices.Index(spec.Names, value); i >= 0 {
			return traces.Key(k), int64(i), nil
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err == nil && (n < spec.Min || n > spec.Max) {
			err = fmt.Errorf("%s is %d, expected %d to %d", name, n, spec.Min, spec.Max)
		}
		return traces.Key(k), n, err
	}
	return 0, 0, fmt.Errorf("there is no key %q", name)
}
