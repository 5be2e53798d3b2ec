"""Calls with empty arrays: results are empty or sums over no elements, which are 0; unused inputs have gradient 0."""
import numpy as np

from cases import Cases, Empty

cases = Cases("empty")


def none(*dims):
    """Zeros; the cases below pass a size of 0."""
    return np.zeros(dims)


def ints(*values):
    return np.array(values, np.int32)


def add(op, inputs, outputs, **options):
    cases.add(op, inputs, outputs, types=("FLOAT32",), **options)


x = none(0, 3)
# ---- element-wise operations
for op in ("cube_bp", "hardsigmoid_bp", "hardtanh_bp", "identity_bp", "rationaltanh_bp", "rectifiedtanh_bp", "relu_bp", "relu6_bp",
           "selu_bp", "sigmoid_bp", "softplus_bp", "softsign_bp", "tanh_bp", "softmax_bp", "log_softmax_bp"):
    add(op, [x, x], [x])
for op in ("elu_bp", "lrelu_bp", "thresholdedrelu_bp"):
    add(op, [x, x], [x], t=(0.5,))
add("crelu_bp", [x, none(0, 6)], [x])
add("prelu", [x, none(3)], [x])
add("prelu_bp", [x, none(3), x], [x, none(3)])
for op in ("Pow_bp", "assign_bp", "floordiv_bp", "floormod_bp", "maximum_bp", "minimum_bp", "mod_bp", "realdiv_bp", "reversedivide_bp",
           "reversemod_bp", "reversesubtract_bp", "squaredsubtract_bp"):
    add(op, [x, x, x], [x, x])
    add(op, [x, none(1, 3), x], [x, none(1, 3)], label="the second operand is stretched over nothing")
for op in ("Floor", "identity_n", "stop_gradient", "expose"):
    add(op, [x], [x])
add("fill_as", [x], [x], t=(2,))
add("cast", [x], [np.zeros((0, 3), np.int32)], i=(9,))
add("biasadd", [x, none(3)], [x])
add("biasadd_bp", [x, none(3), x], [x, none(3)])
add("apply_sgd", [x, x], [x], t=(0.1,))
add("testop2i2o", [x, none(2, 0)], [x, none(2, 0)])
add("clip_by_global_norm", [x, none(2, 0)], [x, none(2, 0), np.array(0.0)], t=(1,))
add("clipbynorm_bp", [x, x], [x], t=(1,))
add("clipbyavgnorm_bp", [x, x], [x], t=(1,))
for op in ("mergeavg", "mergemax"):
    add(op, [x, x], [x])
add("mergemaxindex", [x, x], [np.zeros((0, 3), np.int32)])
for op in ("mergeadd_bp", "mergeavg_bp", "mergemax_bp"):
    add(op, [x, x, x], [x, x])
add("weighted_cross_entropy_with_logits", [x, x, np.array(2.0)], [x])
add("fake_quant_with_min_max_vars_per_channel", [x, np.zeros(3), np.ones(3)], [x])
add("ismax", [x], [x], i=(1,))
add("standardize_bp", [x, x], [x], i=(1,))
add("dropout_bp", [x, x], [x], t=(0.5,), i=(7,))
add("alpha_dropout_bp", [x, x], [x], t=(0.5, 1, 1, 1), i=(7,))

# ---- reductions without rows, and of rows without elements
for name in ("sum", "mean", "prod", "max", "min", "norm1", "norm2", "sqnorm", "norm_max", "variance", "stdev"):
    add(f"reduce_{name}", [x], [none(0)], i=(1,))
    add(f"reduce_{name}_bp", [x, none(0)], [x], i=(1,))
