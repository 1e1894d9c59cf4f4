# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Broken and hostile model files, each with the expected outcome."""
import os
import random
from typing import Callable, Iterator, NamedTuple

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

import model_parts
from models import model_of, nested, tiny, value, weight
from protobuf_wire import field, message, varint

ACCEPT, REFUSE, EITHER = "accept", "refuse", "either"
WORKING_NODE = helper.make_node("Add", ["x", "w"], ["y"])


class Bad(NamedTuple):
    name: str
    data: bytes
    expect: str
    # Creates additional files in the model's folder.
    beside: Callable[[str], None] | None = None
    options: tuple[str, ...] = ()


def deep(levels: int) -> bytes:
    """Makes Ifs nested so deep that a recursive reader overflows its stack. Built from the inside out."""
    inside, pieces = 0, []
    node = message(1, b"c") + message(2, b"o") + message(4, b"If")
    attribute = message(1, b"then_branch") + field(20, 0, varint(5))
    for _ in range(levels):
        for head, number in ((attribute, 6), (node, 5), (b"", 1)):
            piece = head + field(number, 2, varint(inside))
            pieces.append(piece)
            inside += len(piece)
    graph = b"".join(reversed(pieces))
    return field(1, 0, varint(8)) + message(8, field(2, 0, varint(17))) + message(7, graph)


# The families of cases.

def prefixes() -> Iterator[Bad]:
    data = tiny().SerializeToString()
    for length in range(1, len(data)):
        yield Bad(f"prefix {length}", data[:length], EITHER)


def flips() -> Iterator[Bad]:
    data = tiny().SerializeToString()
    for at in range(len(data)):
        for mask in (0x01, 0x80, 0xFF):
            yield Bad(f"byte {at} ^ {mask:#04x}", data[:at] + bytes([data[at] ^ mask]) + data[at + 1:], EITHER)


def rich_flips(each: int) -> Iterator[Bad]:
    """Makes models of many parts with a few bytes changed: to be read and written, encoded anew, inferred, or
    simplified."""
    ways = ((), ("--forget-source",), ("--passes=infer-shapes",), ("--passes=simplify",))
    for part in model_parts.all_parts():
        data = part.model if isinstance(part.model, bytes) else part.model.SerializeToString()
        generator = random.Random(part.name)
        for number in range(each if len(data) < 10_000 else 0):
            changed = bytearray(data)
            for _ in range(generator.choice((1, 1, 2, 4))):
                at = generator.randrange(len(data))
                changed[at] = generator.choice((0, 1, 0x7F, 0xFF, changed[at] ^ 1 << generator.randrange(8), generator.randrange(256)))
            yield Bad(f"{part.name}, change {number}", bytes(changed), EITHER, options=ways[number % len(ways)])


def wire() -> Iterator[Bad]:
    head = field(1, 0, varint(8))
    yield Bad("length past the end", head + field(7, 2, varint(1000)) + b"short", REFUSE)
    yield Bad("length near 2^64", head + field(7, 2, varint(2**64 - 1)) + b"x", REFUSE)
    yield Bad("length near 2^63", head + field(7, 2, varint(2**63 - 1)) + b"x", REFUSE)
    yield Bad("length near 2^32", head + field(7, 2, varint(2**32 - 1)) + b"x", REFUSE)
    yield Bad("varint of eleven bytes", field(1, 0, b"\xff" * 10 + b"\x01"), REFUSE)
    yield Bad("varint without an end", field(1, 0, b"\xff" * 4), REFUSE)
    yield Bad("field number 0", b"\x00\x01", REFUSE)
    yield Bad("text", b"this is no model\n", REFUSE)
    yield Bad("zeros", bytes(4096), REFUSE)
    yield Bad("no graph", head, REFUSE)
    for wire_type in range(8):
        for number in (1, 2, 7, 8, 14, 20, 25):
            yield Bad(f"field {number} with wire type {wire_type}",
                      head + field(number, wire_type, b"\x01\x02\x03\x04\x05\x06\x07\x08"), EITHER)
            yield Bad(f"graph field {number} with wire type {wire_type}",
                      head + message(7, field(number, wire_type, b"\x01\x02\x03\x04\x05\x06\x07\x08")), EITHER)
    yield Bad("unknown fields are kept or dropped", tiny().SerializeToString() + message(900, b"new"), ACCEPT)
    yield Bad("10 nested subgraphs", nested(10).SerializeToString(), ACCEPT)
    yield Bad("100,000 nested subgraphs", deep(100_000), REFUSE)


