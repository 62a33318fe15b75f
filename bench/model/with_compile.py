# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch, compiled, its weights frozen: torch.compile as it comes makes a program for the first extents, then one for any."""
import torch
import torch._inductor.config
import with_torch
from with_torch import to_numpy, version  # noqa: F401

torch._inductor.config.freezing = True  # pylint: disable=protected-access # its public name


class Compiled(with_torch.Torch):
    def compiled(self, module):
        return torch.compile(module.eval())

    def prepare(self, call, given):
        arguments = self.arguments(call, given)

        def run():
            with torch.no_grad():
                return self.forward(*arguments)
        return run


def load(model, folder, threads):
    return Compiled(model, threads)