add("reduce_logsumexp", [x], [none(0)], i=(1,))
add("reduce_dot_bp", [x, x, none(0)], [x, x], i=(1,))
for rows, axes, result in (((3, 0), (1,), np.full(3, -np.inf)), ((0, 3), (0,), np.full(3, -np.inf)),
                           ((2, 0, 4), (1,), np.full((2, 4), -np.inf)), ((3, 0), (0, 1), np.array(-np.inf))):
    add("reduce_logsumexp", [none(*rows)], [result], i=axes)
    add("reduce_logsumexp", [none(*rows)], [result.reshape([1 if d in axes else n for d, n in enumerate(rows)])], t=(1,), i=axes)
cases.add("reduce_logsumexp", [np.zeros((3, 0), np.int32)], [np.full(3, -np.inf, np.float32)], i=(1,))
add("norm", [x], [none(0)], t=(1,), i=(1,))
add("moments", [x], [none(0), none(0)], i=(1,))
add("nth_element", [x, ints(1)[0]], [none(0)])
add("in_top_k", [x, np.zeros(0, np.int32)], [np.zeros(0, bool)], i=(2,))
add("triu", [none(0, 2, 3)], [none(0, 2, 3)])
add("triu_bp", [none(0, 2, 3), none(0, 2, 3)], [none(0, 2, 3)])
for op in ("matrix_band_part",):
    add(op, [none(0, 2, 3)], [none(0, 2, 3)], i=(0, 0))
add("matrix_diag", [x], [none(0, 3, 3)])
add("matrix_diag_part", [none(0, 2, 3)], [none(0, 2)])
add("matrix_set_diag", [none(0, 2, 3), none(0, 2)], [none(0, 2, 3)])

# ---- losses without samples are 0, and so are their gradients
for name, t in (("absolute_difference_loss", ()), ("hinge_loss", ()), ("huber_loss", (1,)), ("log_loss", (0.1,)),
                ("log_poisson_loss", ()), ("mean_sqerr_loss", ()), ("sigm_cross_entropy_loss", (0,))):
    for mode in range(4):
        add(name, [x, np.array(2.0), x], [x if mode == 0 else np.array(0.0)], t=t, i=(mode,))
        add(f"{name}_grad", [x, np.array(2.0), x], [x, np.array(0.0), x], t=t, i=(mode,))
for mode in range(4):
    add("softmax_cross_entropy_loss", [x, np.array(2.0), x], [none(0, 1) if mode == 0 else np.array(0.0)], t=(0,), i=(mode,))
    add("softmax_cross_entropy_loss_grad", [x, np.array(2.0), x], [x, np.array(0.0), x], t=(0,), i=(mode,))
    add("cosine_distance_loss", [x, np.array(2.0), x], [none(0, 1) if mode == 0 else np.array(0.0)], i=(mode, 1))
    add("cosine_distance_loss_grad", [x, np.array(2.0), x], [x, np.array(0.0), x], i=(mode, 1))
    add("mean_pairwssqerr_loss", [x, np.array(2.0), x], [none(0, 1) if mode == 0 else np.array(0.0)], i=(mode,))
    add("mean_pairwssqerr_loss_grad", [x, np.array(2.0), x], [x, np.array(0.0), x], i=(mode,))
add("softmax_cross_entropy_loss_with_logits", [x, x], [none(0)])
add("softmax_cross_entropy_loss_with_logits_grad", [x, x], [x, x])
add("sparse_softmax_cross_entropy_loss_with_logits", [np.zeros(0, np.int32), x], [none(0)])
add("sparse_softmax_cross_entropy_loss_with_logits_grad", [np.zeros(0, np.int32), x], [x])
counts = np.zeros(0, np.int32)
add("ctc_loss", [np.zeros((0, 2), np.int32), none(0, 4, 3), counts, counts], [none(0)], i=(0,))
add("ctc_loss_grad", [np.zeros((0, 2), np.int32), none(0, 4, 3), counts, counts], [none(0, 4, 3)], i=(0,))
add("ctc_beam", [none(0, 4, 3), counts], [np.zeros((0, 1, 4), np.int32), none(0, 1), np.zeros((0, 1), np.int32)])