def with_weight(name: str, tensor: TensorProto, expect: str = REFUSE, beside=None) -> Bad:
    tensor.name = "w"
    return Bad(name, model_of([WORKING_NODE], [tensor]).SerializeToString(), expect, beside)


def raw(data: bytes, *dims: int, kind: int = TensorProto.FLOAT) -> TensorProto:
    return TensorProto(data_type=kind, dims=dims, raw_data=data)


def tensors() -> Iterator[Bad]:
    yield with_weight("raw data", raw(bytes(24), 2, 3), ACCEPT)
    yield with_weight("raw data too short", raw(bytes(23), 2, 3))
    yield with_weight("raw data too long", raw(bytes(25), 2, 3))
    yield with_weight("no data", raw(b"", 2, 3))
    yield with_weight("negative dim", raw(bytes(24), -2, -3))
    yield with_weight("size past 2^64", raw(bytes(24), 2**62, 2**62, 2**62))
    yield with_weight("size of exactly 2^64", raw(b"", 2**32, 2**32))
    yield with_weight("bytes past 2^64", raw(bytes(24), 2**63 - 1))
    yield with_weight("a claim of 4 TiB", raw(bytes(24), 2**40))
    yield with_weight("an overflow that a zero hides", raw(b"", 2**62, 2**62, 0), EITHER)
    yield with_weight("100,000 dims", raw(bytes(4), *[1] * 100_000), EITHER)
    yield with_weight("unknown type", raw(bytes(24), 2, 3, kind=99))
    yield with_weight("negative type", raw(bytes(24), 2, 3, kind=-1))
    yield with_weight("no type", raw(bytes(24), 2, 3, kind=0))
    yield with_weight("raw strings", raw(bytes(24), 2, 3, kind=TensorProto.STRING))
    yield with_weight("float_data too short", TensorProto(data_type=1, dims=[2, 3], float_data=[1.0] * 5))
    yield with_weight("float_data too long", TensorProto(data_type=1, dims=[2, 3], float_data=[1.0] * 7))
    yield with_weight("data in the field of another type", TensorProto(data_type=1, dims=[2, 3], int64_data=[1] * 6))
    yield with_weight("data in two fields", TensorProto(data_type=1, dims=[2, 3], float_data=[1.0] * 6, raw_data=bytes(24)),
                      EITHER)
    segment = raw(bytes(24), 2, 3)
    segment.segment.begin, segment.segment.end = 0, 24
    yield with_weight("a segment", segment, EITHER)
    yield Bad("sparse indices out of range", sparse([0, 99]).SerializeToString(), EITHER)
    yield Bad("sparse indices below zero", sparse([-1, 2]).SerializeToString(), EITHER)
    yield Bad("sparse with fewer indices than values", sparse([1]).SerializeToString(), EITHER)


def sparse(indices: list[int]) -> ModelProto:
    model = model_of([WORKING_NODE])
    values = numpy_helper.from_array(np.array([1, 2], np.float32), "w")
    where = numpy_helper.from_array(np.array(indices, np.int64), "")
    model.graph.sparse_initializer.append(helper.make_sparse_tensor(values, where, [2, 3]))
    return model


def old_scans() -> Iterator[Bad]:
    """Makes bad Scans of opset 8. The importer turns such a Scan into two current ones before it is verified."""
    for count in (-2**63, -1, 0, 2, 2**63 - 1):
        for outputs in (["end", "y"], ["y"]):
            body = helper.make_graph([helper.make_node("Identity", ["item"], ["made"])], "body", [value("state"), value("item")],
                                     [value("state"), value("made")])
            node = helper.make_node("Scan", ["", "x", "x"], outputs, body=body, num_scan_inputs=count)
            model = model_of([node])
            model.opset_import[0].version = 8
            yield Bad(f"Scan over {count} inputs, {len(outputs)} outputs", model.SerializeToString(), EITHER)


