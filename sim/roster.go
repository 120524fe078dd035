package sim

import (
	"fmt"
	"slices"

	"custody/cache"
	"custody/sim/engine"
)

// Client is one submission as its client sees it.
type Client struct {
	Event   int        // of the script: its submission
	Tenant  int32      // index of its tenant; -1: one that the engine does not know
	Req     cache.Req  // its first life
	Live    bool       // accepted, and its end has not been told
	Ended   bool       // the engine is through with it
	Tokens  int32      // settled output tokens
	Issued  int32      // passes of its present life
	Done    int32      // of these, finished
	Settled int32      // of these, settled
	Last    cache.OpID // the last operation that was issued for it, in any of its lives; 0: none
	Prior   cache.OpID // the one before

	name int32
	gen  uint32 // of the life that the counts are of
}

// Roster are the clients of a run, by number. The numbers of those that are through may be used again.
type Roster struct {
	clients []Client
	bySlot  []int32  // by slot of the request table: client
	byName  []int32  // by number of a name: its latest client, or -1
	names   []string // by number, in the order of first use
	numbers map[string]int32
	tenants []string
}

func newRoster(slots int32, tenants []string) *Roster {
	return &Roster{bySlot: make([]int32, slots), numbers: map[string]int32{}, tenants: tenants}
}

func (r *Roster) reset() {
	r.clients, r.byName, r.names = r.clients[:0], r.byName[:0], r.names[:0]
	clear(r.numbers)
	clear(r.bySlot)
}

func (r *Roster) cloneInto(dst *Roster) {
	dst.clients = append(dst.clients[:0], r.clients...)
	copy(dst.bySlot, r.bySlot)
	dst.byName = append(dst.byName[:0], r.byName...)
	dst.names = append(dst.names[:0], r.names...)
	clear(dst.numbers)
	for i, name := range r.names {
		dst.numbers[name] = int32(i)
	}
}

// Len is the number of clients.
func (r *Roster) Len() int { return len(r.clients) }

// Client is the client of a number.
func (r *Roster) Client(i int32) *Client { return &r.clients[i] }

// Of is the number of the client whose request has, or last had, the slot of a life.
func (r *Roster) Of(life cache.Req) int32 { return r.bySlot[life.Slot] }

// knows tells whether there is a client of that number.
func (r *Roster) knows(i int32) bool { return i >= 0 && int(i) < len(r.clients) }

// Names of those that are not known.
const (
	Nobody        = "nobody" // a client
	UnknownTenant = "?"      // a tenant, in scripts too
)

// Name is the name of a client's request.
func (r *Roster) Name(i int32) string {
	if !r.knows(i) {
		return Nobody
	}
	return r.names[r.clients[i].name]
}

// TenantName is the name of a client's tenant.
func (r *Roster) TenantName(i int32) string {
	if !r.knows(i) || r.clients[i].Tenant < 0 {
		return UnknownTenant
	}
	return r.tenants[r.clients[i].Tenant]
}

// Who is a client's request with its tenant.
func (r *Roster) Who(i int32) string { return fmt.Sprintf("%s (%s)", r.Name(i), r.TenantName(i)) }

// Life names a client's request in one of its lives.
func (r *Roster) Life(i int32, gen uint32) Party {
	if !r.knows(i) {
		return Party{}
	}
	return Party{Name: r.Name(i), Tenant: r.TenantName(i), Life: gen - r.clients[i].Req.Gen + 1}
}

// Party is a request in one of its lives, and its tenant.
type Party struct {
	Name, Tenant string
	Life         uint32 // from 1
}

// Known tells whether it is anybody.
func (p Party) Known() bool { return p.Name != "" }

// String is the request, with the number of its life if it is not the first.
func (p Party) String() string {
	if p.Life > 1 {
		return fmt.Sprintf("%s/%d", p.Name, p.Life)
	}
	return p.Name
}

// issuedFor notes that an operation has been issued for the client's request.
func (c *Client) issuedFor(op cache.OpID) { c.Prior, c.Last = c.Last, op }

// Counts tells whether the counts of passes are those of a life.
func (c *Client) Counts(life cache.Req) bool { return c.Req.Slot == life.Slot && c.gen == life.Gen }

// named is the latest client of a name, or nil.
func (r *Roster) named(name string) *Client { return r.latest(r.number(name)) }

// latest is the latest client of the name with that number, or nil.
func (r *Roster) latest(name int32) *Client {
	if i := r.byName[name]; i >= 0 && r.clients[i].name == name {
		return &r.clients[i]
	}
	return nil
}

// number numbers names in the order of their first use.
func (r *Roster) number(name string) int32 {
	n, known := r.numbers[name]
	if !known {
		n = int32(len(r.names))
		r.numbers[name] = n
		r.names = append(r.names, name)
		r.byName = append(r.byName, -1)
	}
	return n
}

// accept enters a client whose request has been accepted.
func (r *Roster) accept(i int32, life cache.Req) {
	c := &r.clients[i]
	c.Req, c.Live, c.gen = life, true, life.Gen
	r.byName[c.name], r.bySlot[life.Slot] = i, i
}

// maxClients is how many clients are told apart before the numbers of those that are through are used again. A script of
// a generator has fewer; an endless load needs the bound.
const maxClients = 256

// vacant is a new client number or, beyond maxClients, the first that nothing refers to any more: its end is told, and
// its slot is empty or another's.
func (r *Roster) vacant(e engine.Engine) int32 {
	if len(r.clients) >= maxClients {
		for i := range r.clients {
			if c := &r.clients[i]; !c.Live && (r.bySlot[c.Req.Slot] != int32(i) || e.View(c.Req).State == 0) {
				return int32(i)
			}
		}
	}
	if len(r.clients) == cap(r.clients) {
		r.clients = slices.Grow(r.clients, 8)
	}
	r.clients = append(r.clients, Client{})
	return int32(len(r.clients) - 1)
}

// allTold tells whether no client waits for the end of its request.
func (r *Roster) allTold() bool {
	for i := range r.clients {
		if r.clients[i].Live {
			return false
		}
	}
	return true
}

// canon appends the clients whose requests live, in the order in which those have been named. Of the others only messages
// are left.
func (r *Roster) canon(c *cache.Canon, e engine.Engine) {
	for _, life := range c.Lives() {
		if x := &r.clients[r.bySlot[life.Slot]]; x.Live && e.View(x.Req).Life == life {
			x.canon(c, life)
		}
	}
}

// canon appends what its counts are good for: anchors, and faults by chunk.
func (x *Client) canon(c *cache.Canon, life cache.Req) {
	c.Name(uint32(x.name))
	c.Tenant(x.Tenant)
	passes := [3]int32{}
	if x.gen == life.Gen {
		passes = [3]int32{x.Issued, x.Done, x.Settled}
	}
	for _, n := range passes {
		c.Int(n)
	}
	c.Int(x.Tokens)
	c.Bool(x.Ended)
}
