"""Operations that move elements: joining, splitting, axes, types, slices, sorting."""

from work import Custom, Numbered, Row, Work, near_square

GROUP = "move"
CAST_TYPES = ("float32", "int32", "float16")
ASSIGN = 0


def rows(size):
    n, (height, width) = size, near_square(size)
    shape, few, cube = (height, width), (n // 5, 5), (n // 10, 5, 2)
    images = (max(1, n // 640), 10, 8, 8) if n >= 640 else (1, 5, 2, 1)

    def row(name, call, inputs, outputs, statements, before=None):
        return Row(GROUP, name, size, lambda v: Work(inputs(v), outputs, call, statements, before or {}))

    def one(v):
        return {"x": v.reals(shape, -10, 10)}

    def two(v):
        return {"x": v.reals(shape, -10, 10), "y": v.reals(shape, -10, 10)}

    yield row("concat last axis", Custom("concat", [1]), two, [((height, 2 * width), "float32")],
              {"numpy": "np.concatenate((x, y), 1, z)", "torch": "torch.cat((x, y), 1, out=z)", "ort": "Concat(x, y, axis=1)"})
    yield row("concat first axis", Custom("concat", [0]), two, [((2 * height, width), "float32")],
              {"numpy": "np.concatenate((x, y), 0, z)", "torch": "torch.cat((x, y), 0, out=z)", "ort": "Concat(x, y, axis=0)"})
    yield row("stack", Custom("stack", [-1]), two, [((*shape, 2), "float32")],
              {"numpy": "np.stack((x, y), -1, z)", "torch": "torch.stack((x, y), -1, out=z)"})
    yield row("unstack", Custom("unstack", [-1]), lambda v: {"x": v.reals(few, -10, 10)}, [((few[0],), "float32")] * 5,
              {"numpy": "for a, b in zip(z, x.T): a[...] = b", "torch": "for a, b in zip(z, x.unbind(-1)): a.copy_(b)"})
    yield row("split", Custom("split", [5, 1]), lambda v: {"x": v.reals((n // 10, 10), -10, 10)},
              [((n // 10, 2), "float32")] * 5,
              {"numpy": "for a, b in zip(z, np.split(x, 5, 1)): a[...] = b",
               "torch": "for a, b in zip(z, x.split(2, 1)): a.copy_(b)"})
    yield row("tile", Custom("tile", [2, 2]), one, [((2 * height, 2 * width), "float32")],
              {"numpy": "z[...] = np.tile(x, (2, 2))", "torch": "z = x.tile((2, 2))", "ort": "Tile(x, [2, 2])"})
    yield row("pad", Custom("pad", [0]), lambda v: {**one(v), "p": v.whole((2, 2), 1, 2, "int64")},
              [((height + 2, width + 2), "float32")],
              {"numpy": "z[...] = np.pad(x, 1)", "torch": "z = F.pad(x, (1, 1, 1, 1))", "ort": "Pad(x, [1, 1, 1, 1])"})
    yield row("transpose", Custom("transpose"), one, [((width, height), "float32")],
              {"numpy": "z[...] = x.T", "torch": "z.copy_(x.T)", "ort": "Transpose(x, perm=[1, 0])",
               "eigen": "z = x.transpose()"})
    yield row("permute", Custom("permute", [0, 2, 1]), lambda v: {"x": v.reals(cube, -10, 10)},
              [((cube[0], 2, 5), "float32")],
              {"numpy": "z[...] = x.transpose(0, 2, 1)", "torch": "z.copy_(x.permute(0, 2, 1))",
               "ort": "Transpose(x, perm=[0, 2, 1])"})
    for name, order in (("NCHW to NHWC", (0, 2, 3, 1)), ("NHWC to NCHW", (0, 3, 1, 2))):
        start = images if name[1] == "C" else (images[0], images[2], images[3], images[1])
        yield row(name, Custom("permute", order), lambda v, start=start: {"x": v.reals(start, -10, 10)},
                  [(tuple(start[k] for k in order), "float32")],
                  {"numpy": f"z[...] = x.transpose({order})", "torch": f"z.copy_(x.permute({order}))",
                   "ort": f"Transpose(x, perm={list(order)})"})
    yield row("roll all", Custom("roll", [3]), one, [(shape, "float32")],
              {"numpy": "z[...] = np.roll(x, 3)", "torch": "z = x.roll(3)"})
    yield row("roll last axis", Custom("roll", [1, 1]), one, [(shape, "float32")],
              {"numpy": "z[...] = np.roll(x, 1, 1)", "torch": "z = x.roll(1, 1)"})
    for dtype in ("float32", "int8"):
        yield row(f"reverse {dtype}", Custom("reverse", [1]), lambda v, dtype=dtype: {"x": v.reals(shape, -10, 10, dtype)},
                  [(shape, dtype)], {"numpy": "z[...] = x[:, ::-1]", "torch": "z = x.flip(1)"})
    yield row("slice every second", Custom("strided_slice", [0, 0, 0, 0, 0, 0, 0, 2 * height, 2 * width, 2, 2]),
              lambda v: {"x": v.reals((2 * height, 2 * width), -10, 10)}, [(shape, "float32")],
              {"numpy": "z[...] = x[::2, ::2]", "torch": "z.copy_(x[::2, ::2])",
               "ort": f"Slice(x, [0, 0], [{2 * height}, {2 * width}], [0, 1], [2, 2])"})
    for source in CAST_TYPES:
        for target in CAST_TYPES:
            if source != target:
                yield row(f"{source} to {target}", Numbered("Transform", "execTransformAny", ASSIGN),
                          lambda v, source=source: {"x": v.reals(n, -1000, 1000, source)}, [((n,), target)],
                          {"numpy": "z[...] = x", "torch": "z.copy_(x)",
                           "ort": f"Cast(x, to={ {'float32': 1, 'int32': 6, 'float16': 10}[target] })"})
    for name, view in (("copy every second", lambda v: v.reals(2 * n, -10, 10)[::2]),
                       ("copy transposed", lambda v: v.reals((width, height), -10, 10).T)):
        yield row(name, Numbered("Transform", "execTransformAny", ASSIGN), lambda v, view=view: {"x": view(v)},
                  [((n,) if "second" in name else shape, "float32")], {"numpy": "z[...] = x", "torch": "z.copy_(x)"})
    yield Row(GROUP, "sort", size, lambda v: Work(
        {"x": v.reals(n, -10, 10)}, [((n,), "float32")], Numbered("Sort", "sort", 0),
        {"numpy": "z[...] = x; z.sort()", "torch": "torch.sort(x, out=(z, places))",
         "xtensor": "xt::noalias(z) = x; std::sort(z.begin(), z.end())"},
        {"torch": "places = torch.empty(x.shape, dtype=torch.int64)"}))
