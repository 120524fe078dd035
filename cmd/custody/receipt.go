package main

import (
	"github.com/spf13/cobra"

	"custody/cmd/custody/internal/receipt"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
)

const receiptDoc = `Receipt runs a script on the transformer and says of every output token of one request which KV slots its
computation read: who wrote them, and what share of the attention went there. Bars have the colours of tenants.
Of requests that share a name it is the last one for which a token was sampled.`

// receiptOptions are the flags of `custody receipt`.
type receiptOptions struct {
	profile *choice
	token   whole // only this output token, from 1
	heads   bool  // by layer and head
}

func newReceipt(c *term.Console) *cobra.Command {
	o := receiptOptions{profile: newProfile(), token: whole{least: 1}}
	cmd := &cobra.Command{
		Use: "receipt FILE|SEED NAME", Short: "Say for each output token of a request whose KV it was computed from", Long: receiptDoc,
		Example: "  custody receipt sim/testdata/shared-prefix.trace r2\n  custody receipt 7 r3 --token 1 --heads",
		Args:    exactly(2, "two: a file or a seed, and the name of a request"),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := source.Load(c, args[0], profileNamed(o.profile), cmd.Flags().Changed("profile"))
			if err != nil {
				return err
			}
			return receipt.Print(c, src, args[1], receipt.Detail{Token: o.token.value, Heads: o.heads})
		},
	}
	cmd.Flags().Var(o.profile, "profile", "what a seed draws")
	cmd.Flags().Var(&o.token, "token", "only this output token; 1 is the first")
	cmd.Flags().BoolVar(&o.heads, "heads", false, "show the shares by layer and head")
	return cmd
}
