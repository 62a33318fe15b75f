# SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output
# Rules for GNU make: NAME_dyn.c and NAME_dyn.h, for CUDA NAME_dyn.cu and NAME_dyn.cuh, from NAME.spec beside them.
#
#   include $(shell pkg-config --variable=makefile mikgen)
#   app: main.o gemm_dyn.o
#   main.o: gemm_dyn.h
#
# They are made anew when the spec, what it includes, a profile that MIKGENFLAGS names or mikgen itself has changed.
MIKGEN ?= mikgen
MIKGENFLAGS ?=

mikgen_blank := $(subst ,, )
mikgen_tool := $(subst $(mikgen_blank),\ ,$(shell command -v $(MIKGEN)))

%_dyn.c %_dyn.h: %.spec $(mikgen_tool)
	$(MIKGEN) --target=c $(MIKGENFLAGS) --depfile=$*_dyn.c.d --output-dir=$(@D) $<

%_dyn.cu %_dyn.cuh: %.spec $(mikgen_tool)
	$(MIKGEN) --target=cuda $(MIKGENFLAGS) --depfile=$*_dyn.cu.d --output-dir=$(@D) $<

.PRECIOUS: %_dyn.c %_dyn.h %_dyn.cu %_dyn.cuh

# What is included here is not what plain `make` makes.
mikgen_goal := $(.DEFAULT_GOAL)
-include $(wildcard *_dyn.c.d *_dyn.cu.d)
.DEFAULT_GOAL := $(mikgen_goal)