# ---- layers without samples: gradients with respect to the weights are 0
w, b = none(3, 2), none(2)
g = np.array([[1.0, 2], [3, 4], [5, 7]])
add("xw_plus_b_bp", [none(3, 0), none(0, 2), b, g], [none(3, 0), none(0, 2), g.sum(0)], label="no columns: the row is added alone")
add("xw_plus_b_bp", [x, w, b, none(0, 2)], [x, w, b])
add("relu_layer", [x, w, b], [none(0, 2)])
add("layer_norm", [x, none(3)], [x], i=(1,))
add("layer_norm_bp", [x, none(3), x], [x, none(3)], i=(1,))
add("batchnorm", [x, none(3), np.ones(3)], [x], t=(0.1,), i=(0, 0))
add("lrn", [none(0, 2, 2, 3)], [none(0, 2, 2, 3)], t=(1, 1, 1), i=(1,))
add("lrn_bp", [none(0, 2, 2, 3)] * 2, [none(0, 2, 2, 3)], t=(1, 1, 1), i=(1,))
add("dot_product_attention", [none(0, 3, 4), none(0, 3, 5), none(0, 6, 5)], [none(0, 6, 4)], i=(1, 0))
add("dot_product_attention_bp", [none(0, 3, 4), none(0, 3, 5), none(0, 6, 5), none(0, 6, 4)],
    [none(0, 3, 4), none(0, 3, 5), none(0, 6, 5)], i=(1,))
# values without features: only the weights are computed; queries without features: all keys have equal weights
q, k, v = np.array([[[1.0, 0], [0, 2]]]), np.array([[[0.0, 1], [1, 0]]]), np.array([[[1.0, 3]]])
scores = np.exp(k[0].T @ q[0])
add("dot_product_attention", [q, k, none(1, 0, 2)], [none(1, 0, 2), (scores / scores.sum(0))[None]], i=(0, 1))
add("dot_product_attention", [none(1, 0, 2), none(1, 0, 2), v], [np.full((1, 1, 2), 2.0), np.full((1, 2, 2), 0.5)], i=(0, 1))
add("dot_product_attention", [q, none(1, 2, 0), none(1, 3, 0)], [none(1, 3, 2), none(1, 0, 2)], i=(0, 1))
add("dot_product_attention_bp", [none(1, 0, 2), none(1, 0, 2), v, np.array([[[1.0, 5]]])],
    [none(1, 0, 2), none(1, 0, 2), np.full((1, 1, 2), 3.0)], i=(0,))