def graphs() -> Iterator[Bad]:
    def case(name: str, expect: str, nodes, weights=(), **names) -> Bad:
        return Bad(name, model_of(nodes, list(weights), **names).SerializeToString(), expect)

    relu = lambda a, b, **more: helper.make_node("Relu", [a], [b], **more)
    yield case("nodes out of order", ACCEPT, [relu("c", "y"), relu("b", "c"), relu("a", "b"), relu("x", "a")])
    yield case("cycle of one", REFUSE, [relu("y", "y")])
    yield case("cycle of three", REFUSE, [relu("c", "a"), relu("a", "b"), relu("b", "c"), relu("c", "y")])
    yield case("a name that nobody makes", REFUSE, [relu("nowhere", "y")])
    yield case("an output that nobody makes", REFUSE, [relu("x", "z")])
    yield case("two nodes make one name", REFUSE, [relu("x", "y"), relu("x", "y")])
    yield case("a node makes an input", REFUSE, [relu("x", "x"), relu("x", "y")])
    yield case("two weights of one name", ACCEPT, [WORKING_NODE], [weight("w", 2, 3), weight("w", 2, 3)])
    yield case("two inputs of one name", REFUSE, [relu("x", "y")], inputs="x x")
    yield case("two nodes of one name", ACCEPT, [relu("x", "a", name="n"), relu("a", "y", name="n")])
    yield case("a weight without a name", EITHER, [relu("x", "y")], [weight("", 2, 3)])
    yield case("a node without an op", REFUSE, [helper.make_node("", ["x"], ["y"])])
    yield case("an op that nobody knows", ACCEPT, [helper.make_node("Frobnicate", ["x"], ["y"], domain="com.example", k=3)])
    yield case("too few operands", EITHER, [helper.make_node("Add", ["x"], ["y"])])
    yield case("too many operands", EITHER, [helper.make_node("Relu", ["x"] * 10_000, ["y"])])
    yield case("too many results", EITHER, [helper.make_node("Relu", ["x"], ["y"] + [f"r{i}" for i in range(10_000)])])
    yield case("an attribute of the wrong type", EITHER, [helper.make_node("Transpose", ["x"], ["y"], perm="10")])
    yield case("an axis far out", EITHER, [helper.make_node("Softmax", ["x"], ["y"], axis=2**62)])
    yield case("names with quotes, new lines and zeros", ACCEPT, [relu("x", "a\n'\"\0b"), relu("a\n'\"\0b", "y")])
    yield Bad("names that are no UTF-8", tiny().SerializeToString().replace(b"\x01s", b"\x01\xff"), EITHER)

    twice = tiny()
    twice.graph.node[1].attribute.append(twice.graph.node[1].attribute[0])
    yield Bad("an attribute twice", twice.SerializeToString(), EITHER)
    unimported = tiny()
    del unimported.opset_import[:]
    yield Bad("no opset", unimported.SerializeToString(), EITHER)
    for version in (0, -1, 10_000, 2**62):
        odd = tiny()
        odd.opset_import[0].version = version
        yield Bad(f"opset {version}", odd.SerializeToString(), EITHER)
    odd = tiny()
    odd.graph.output[0].CopyFrom(value("y", -5, 2**62))
    yield Bad("declared dims that cannot be", odd.SerializeToString(), EITHER)


