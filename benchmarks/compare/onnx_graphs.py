"""ONNX Runtime: rows as models of one graph."""

import ast
import time

import numpy as np
import onnx
import onnxruntime

from work import aligned

OPSET = 21
IR_VERSION = 10


def graph_of(statement, outputs):
    """The nodes and constants of a statement such as "ReduceSum(Exp(x), [1], keepdims=0)": calls of operators on names and
    constants, with attributes by name."""
    nodes, constants = [], []

    def operand(argument):
        if isinstance(argument, ast.Name):
            return argument.id
        if isinstance(argument, ast.Call):
            return node(argument, [f"t{len(nodes)}_{argument.col_offset}"])[0]
        constants.append(onnx.numpy_helper.from_array(np.array(ast.literal_eval(argument)), f"c{len(constants)}"))
        return constants[-1].name

    def node(call, results):
        inputs = [operand(argument) for argument in call.args]
        attributes = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
        nodes.append(onnx.helper.make_node(call.func.id, inputs, results, **attributes))
        return results

    node(ast.parse(statement, mode="eval").body, outputs)
    return nodes, constants


class OnnxRuntime:
    version = f"ONNX Runtime {onnxruntime.__version__}"

    def __init__(self, threads):
        self._options = onnxruntime.SessionOptions()
        self._options.intra_op_num_threads, self._options.inter_op_num_threads = threads, 1
        self._options.log_severity_level = 3

    def prepare(self, work):
        statement = work.statements.get("ort")
        if statement is None:
            return None
        outputs = [aligned(*output) for output in work.outputs]
        names = [f"z{k}" for k in range(len(outputs))]
        nodes, constants = graph_of(statement, names)
        arrays = {"np": np, **work.inputs}
        exec(work.before.get("ort", ""), arrays)
        read = {name for node in nodes for name in node.input}
        inputs = {name: np.ascontiguousarray(array) for name, array in arrays.items() if name in read}

        def information(name, array):
            kind = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
            return onnx.helper.make_tensor_value_info(name, kind, array.shape)

        graph = onnx.helper.make_graph(nodes, "row", [information(*item) for item in inputs.items()],
                                       [information(*item) for item in zip(names, outputs)], constants)
        model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", OPSET)],
                                       ir_version=IR_VERSION)
        session = onnxruntime.InferenceSession(model.SerializeToString(), self._options, ["CPUExecutionProvider"])
        binding = session.io_binding()
        for bind, arrays in ((binding.bind_input, inputs.items()), (binding.bind_output, zip(names, outputs))):
            for name, array in arrays:
                bind(name, "cpu", 0, array.dtype.type, array.shape, array.ctypes.data)

        def run(calls, _keep=inputs):
            start = time.perf_counter()
            for _ in range(calls):
                session.run_with_iobinding(binding)
            return time.perf_counter() - start

        def results():
            run(1)
            return outputs

        return run, results
