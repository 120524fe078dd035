// The comment may say VFMADD231PS.
TEXT ·Dot(SB), $0-52
	VMULPS Y0, Y1, Y2
	VADDPS Y2, Y3, Y3
	VFMADD231PS Y0, Y1, Y3 // want "VFMADD231PS: a fused multiply-add rounds once"
	RET