def shapes() -> Iterator[Bad]:
    """Makes models that contradict themselves in a way that shape inference detects."""
    def case(name: str, nodes: list[NodeProto], inputs: dict[str, list[int | str]], weights: list[TensorProto] = []) -> Bad:
        graph = helper.make_graph(nodes, "g", [value(n, *dims) for n, dims in inputs.items()],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        return Bad(f"shapes: {name}", model.SerializeToString(), REFUSE, options=("--passes=infer-shapes",))

    relu = helper.make_node("Relu", ["a"], ["r"])
    target = numpy_helper.from_array(np.array([5, -1], np.int64), "target")
    yield case("sizes that differ", [relu, helper.make_node("MatMul", ["r", "b"], ["y"])], {"a": [2, 3], "b": [4, 5]})
    yield case("names that differ", [relu, helper.make_node("MatMul", ["r", "a"], ["y"])], {"a": ["n", "n + 1"]})
    yield case("ranks that differ", [relu, helper.make_node("Concat", ["r", "b"], ["y"], axis=0)], {"a": [2, 3], "b": [2]})
    yield case("a rank that is not taken", [relu, helper.make_node("Gemm", ["r", "b"], ["y"])], {"a": [2, 3, 4], "b": [4, 5]})
    yield case("elements that do not fill a shape", [relu, helper.make_node("Reshape", ["r", "target"], ["y"])],
               {"a": [2, 3]}, [target])
    yield case("a window larger than the image", [helper.make_node("Conv", ["a", "b"], ["y"])],
               {"a": [1, 1, 2, 2], "b": [1, 1, 3, 3]})


def external() -> Iterator[Bad]:
    def case(name: str, location: str, expect: str = REFUSE, beside=None, **entries) -> Bad:
        tensor = TensorProto(data_type=TensorProto.FLOAT, dims=[2, 3], data_location=TensorProto.EXTERNAL)
        for key, entry in {"location": location, **entries}.items():
            tensor.external_data.add(key=key, value=str(entry))
        return with_weight(f"external: {name}", tensor, expect, beside or data_file)

    def data_file(folder: str, size: int = 64) -> None:
        with open(os.path.join(folder, "w.bin"), "wb") as sink:
            sink.write(bytes(range(size)))

    def link_out(folder: str) -> None:
        os.symlink("/etc/passwd", os.path.join(folder, "w.bin"))

    def linked_folder(folder: str) -> None:
        os.symlink("/etc", os.path.join(folder, "sub"))

    yield case("a good one", "w.bin", ACCEPT, offset=8, length=24)
    yield case("without offset and length, file too long", "w.bin", EITHER)
    yield case("absolute path", "/etc/passwd", offset=0, length=24)
    yield case("up and out", "../../../../../../etc/passwd", offset=0, length=24)
    yield case("up, hidden inside", "sub/../../../../../../etc/passwd", offset=0, length=24)
    yield case("a link that leads out", "w.bin", beside=link_out, offset=0, length=24)
    yield case("a folder that leads out", "sub/passwd", beside=linked_folder, offset=0, length=24)
    yield case("missing file", "gone.bin", offset=0, length=24)
    yield case("the folder itself", ".", offset=0, length=24)
    yield case("a device", "/dev/zero", offset=0, length=24)
    yield case("no location", "", offset=0, length=24)
    yield case("a zero in the name", "w.bin\0/../x", offset=0, length=24)
    yield case("past the end", "w.bin", offset=48, length=24)
    yield case("offset past the end", "w.bin", offset=2**40, length=24)
    yield case("offset and length that wrap", "w.bin", offset=2**64 - 8, length=24)
    yield case("offset past 2^64", "w.bin", offset=2**70, length=24)
    yield case("negative offset", "w.bin", offset=-8, length=24)
    yield case("negative length", "w.bin", offset=0, length=-24)
    yield case("length of another size", "w.bin", offset=0, length=20)
    yield case("offset in words", "w.bin", offset="eight", length=24)
    for size in (0, 1, 23, 31):
        yield case(f"a file of {size} bytes", "w.bin", offset=8, length=24,
                   beside=lambda folder, size=size: data_file(folder, size))
    yield case("the model itself", "in.onnx", ACCEPT, offset=0, length=24)
    yield case("the model itself, past its end", "in.onnx", offset=10_000, length=24)
    yield case("a key of another tool", "w.bin", ACCEPT, offset=8, length=24, com_example="x")


def all_cases(changes: int) -> list[Bad]:
    """`changes` is how often each model of model_parts.py is changed."""
    families = (wire(), tensors(), graphs(), old_scans(), shapes(), external(), prefixes(), flips(), rich_flips(changes))
    return [bad for family in families for bad in family]
