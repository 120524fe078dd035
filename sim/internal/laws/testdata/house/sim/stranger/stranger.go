package stranger // want "package sim/stranger has no floor"
