# SPDX-License-Identifier: GPL-3.0-or-later
"""LAPACK and BLAS 3, as SciPy brings them (an OpenBLAS): factorisations, triangular solves. Their lower triangles are our upper ones."""
import numpy as np
import scipy
from scipy.linalg import blas, lapack

from peers_numpy import convert, prepare, to_numpy  # pylint: disable=unused-import # part of what a kind of peer has

NAME, VERSION = "LAPACK", scipy.__version__
PEERS = {}


def cholesky(_, a):
    room = np.empty_like(a.A)

    def call():
        np.copyto(room, a.A)
        lapack.dpotrf(room.T, lower=0, clean=0, overwrite_a=1)
        return room

    return call


def trsm(_, a):
    def call():
        np.copyto(a.X, a.B)
        blas.dtrsm(1.0, a.L.T, a.X.T, side=1, lower=0, overwrite_b=1)
        return a.X

    return call


def trsm_rows(_, a):
    def call():
        np.copyto(a.X, a.B)
        blas.dtrsm(1.0, a.L.T, a.X.T, side=0, lower=0, trans_a=1, overwrite_b=1)
        return a.X

    return call


PEERS.update(cholesky=[cholesky], trsm=[trsm], trsm_rows=[trsm_rows])
