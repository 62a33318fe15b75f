# SPDX-License-Identifier: GPL-3.0-or-later
"""The same as peers_torch.py, after torch.compile."""
import torch

import peers_torch

convert, to_numpy = peers_torch.convert, peers_torch.to_numpy
NAME, VERSION = "torch.compile", peers_torch.VERSION
# Not what inductor hands to the same libraries as eager PyTorch, or unrolls: these only cost the time of compiling.
ALONE = {"gemm", "attention", "conv", "spmv", "histogram", "jacobi_2d"}
PEERS = {operator: builds[:2] for operator, builds in peers_torch.PEERS.items() if operator not in ALONE}


def prepare(build, p, a):
    torch.compiler.reset()
    call = torch.compile(build(p, a), fullgraph=True, dynamic=False)
    call()
    return call