add("dot_product_attention_bp", [q, k, none(1, 0, 2), none(1, 0, 2)], [q * 0, k * 0, none(1, 0, 2)], i=(0,))
add("tensormmul_bp", [none(0, 3), none(3, 2), none(0, 2)], [none(0, 3), none(3, 2)], i=(1, 1, 1, 0))
window = (2, 2, 1, 1, 0, 0, 1, 1, 0)
image, kernel = none(0, 3, 4, 4), none(2, 2, 3, 5)
add("conv2d_bp", [image, kernel, none(5), none(0, 5, 3, 3)], [image, kernel, none(5)], i=window)
add("deconv2d", [image, none(2, 2, 5, 3)], [none(0, 5, 5, 5)], i=window)
add("deconv2d_bp", [image, none(2, 2, 5, 3), none(0, 5, 5, 5)], [image, none(2, 2, 5, 3)], i=window)
add("depthwise_conv2d", [image, none(2, 2, 3, 2)], [none(0, 6, 3, 3)], i=window)
add("depthwise_conv2d_bp", [image, none(2, 2, 3, 2), none(0, 6, 3, 3)], [image, none(2, 2, 3, 2)], i=window)
add("sconv2d", [image, none(2, 2, 3, 2)], [none(0, 6, 3, 3)], i=window)
add("sconv2d_bp", [image, none(0, 6, 3, 3), none(2, 2, 3, 2)], [image, none(2, 2, 3, 2)], i=window)
add("pointwise_conv2d", [image, none(1, 1, 3, 5)], [none(0, 5, 4, 4)])
add("conv1d", [none(0, 3, 4), none(2, 3, 5)], [none(0, 5, 3)], i=(2, 1, 0, 1, 0))
add("deconv1d", [none(0, 3, 4), none(2, 5, 3)], [none(0, 5, 5)], i=(2, 1, 0, 1, 0))
add("deconv1d_bp", [none(0, 3, 4), none(2, 5, 3), none(0, 5, 5)], [none(0, 3, 4), none(2, 5, 3)], i=(2, 1, 0, 1, 0))
add("conv1d_bp", [none(0, 3, 4), none(2, 3, 5), none(0, 5, 3)], [none(0, 3, 4), none(2, 3, 5)], i=(2, 1, 0, 1, 0))
cube = (1, 2, 2, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0)
volume = none(0, 3, 2, 4, 4)
add("conv3dnew", [volume, none(1, 2, 2, 3, 5)], [none(0, 5, 2, 3, 3)], i=cube)
add("conv3dnew_bp", [volume, none(1, 2, 2, 3, 5), none(0, 5, 2, 3, 3)], [volume, none(1, 2, 2, 3, 5)], i=cube)
add("deconv3d", [volume, none(1, 2, 2, 5, 3)], [none(0, 5, 2, 5, 5)], i=cube)
add("deconv3d_bp", [volume, none(1, 2, 2, 5, 3), none(0, 5, 2, 5, 5)], [volume, none(1, 2, 2, 5, 3)], i=cube)
for name in ("maxpool3dnew", "avgpool3dnew"):
    add(name, [volume], [none(0, 3, 2, 3, 3)], i=(*cube, 0))
    add(f"{name}_bp", [volume, none(0, 3, 2, 3, 3)], [volume], i=(*cube, 0))
add("avgpool2d_bp", [image, none(0, 3, 3, 3)], [image], i=(*window, 0))
add("pnormpool2d", [image], [none(0, 3, 3, 3)], i=(*window, 2))
add("pnormpool2d_bp", [image, none(0, 3, 3, 3)], [image], t=(1e-3,), i=(*window, 2))
add("max_pool_with_argmax", [image], [none(0, 3, 3, 3), np.zeros((0, 3, 3, 3), np.int64)], i=window)
add("im2col", [image], [none(0, 3, 2, 2, 3, 3)], i=window)
add("im2col_bp", [image, none(0, 3, 2, 2, 3, 3)], [image], i=window)
add("col2im", [none(0, 3, 2, 2, 3, 3)], [image], i=(1, 1, 0, 0, 4, 4, 1, 1, 0))
add("upsampling2d_bp", [none(0, 2, 2, 3), none(0, 4, 4, 3)], [none(0, 2, 2, 3)])
add("upsampling3d", [none(0, 2, 2, 2, 3)], [none(0, 4, 4, 4, 3)], i=(2, 2, 2))
add("upsampling3d_bp", [none(0, 2, 2, 2, 3), none(0, 4, 4, 4, 3)], [none(0, 2, 2, 2, 3)])
add("dilation2d", [none(0, 4, 4, 3), none(2, 2, 3)], [none(0, 3, 3, 3)], i=(0, 1, 1, 1, 1, 1, 1, 1, 1))
add("resize_bicubic", [none(0, 4, 4, 3).astype(np.float32), ints(5, 6)], [none(0, 5, 6, 3).astype(np.float32)])
add("resize_images", [none(0, 4, 4, 3).astype(np.float32)], [none(0, 5, 6, 3).astype(np.float32)], i=(5, 6))
add("image_resize", [none(0, 4, 4, 3).astype(np.float32), ints(5, 6)], [none(0, 5, 6, 3).astype(np.float32)])

