# SPDX-License-Identifier: GPL-3.0-or-later
"""onnxruntime where rows are rounded to eight bits ahead of products with weights in blocks."""
from with_onnxruntime import FAMILIES, ROUNDED, to_numpy, version  # noqa: F401


def load(model, folder, threads):
    return FAMILIES[model.family](model, threads, ROUNDED)
