#!/usr/bin/env python3
"""Expected values of einsum: numpy.einsum."""
import numpy as np

from cases import Cases, coarse

rng = np.random.default_rng(43)
cases = Cases("einsum")
SIZES = dict(zip("abcdefghijklmnopqrstuvwxyzABCXYZ", (2, 3, 4, 2, 3, 2, 3, 2, 3, 4, 2, 3, 2, 4, 3, 2) * 2))


def values(*shape):
    return coarse(rng.uniform(-2, 2, shape))


def shape_of(term, ellipsis=()):
    shape = []
    for part in term.replace("...", ".").replace(" ", ""):
        shape += ellipsis if part == "." else [SIZES[part]]
    return shape


def add(equation, *operands, **options):
    z = np.asarray(np.einsum(equation, *operands))
    cases.add("einsum", [np.array(equation), *operands], [z], **options)


# ---- named labels
for equation in ("ij,jk->ik", "ij,jk->ki", "ij,kj->ik", "ji,jk->ik", "ij,jk", "ba", "ij->ji", "ij->", "ij->j", "ij", "a", "a->", "->", ",->",
                 ",a->a", "i,i", "i,i->", "i,i->i", "i,j->ij", "i,j->ji", "ij,ij->", "ij,ij->ij", "ij,ij->ji", "ij,ij->i", "ij,ji->",
                 "ij,j->i", "ij,i->j", "ij,i->ij", "ij,k->", "ij,k->jk", "ij,k->i", "aii->a", "ii->i", "ii", "ii->", "iii->i", "iii->",
                 "iij->j", "ijij->ij", "ijij->ji", "iijj->ij", "ii,i->i", "ii,ij->j", "ii,jj->ij", "bij,bjk->bik", "bij,bjk->ikb",
                 "bij,bjk->ijk", "bij,bkj->bki", "bij,bij->b", "bij,bi->bj", "abij,abjk->abik", "abij,acjk->bcik", "abcd,cdef->abef",
                 "abcd,dcef->fbae", "abc,cba->", "ij,jk,kl->il", "ij,jk,kl,lm->im", "i,ij,j->", "ai,bj,ijk->abk", "abc,ad,be,cf->def",
                 "ab,bc,ca->", "i,i,i->i", "i,j,k->kji", "ij,ij,ij->ij", "ij,ij,jk->ik", "Ab,bC->AC", "bA", "Ca,aB", "aA,Aa->a",
                 " i j , j k -> i k ", "ij,jk,", "a,b,c,d,e->edcba", "pqrs,pi,qj,rk,sl->ijkl"):
    terms = equation.split("->")[0].split(",")
    add(equation, *(values(*shape_of(term)) for term in terms))
# ---- ellipses
for equation, lengths in (("...", [[]]), ("...", [[2, 3]]), ("...->...", [[2, 3]]), ("...ij->...ji", [[2]]), ("i...->...i", [[2, 3]]),
                          ("i...->i...", [[4]]), ("...i->...", [[2, 3]]), ("i...j->...", [[3]]), ("...i,...i", [[2], [2]]),
                          ("...ij,...jk->...ik", [[2, 3], [2, 3]]), ("...ij,...jk->...ik", [[2, 3], [3]]),
                          ("...ij,...jk->...ik", [[2, 1], [3]]), ("...ij,...jk", [[3], []]), ("...,...", [[2, 3], [3]]),
                          ("...,...->...", [[2, 1], [1, 3]]), ("...i,i...->...", [[2], [2]]), ("i...,j...->ij...", [[3], [2, 1]]),
                          ("...ij,j->...i", [[2, 2]]), ("...,i->i...", [[2, 3]]), ("a...b,b...c->ca...", [[2, 3], [1, 3]]),
                          ("...ii->...i", [[3]]), ("...ii", [[2]]), ("...a,...b,...c->...cab", [[2], [1], []]), ("ij->...ij", [])):
    lengths = iter(lengths)
    terms = equation.split("->")[0].split(",")
    add(equation, *(values(*shape_of(term, next(lengths) if "..." in term else ())) for term in terms))
# ---- sizes of 1 are repeated
add("ij,ij->ij", values(1, 3), values(2, 3))
add("ij,jk->ik", values(2, 1), values(3, 4))
add("ij,ij->", values(1, 3), values(2, 1))
add("bij,bjk->bik", values(1, 2, 3), values(4, 3, 2))
add("ii,i->i", values(1, 1), values(1))
# ---- nothing
add("ij,jk->ik", np.zeros((2, 0)), np.zeros((0, 3)), label="an empty sum")
add("ij,jk->ik", np.zeros((0, 2)), np.zeros((2, 3)))
add("ij->", np.zeros((0, 3)))
add("i,j->", np.zeros(0), values(3))
# ---- integers wrap
for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
    x, y = (rng.integers(0, 100, (3, 3)).astype(dtype) for _ in range(2))
    for equation in ("ij,jk->ik", "ij,ij->i", "i...,j...->ij", "ij,jk->i") if dtype[1] != "1" else ("ij,ij->ij", "ij,jk->ki"):
        if "..." not in equation:
            cases.add("einsum", [np.array(equation), x, y], [np.einsum(equation, x, y).astype(dtype)])
mixed = rng.integers(-5, 5, (2, 3)).astype("i4"), values(3, 2).astype("f4")
cases.add("einsum", [np.array("ij,jk->ik"), *mixed], [np.einsum("ij,jk->ik", *mixed).astype("f4")], types=(), label="types that differ meet")
# ---- random equations
for count in (1, 2, 2, 2, 3, 3, 3, 4, 4, 5) * 4:
    letters = rng.permutation(list("abcdefg"))[: rng.integers(2, 7)]
    terms = ["".join(rng.choice(letters, rng.integers(0, 5))) for _ in range(count)]
    used = sorted(set("".join(terms)))
    output = "".join(rng.permutation(used)[: rng.integers(0, min(len(used), 4) + 1)]) if used else ""
    # einsum without optimize sums all products in one loop: exact enough, and another order.
    add(",".join(terms) + "->" + output, *(values(*shape_of(term)) for term in terms), types=("FLOAT32", "DOUBLE"))

cases.save()