# ---- sequences without samples
T, I, U = 3, 2, 4
seq, state = none(T, 0, I), none(0, U)
add("gru", [seq, state, none(I, 3 * U), none(U, 3 * U), none(3 * U)], [none(T, 0, U)])
add("gru_bp", [seq, state, none(I, 3 * U), none(U, 3 * U), none(3 * U), none(T, 0, U)],
    [seq, state, none(I, 3 * U), none(U, 3 * U), none(3 * U)])
add("gruCell", [none(0, I), state, none(I + U, 2 * U), none(I + U, U), none(2 * U), none(U)], [state] * 4)
add("lstmLayer", [seq, none(I, 4 * U), none(U, 4 * U)], [none(T, 0, U), state, state], t=(0,), i=(0, 0, 2, 0, 0),
    b=(0, 0, 0, 0, 0, 1, 1, 1))
add("lstmLayerCell", [none(0, I), none(I, 4 * U), none(U, 4 * U), state, state], [state, state], t=(0,), i=(2, 0, 0), b=(0, 0))
add("static_rnn", [seq, none(I, U), none(U, U), none(2 * U)], [none(T, 0, U), state])
add("dynamic_rnn", [seq, none(I, U), none(U, U), none(2 * U)], [none(T, 0, U), state], i=(1,))
add("static_bidirectional_rnn", [seq] + [none(I, U), none(U, U), none(2 * U)] * 2, [none(T, 0, 2 * U), state, state])
add("dynamic_bidirectional_rnn", [seq] + [none(I, U), none(U, U), none(2 * U)] * 2, [none(T, 0, U)] * 2 + [state, state], i=(1,))
add("sru", [none(0, U, T), none(3 * U, U), none(2 * U), none(0, U)], [none(0, U, T)] * 2)
add("sruCell", [none(0, U), none(0, U), none(U, 3 * U), none(2 * U)], [none(0, U)] * 2)
add("sru_bi", [none(T, 0, U), none(U, 3 * U), none(2 * U), none(0, U)], [none(T, 0, U)] * 2)

cell = [none(I, 4 * U), none(U, 4 * U), none(3 * U), none(U, U), none(4 * U)]  # weights, peepholes, projection, bias
add("lstmCell", [none(0, I), state, state, *cell], [state, state], t=(0, 0, 1), i=(0, 0))
add("lstm", [seq, state, state, *cell], [none(T, 0, U), none(T, 0, U)], t=(0, 0, 1), i=(0, 0))
block = [none(I + U, 4 * U), none(U), none(U), none(U), none(4 * U)]
add("lstmBlockCell", [none(0, I), state, state, *block], [state] * 7, t=(1, 0), i=(0,))
add("lstmBlock", [np.array(T), seq, state, state, *block], [none(T, 0, U)] * 7, t=(1, 0), i=(0, 0))
layer = [none(I, 4 * U), none(U, 4 * U)]
add("lstmLayerCellBp", [none(0, I), *layer, state, state, state], [none(0, I), *layer, state, state], t=(0,), i=(2, 0, 0), b=(0, 0))
add("lstmLayer_bp", [seq, *layer, none(T, 0, U)], [seq, *layer], t=(0,), i=(0, 0, 2, 0, 0), b=(0, 0, 0, 0, 0, 1, 0, 0))
gates = [none(I + U, 2 * U), none(I + U, U), none(2 * U), none(U)]
add("gruCell_bp", [none(0, I), state, *gates, state, state, state, state], [none(0, I), state, *gates])
add("sru_bp", [none(0, U, T), none(3 * U, U), none(1, 2 * U), none(0, U), none(0, U, T), none(0, U), none(0, U, T)],
    [none(0, U, T), none(0, 3 * U, U), none(1, 2 * U), none(0, U)])
add("sru_bi_bp", [none(T, 0, U), none(U, 3 * U), none(2 * U), none(0, U), none(T, 0, U), none(0, U), none(T, 0, U)],
    [none(T, 0, U), none(T, U, 3 * U), none(2 * U), none(0, U)])
