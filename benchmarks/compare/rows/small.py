"""What a call costs: arrays of 10 floats in C++. The rows with 10 elements of the other groups call the C interface."""

from work import Program, Row, Work

GROUP = "small"
LENGTH = 10

# name of a row of small.cpp, what NumPy and PyTorch do instead
ROWS = [
    ("x + y", "z = x + y", "z = x + y"),
    ("x += y", "np.add(x, y, x)", "x.add_(y)"),
    ("tanh(x)", "z = np.tanh(x)", "z = torch.tanh(x)"),
    ("sum of x", "z = x.sum()", "z = x.sum()"),
    ("operation add by name", "z = np.add(x, y)", "z = torch.add(x, y)"),
    ("new array", "z = np.empty(10, np.float32)", "z = torch.empty(10)"),
    ("view of x", "z = x[2:7]", "z = x[2:7]"),
]


def rows():
    for name, numpy, torch in ROWS:
        yield Row(GROUP, name, LENGTH, lambda v, name=name, numpy=numpy, torch=torch: Work(
            {"x": v.whole(LENGTH, 0, 1, "float32"), "y": v.whole(LENGTH, 0, 1, "float32")}, [(LENGTH, "float32")],
            Program("small", name), {"numpy": numpy, "torch": torch}, {"numpy": "x = x.copy()", "torch": "x = x.clone()"},
            same=None))
