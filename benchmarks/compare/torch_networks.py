"""The networks of training.cpp in PyTorch, from the same numbers."""

import torch
import torch.nn.functional as F

RATE, SMALL_RATE = 1e-3, 1e-7  # the small one while time is measured: gradients of a perfect fit are denormal, and slow
COMPARED_STEPS = 10


def pattern(dims, scale, seed):
    """The values of training.cpp."""
    count = torch.Size(dims).numel()
    positions = (torch.arange(count, dtype=torch.int64) + seed) * 7919 % 1009
    return (scale * (positions.double() / 1009 - 0.5)).float().reshape(dims)


class Network:
    def __init__(self, kind, batch, compiled):
        torch.set_grad_enabled(True)
        self.x = pattern([batch, 64] if kind == "dense" else [batch, 1, 8, 8], 2, 5)
        self.labels = torch.arange(batch) * 7 % 10
        self.parameters = []
        if kind == "dense":
            self.linear(64, 128)
            self.linear(128, 10)
        else:
            self.convolution(1, 16)
            self.convolution(16, 32)
            self.linear(512, 10)
        forward = {"dense": self.dense, "conv": self.convolutional}[kind]
        self.forward = torch.compile(forward) if compiled else forward
        self.adam = torch.optim.Adam(self.parameters, lr=SMALL_RATE, fused=True)

    def add(self, dims, scale, axes):
        """A parameter of these sizes in training.cpp, with the axes in PyTorch's order."""
        values = pattern(dims, scale, (-3 - len(self.parameters)) * 31 + 1000)
        self.parameters.append(values.permute(axes).contiguous().requires_grad_())

    def linear(self, inputs, outputs):
        self.add([inputs, outputs], 0.3, [1, 0])
        self.add([outputs], 0, [0])

    def convolution(self, inputs, outputs):
        self.add([3, 3, inputs, outputs], 0.3, [3, 2, 0, 1])
        self.add([outputs], 0, [0])

    def dense(self, x, labels):
        w1, b1, w2, b2 = self.parameters
        return F.cross_entropy(F.linear(F.relu(F.linear(x, w1, b1)), w2, b2), labels)

    def convolutional(self, x, labels):
        w1, b1, w2, b2, w3, b3 = self.parameters
        first = F.relu(F.conv2d(x, w1, b1, padding=1))
        second = F.relu(F.conv2d(first, w2, b2, padding=1))
        return F.cross_entropy(F.linear(F.max_pool2d(second, 2).flatten(1), w3, b3), labels)

    def step(self):
        self.adam.zero_grad(set_to_none=True)
        loss = self.forward(self.x, self.labels)
        loss.backward()
        self.adam.step()
        return loss

    def losses(self):
        self.adam.param_groups[0]["lr"] = RATE
        losses = [self.step().detach() for _ in range(COMPARED_STEPS)]
        self.adam.param_groups[0]["lr"] = SMALL_RATE
        return torch.stack(losses)
