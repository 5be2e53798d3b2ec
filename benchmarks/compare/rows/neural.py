"""Layers of neural networks. The sizes of the convolutions are those of ResNet-50."""

import math

from work import Custom, Row, Work

GROUP = "neural"

# Batches of 8. Name, image [channels, height, width], output channels, kernel, stride, padding
CONVOLUTIONS = [
    ("7x7, stride 2", (3, 224, 224), 64, 7, 2, 3),
    ("1x1", (64, 56, 56), 256, 1, 1, 0),
    ("3x3", (64, 56, 56), 64, 3, 1, 1),
    ("3x3", (128, 28, 28), 128, 3, 1, 1),
    ("3x3", (256, 14, 14), 256, 3, 1, 1),
    ("3x3", (512, 7, 7), 512, 3, 1, 1),
    ("1x1", (1024, 14, 14), 256, 1, 1, 0),
]
BATCH = 8
WEIGHTS = "w = w.permute(3, 2, 0, 1).contiguous()"  # to PyTorch's [outputs, inputs, height, width]
GRADIENTS = "torch.set_grad_enabled(True); "


def row(name, inputs, outputs, call, statements, before=None, after=None, **compared):
    size = max(math.prod(shape) for shape in inputs.values())

    def work(v):
        return Work({key: v.reals(shape, *((0.5, 1.5) if key in ("mean", "variance", "gamma") else (-0.5, 0.5)))
                     for key, shape in inputs.items()}, [(shape, "float32") for shape in outputs], call, statements,
                    before or {}, after or {}, **{"absolute": 1e-3, "relative": 1e-3, **compared})

    return Row(GROUP, name, size, work)


def rows():
    for convolution in CONVOLUTIONS:
        yield from convolutions(*convolution)
    yield from small_and_deep()
    yield from pooling()
    yield from normalisation()
    yield grid_sample()
    yield from recurrent()
    yield attention()
    yield embedding()