heads = [none(2, 5, 3), none(2, 5, 3), none(2, 4, 6), none(8, 7)]
query = [none(0, 3, 4), none(0, 3, 5), none(0, 6, 5)]
add("multi_head_dot_product_attention", [*query, *heads], [none(0, 7, 4)], i=(1, 0))
# one head with one feature: the values are 1 and 3, and the projections multiply by 1 and then by 2
one = np.ones((1, 1, 1))
value, back, up = np.array([[[1.0, 3]]]), np.array([[2.0]]), np.array([[[1.0, 5]]])
for blind in ([none(1, 0, 2), none(1, 0, 2), value, none(1, 1, 0), none(1, 1, 0), one, back],
              [none(1, 2, 2), none(1, 2, 2), value, none(1, 0, 2), none(1, 0, 2), one, back]):
    add("multi_head_dot_product_attention", blind, [np.full((1, 1, 2), 4.0), np.full((1, 1, 2, 2), 0.5)], i=(0, 1))
    add("multi_head_dot_product_attention_bp", [*blind, up],
        [blind[0], blind[1], np.full((1, 1, 2), 6.0), blind[3], blind[4], np.full((1, 1, 1), 24.0), np.array([[12.0]])], i=(0,))
add("multi_head_dot_product_attention", [one, one, one, one, one, one, none(1, 0)], [none(1, 0, 1), np.ones((1, 1, 1, 1))], i=(0, 1))
add("multi_head_dot_product_attention_bp", [*query, *heads, none(0, 7, 4)], [*query, *heads], i=(1,))
add("batchnorm_bp", [x, none(3), np.ones(3), x], [x, none(3), none(3)], t=(0.1,), i=(0, 0))
add("fused_batch_norm", [none(0, 2, 2, 3), none(3), none(3), none(3), np.ones(3)], [none(0, 2, 2, 3), none(3), none(3)], i=(0, 0))
add("conv2d_input_bp", [ints(0, 3, 4, 4), kernel, none(0, 5, 3, 3)], [image], i=window)
add("deconv2d_tf", [ints(0, 3, 4, 4), kernel, none(0, 5, 3, 3)], [image], i=window)
add("sufficient_statistics", [x, ints(1)], [np.array(3.0), none(0), none(0)])
for name in ("lstsq", "solve_ls"):
    add(name, [none(0, 4, 3), none(0, 4, 2)], [Empty("DOUBLE")])
add("where_np", [np.zeros((0, 3), bool)], [Empty("INT64")])
for name in ("non_max_suppression", "non_max_suppression_overlaps"):
    boxes = none(0, 4) if name == "non_max_suppression" else none(0, 0)
    add(name, [boxes, none(0)], [np.zeros(0, np.int32)], i=(3,))

# ---- splitting
eye = np.eye(2, 3)
add("slice_bp", [none(2, 3), eye[:, 1:]], [np.concatenate([none(2, 1), eye[:, 1:]], 1)], i=(0, 1, 2, 2), label="a part of zeros")
add("strided_slice_bp", [x, none(0, 2)], [x], i=(0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 1))
add("tear", [none(2, 0)], [none(0)] * 2, i=(1,))
add("dynamic_stitch", [np.zeros(0, np.int32), x], [x])
add("scatter_update", [none(2, 3), none(0, 3)], [none(2, 3)], i=(0, 1, 1, 0))
for name, limit in (("max", -1), ("min", 1)):
    nothing = np.full((2, 3), limit * np.finfo(np.float32).max, np.float32)
    cases.add(f"unsorted_segment_{name}", [x.astype(np.float32), np.zeros(0, np.int32)], [nothing], i=(2,), types=())
