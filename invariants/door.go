package invariants

// doorBook counts who has been let in.
type doorBook struct {
	queued  int32   // requests that wait
	tenants []int32 // by tenant: live requests
	offered int32   // the client whose submission the engine is looking at
}

func newDoorBook(tenants int) doorBook { return doorBook{tenants: make([]int32, tenants)} }

func (k *doorBook) reset() {
	clear(k.tenants)
	k.queued, k.offered = 0, 0
}

func (k *doorBook) cloneInto(dst *doorBook) {
	copy(dst.tenants, k.tenants)
	dst.queued, dst.offered = k.queued, k.offered
}

// knows tells whether the engine should know a tenant. What one that it should not know has live counts nowhere.
func (k *doorBook) knows(tenant int32) bool { return tenant >= 0 && int(tenant) < len(k.tenants) }

// full tells whether the queue is.
func (k *doorBook) full(b *Bounds) bool { return k.queued >= b.MaxQueue }

// usedUp tells whether a tenant's quota is.
func (k *doorBook) usedUp(b *Bounds, tenant int32) bool {
	return k.knows(tenant) && b.Quotas[tenant] > 0 && k.tenants[tenant] >= b.Quotas[tenant]
}

func (k *doorBook) count(tenant, by int32) {
	if k.knows(tenant) {
		k.tenants[tenant] += by
	}
}