def convolutions(name, image, outputs, kernel, stride, padding):
    channels, height, width = image
    size = f"{channels}x{height}x{width} to {outputs}"
    images = (BATCH, *image)
    made = (BATCH, outputs, (height + 2 * padding - kernel) // stride + 1, (width + 2 * padding - kernel) // stride + 1)
    weights = (kernel, kernel, channels, outputs)
    integers = [kernel, kernel, stride, stride, padding, padding, 1, 1, 0]
    forward = f"z = F.conv2d(x, w, stride={stride}, padding={padding})"
    onnx = (f"Conv(x, w, kernel_shape=[{kernel}, {kernel}], strides=[{stride}, {stride}], "
            f"pads=[{padding}, {padding}, {padding}, {padding}])")
    yield row(f"conv2d {name}, {size}", {"x": images, "w": weights}, [made], Custom("conv2d", integers),
              {"torch": forward, "ort": onnx}, {"torch": WEIGHTS, "ort": "w = np.ascontiguousarray(w.transpose(3, 2, 0, 1))"},
              absolute=1e-2)
    last = "x = x.permute(0, 3, 1, 2); "
    yield row(f"conv2d {name}, {size}, NHWC", {"x": (BATCH, height, width, channels), "w": weights},
              [(BATCH, *made[2:], outputs)], Custom("conv2d", [*integers, 1]), {"torch": forward},
              {"torch": last + WEIGHTS + ".to(memory_format=torch.channels_last)"}, {"torch": "z = z.permute(0, 2, 3, 1)"},
              absolute=1e-2)
    yield row(f"conv2d gradients {name}, {size}", {"x": images, "w": weights, "g": made}, [images, weights],
              Custom("conv2d_bp", integers),
              {"torch": f"z = torch.ops.aten.convolution_backward(g, x, w, None, [{stride}, {stride}], [{padding}, {padding}], "
                        "[1, 1], False, [0, 0], 1, [True, True, False])[:2]"},
              {"torch": WEIGHTS}, {"torch": "z = [z[0], z[1].permute(2, 3, 1, 0)]"}, absolute=5e-2)


def small_and_deep():
    yield row("conv2d 3x3, 1x3x16x16 to 8", {"x": (1, 3, 16, 16), "w": (3, 3, 3, 8)}, [(1, 8, 16, 16)],
              Custom("conv2d", [3, 3, 1, 1, 1, 1, 1, 1, 0]),
              {"torch": "z = F.conv2d(x, w, padding=1)", "ort": "Conv(x, w, kernel_shape=[3, 3], pads=[1, 1, 1, 1])"},
              {"torch": WEIGHTS, "ort": "w = np.ascontiguousarray(w.transpose(3, 2, 0, 1))"})
    yield row("conv3d 3x3x3, 2x32x16x32x32 to 32", {"x": (2, 32, 16, 32, 32), "w": (3, 3, 3, 32, 32)}, [(2, 32, 16, 32, 32)],
              Custom("conv3dnew", [3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0]), {"torch": "z = F.conv3d(x, w, padding=1)"},
              {"torch": "w = w.permute(4, 3, 0, 1, 2).contiguous()"}, absolute=1e-2)
    yield row("deconv2d 4x4, stride 2, 64x28x28 to 64", {"x": (BATCH, 64, 28, 28), "w": (4, 4, 64, 64)}, [(BATCH, 64, 56, 56)],
              Custom("deconv2d", [4, 4, 2, 2, 1, 1, 1, 1, 0]), {"torch": "z = F.conv_transpose2d(x, w, stride=2, padding=1)"},
              {"torch": WEIGHTS}, absolute=1e-2)
    yield row("depthwise_conv2d 3x3, 64x56x56", {"x": (BATCH, 64, 56, 56), "w": (3, 3, 64, 1)}, [(BATCH, 64, 56, 56)],
              Custom("depthwise_conv2d", [3, 3, 1, 1, 1, 1, 1, 1, 0]),
              {"torch": "z = F.conv2d(x, w, padding=1, groups=64)",
               "ort": "Conv(x, w, kernel_shape=[3, 3], pads=[1, 1, 1, 1], group=64)"},
              {"torch": "w = w.permute(2, 3, 0, 1).contiguous()", "ort": "w = np.ascontiguousarray(w.transpose(2, 3, 0, 1))"})


def pooling():
    image, half = (BATCH, 64, 112, 112), (BATCH, 64, 56, 56)
    yield row("maxpool2d 3x3, stride 2, 64x112x112", {"x": image}, [half], Custom("maxpool2d", [3, 3, 2, 2, 1, 1, 1, 1, 0]),
              {"torch": "z = F.max_pool2d(x, 3, 2, 1)",
               "ort": "MaxPool(x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])"})
    yield row("maxpool2d 2x2, 64x56x56", {"x": half}, [(BATCH, 64, 28, 28)], Custom("maxpool2d", [2, 2, 2, 2, 0, 0, 1, 1, 0]),
              {"torch": "z = F.max_pool2d(x, 2)", "ort": "MaxPool(x, kernel_shape=[2, 2], strides=[2, 2])"})
    # PyTorch's gradient reads the positions of the maxima that its forward pass has kept; maxpool2d_bp searches for them.
    # PyTorch's forward pass is therefore part of its time.
    yield row("maxpool2d gradient, stride 2, 64x112x112", {"x": image, "g": half}, [image],
              Custom("maxpool2d_bp", [3, 3, 2, 2, 1, 1, 1, 1, 0, 0]),
              {"torch": "z = torch.autograd.grad(F.max_pool2d(x, 3, 2, 1), x, g)[0]"},
              {"torch": GRADIENTS + "x.requires_grad_()"})
    yield row("avgpool2d 2x2, 64x112x112", {"x": image}, [half], Custom("avgpool2d", [2, 2, 2, 2, 0, 0, 1, 1, 0, 0]),
              {"torch": "z = F.avg_pool2d(x, 2)", "ort": "AveragePool(x, kernel_shape=[2, 2], strides=[2, 2])"})
    yield row("avgpool2d gradient, 64x112x112", {"x": image, "g": half}, [image],
              Custom("avgpool2d_bp", [2, 2, 2, 2, 0, 0, 1, 1, 0, 0]),
              {"torch": "z = torch.ops.aten.avg_pool2d_backward(g, x, [2, 2], [2, 2], [0, 0], False, True, None)"})


def normalisation():
    image = (BATCH, 64, 112, 112)
    parameters = {name: (64,) for name in ("mean", "variance", "gamma", "beta")}
    yield row("batchnorm, 64x112x112", {"x": image, **parameters}, [image], Custom("batchnorm", [1, 1, 1], [1e-5]),
              {"torch": "z = F.batch_norm(x, mean, variance, gamma, beta, False, 0, 1e-5)",
               "ort": "BatchNormalization(x, gamma, beta, mean, variance, epsilon=1e-5)"})
    factors = {name: (64,) for name in ("gamma", "beta")}
    yield row("group_norm of 8 groups, 64x56x56", {"x": (BATCH, 64, 56, 56), **factors}, [(BATCH, 64, 56, 56)],
              Custom("group_norm", [8], [1e-5]), {"torch": "z = F.group_norm(x, 8, gamma, beta, 1e-5)"})
    tokens = (BATCH * 128, 768)
    yield row("rms_norm, 1,024 x 768", {"x": tokens, "gamma": (768,)}, [tokens], Custom("rms_norm", [], [1e-5]),
              {"torch": "z = F.rms_norm(x, (768,), gamma, 1e-5)"})
    # The statistics are those of x, so that both compute the same formula.
    statistics = ("m = x.mean((0, 2, 3)); mean.copy_(m); variance.copy_(x.var((0, 2, 3), correction=0)); "
                  "r = (variance + 1e-5).rsqrt()")
    yield Row(GROUP, "batchnorm gradients, 64x112x112", math.prod(image), lambda v: batchnorm_gradients(v, image, statistics))


def grid_sample():
    image = (BATCH, 64, 56, 56)
    return row("grid_sample bilinear, 64x56x56", {"x": image, "grid": (BATCH, 56, 56, 2)}, [image], Custom("grid_sample"),
               {"torch": "z = F.grid_sample(x, grid, align_corners=False)"})


def batchnorm_gradients(v, image, statistics):
    x, g = v.reals(image, -0.5, 0.5), v.reals(image, -0.5, 0.5)
    mean, variance, gamma, beta = (v.reals((64,), 0.5, 1.5) for _ in range(4))
    mean[...], variance[...] = x.mean((0, 2, 3)), x.var((0, 2, 3))
    return Work({"x": x, "mean": mean, "variance": variance, "gamma": gamma, "beta": beta, "g": g},
                [(image, "float32")] + [((64,), "float32")] * 4, Custom("batchnorm_bp", [1, 1, 1], [1e-5]),
                {"torch": "z = torch.ops.aten.native_batch_norm_backward(g, x, gamma, None, None, mean, r, True, 1e-5, "
                          "[True, True, True])"},
                {"torch": statistics}, same="z[0]", absolute=1e-3, relative=1e-3)


def recurrent():
    steps, batch, width = 64, 32, 128
    sequence = (steps, batch, width)
    lstm = {"x": sequence, "w": (width, 4 * width), "r": (width, 4 * width), "b": (4 * width,)}
    layer = ("n = torch.nn.LSTM(128, 128); "
             "p = [w.T.contiguous(), r.T.contiguous(), b, torch.zeros_like(b)]\n"
             "for target, value in zip(n.parameters(), p): target.data.copy_(value)")
    yield row("lstmLayer, 64 steps, batch 32, 128 to 128", lstm, [sequence],
              Custom("lstmLayer", [0, 0, 2, 0, 0], [0], [True, False, False, False, False, True, False, False]),
              {"torch": "z = n(x)[0]"}, {"torch": layer})
    yield row("lstmLayer gradients, 64 steps, batch 32, 128 to 128", {**lstm, "g": sequence},
              [sequence, lstm["w"], lstm["r"], lstm["b"]],
              Custom("lstmLayer_bp", [0, 0, 2, 0, 0], [0], [True, False, False, False, False, True, False, False]),
              {"torch": "z = torch.autograd.grad(n(x)[0], q, g)"},
              {"torch": f"{layer}\n{GRADIENTS}x.requires_grad_(); q = [x, *list(n.parameters())[:3]]"},
              {"torch": "z = [z[0], z[1].T, z[2].T, z[3]]"}, absolute=5e-2)
    gru = {"x": sequence, "h": (batch, width), "w": (width, 3 * width), "r": (width, 3 * width), "b": (3 * width,)}
    yield row("gru, 64 steps, batch 32, 128 to 128", gru, [sequence], Custom("gru"), {"torch": "z = n(x, h[None])[0]"},
              {"torch": layer.replace("LSTM", "GRU")})


def attention():
    shape = (BATCH, 12, 64, 128)  # batch, heads, features, positions
    return row("attention, 8 x 12 heads x 128 x 64", {"q": shape, "k": shape, "v": shape}, [shape],
               Custom("dot_product_attention", [1, 0]), {"torch": "z = F.scaled_dot_product_attention(q, k, v)"},
               {"torch": "q, k, v = (a.transpose(2, 3).contiguous() for a in (q, k, v))"}, {"torch": "z = z.transpose(2, 3)"})


def embedding():
    return Row(GROUP, "embedding, 4,096 of 50,000 rows of 256", 50_000 * 256, lambda v: Work(
        {"x": v.reals((50_000, 256), -1, 1), "i": v.integers((4096,), 50_000)}, [((4096, 256), "float32")],
        Custom("embedding_lookup", [1]),
        {"numpy": "np.take(x, i, 0, z)", "torch": "z = F.embedding(i, x)", "ort": "Gather(x, i, axis=0)"}))