add("slice", [x], [none(0, 2)], i=(0, 1, 0, 2))
add("slice", [none(2, 3)], [none(2, 0)], i=(0, 1, 2, 0), label="nothing of something")
add("strided_slice", [x], [none(0, 2)], i=(0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 1))
add("split_v", [x, ints(0, 0)], [x, x], i=(0,))
add("concat_bp", [x, none(2, 3), none(2, 3)], [x, none(2, 3)], i=(0,))
add("reverse_bp", [x, x], [x], i=(1,))
add("tile_bp", [x, none(0, 6)], [x], i=(1, 2))
add("tile_to_shape_bp", [none(1, 3), x], [none(1, 3)], i=(0, 3))
add("cumsum_bp", [x, x], [x], i=(0, 0, 1))
add("cumprod_bp", [x, x], [x], i=(0, 0, 1))
add("mirror_pad", [x, np.zeros((2, 2), np.int32)], [x], i=(0,))
add("reverse_sequence", [none(0, 3), np.zeros(0, np.int32)], [none(0, 3)], i=(1, 0))
add("depth_to_space", [none(0, 2, 2, 4)], [none(0, 4, 4, 1)], i=(2, 1))
add("space_to_depth", [none(0, 4, 4, 1)], [none(0, 2, 2, 4)], i=(2, 1))
add("space_to_batch", [none(0, 4, 4, 1), np.zeros((2, 2), np.int32)], [none(0, 2, 2, 1)], i=(2,))
add("batch_to_space", [none(0, 2, 2, 1), np.zeros((2, 2), np.int32)], [none(0, 4, 4, 1)], i=(2,))
add("space_to_batch_nd", [none(0, 4, 4, 1), ints(2, 2), np.zeros((2, 2), np.int32)], [none(0, 2, 2, 1)])
add("batch_to_space_nd", [none(0, 2, 2, 1), ints(2, 2), np.zeros((2, 2), np.int32)], [none(0, 4, 4, 1)])
add("embedding_lookup", [none(4, 3), np.zeros(0, np.int32)], [none(0, 3)], i=(0,))
for name in ("max", "mean", "min", "prod", "sum"):
    add(f"segment_{name}_bp", [x, np.zeros(0, np.int32), x], [x, np.zeros(0, np.int32)])
for name, empty in (("mean", 0), ("prod", 1), ("sum", 0), ("sqrt_n", 0)):
    add(f"unsorted_segment_{name}", [x, np.zeros(0, np.int32)], [np.full((2, 3), float(empty))], i=(2,))
    add(f"unsorted_segment_{name}", [Empty("DOUBLE"), np.zeros(0, np.int32)], [np.full(2, float(empty))], i=(2,))
for name in ("max", "mean", "min", "prod", "sum", "sqrt_n"):
    add(f"unsorted_segment_{name}_bp", [x, np.zeros(0, np.int32), none(2, 3)], [x, np.zeros(0, np.int32)], i=(2,))
for name in ("scatter_nd_add", "scatter_nd_sub", "scatter_nd_update"):
    add(name, [none(2, 3), np.zeros((0, 1), np.int32), none(0, 3)], [none(2, 3)])
add("dynamic_partition", [x, np.zeros(0, np.int32)], [x, x], i=(2,))
add("unique_with_counts", [none(0)], [Empty("DOUBLE"), np.zeros(0, np.int64), Empty("INT64")])
add("confusion_matrix", [np.zeros(0, np.int32)] * 2, [np.zeros((3, 3), np.int64)], i=(3,))
add("histogram_fixed_width", [none(0), np.array([0.0, 1])], [np.zeros(4, np.int64)], i=(4,))
add("invert_permutation", [np.zeros(0, np.int32)], [np.zeros(0, np.int32)])
add("knn_mindistance", [none(0)] * 3, [np.array(0.0)])
add("normalize_moments", [np.array(2.0), none(0), none(0)], [none(0), none(0)], t=(0,))
add("xw_plus_b", [x, w, b], [none(0, 2)])
cases.save()
