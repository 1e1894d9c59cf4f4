#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares every operator record with its schema in the onnx package.

  schemas.py [--self-test]

The onnx package has no schemas of com.microsoft: they come from onnxruntime's library. Most operators of that domain
have no record, by design; existing records must agree.

Both sides are converted to one form (Operator below) and compared field by field. Each difference is a line, and any
difference fails the run. --self-test changes one fact at a time in copies of the schemas and requires that each
change is found: otherwise a comparison that ignores a field would never fail.
"""
import argparse
import copy
import dataclasses
import json
import pathlib
import struct
import subprocess
import sys

import onnx.defs
from onnxruntime.capi import onnxruntime_pybind11_state as onnxruntime_library

ROOT = pathlib.Path(__file__).resolve().parents[3]

@dataclasses.dataclass
class Formal:
    """An operand or a result."""

    name: str
    kind: str  # Single, Optional, Variadic or Heterogeneous
    variable: str  # the type variable, empty if the type is fixed
    types: frozenset


@dataclasses.dataclass
class Attribute:
    kind: str
    required: bool
    default: object = None


@dataclasses.dataclass
class Operator:
    version: int
    deprecated: bool
    operands: list
    results: list
    attributes: dict
    graphs: list


def float32(value):
    """Returns the float as in the wire format, compared by bits: -0.0 differs from 0.0."""
    return struct.pack("<f", value)


# -- The records ------------------------------------------------------------------------


class Records:
    """The output of llvm-tblgen for one family's file."""

    def __init__(self, tblgen, includes, path):
        command = [tblgen, "--dump-json", *(f"-I{folder}" for folder in includes), path]
        self.all = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)

    def operators(self):
        for name in self.all["!instanceof"]["ONNX_Op"]:
            record = self.all[name]
            yield (record["domain"], record["onnxName"]), self.operator(record)

    def operator(self, record):
        arguments = list(self.members(record["arguments"]))
        return Operator(
            version=record["sinceVersion"],
            deprecated=bool(record["deprecated"]),
            operands=[self.formal(*a) for a in arguments if not self.is_a(a[1], "AttrFacts")],
            results=[self.formal(*a) for a in self.members(record["results"])],
            attributes={n: self.attribute(a) for n, a in arguments if self.is_a(a, "AttrFacts")},
            graphs=[
                (name, graph["!name"] == "Graph") for name, graph in self.members(record["regions"])
            ],
        )

    def members(self, dag):
        for value, name in dag["args"]:
            yield name, self.all[value["def"]]

    @staticmethod
    def is_a(record, superclass):
        return superclass in record["!superclasses"]

    def formal(self, name, constraint):
        kinds = ["Heterogeneous", "Variadic", "Optional"]
        kind = next((kind for kind in kinds if self.is_a(constraint, kind)), "Single")
        if kind != "Single":
            constraint = self.all[constraint["baseType"]["def"]]
        types = set(constraint["others"])
        for field, form in (
            ("tensors", "tensor({})"),
            ("sequences", "seq(tensor({}))"),
            ("optionals", "optional(tensor({}))"),
            ("optionalSequences", "optional(seq(tensor({})))"),
        ):
            for scalar in constraint[field]:
                types.add(form.format(self.all[scalar["def"]]["onnxName"]))
        return Formal(name, kind, constraint["var"], frozenset(types))

    def attribute(self, attribute):
        text = attribute["default"]
        read = {
            "IntOr": int,
            "RealOr": lambda text: float32(float(text)),
            "StrOr": str,
            "IntListOr": lambda text: [int(item) for item in text.split()],
            "StrListOr": str.split,
        }
        default = next((f(text) for name, f in read.items() if self.is_a(attribute, name)), None)
        return Attribute(attribute["kind"], not attribute["isOptional"], default)


def read_records(tblgen, includes, families):
    operators = {}
    for folder in sorted(path for path in families.iterdir() if path.is_dir()):
        for key, operator in Records(tblgen, includes, folder / f"{folder.name}.td").operators():
            assert key not in operators, f"two records of {key}"
            operators[key] = operator
    return operators


# -- The schemas ------------------------------------------------------------------------

ATTRIBUTE_KINDS = {
    "FLOAT": "Float",
    "INT": "Int",
    "STRING": "String",
    "TENSOR": "Tensor",
    "FLOATS": "Floats",
    "INTS": "Ints",
    "STRINGS": "Strings",
    "SPARSE_TENSOR": "SparseTensor",
    "TYPE_PROTO": "TypeProto",
}


MICROSOFT = "com.microsoft"


def formal_of_schema(schema, formal):
    # onnxruntime has the same fields as onnx, with other names.
    is_homogeneous = formal.isHomogeneous if hasattr(formal, "isHomogeneous") else formal.is_homogeneous
    type_str = formal.typeStr if hasattr(formal, "typeStr") else formal.type_str
    kind = formal.option.name
    if kind == "Variadic" and not is_homogeneous:
        kind = "Heterogeneous"
    variables = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    variable = type_str if type_str in variables else ""
    # A fixed type is the only choice.
    types = variables.get(type_str, [type_str])
    return Formal(formal.name, kind, variable, frozenset(types))


def default_of_schema(attribute):
    proto = attribute.default_value if hasattr(attribute, "default_value") else onnx.AttributeProto.FromString(attribute._default_value)
    if proto.type == onnx.AttributeProto.UNDEFINED:
        return None
    value = onnx.helper.get_attribute_value(proto)
    if isinstance(value, float):
        return float32(value)
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, (list, tuple)):
        return [item.decode() if isinstance(item, bytes) else item for item in value]
    return value


def operator_of_schema(schema):
    attributes, graphs = {}, []
    for name, attribute in schema.attributes.items():
        if attribute.type.name == "GRAPH":
            graphs.append((name, attribute.required))
        else:
            attributes[name] = Attribute(
                ATTRIBUTE_KINDS[attribute.type.name],
                attribute.required,
                default_of_schema(attribute),
            )
    return Operator(
        version=schema.since_version,
        deprecated=schema.deprecated,
        operands=[formal_of_schema(schema, formal) for formal in schema.inputs],
        results=[formal_of_schema(schema, formal) for formal in schema.outputs],
        attributes=attributes,
        graphs=sorted(graphs),
    )


def read_schemas():
    """Returns the schemas of the onnx package, and onnxruntime's schemas of com.microsoft."""
    schemas = [*onnx.defs.get_all_schemas(),
               *(s for s in onnxruntime_library.get_all_operator_schema() if s.domain == MICROSOFT)]
    return {(schema.domain, schema.name): operator_of_schema(schema) for schema in schemas}


# -- The comparison ---------------------------------------------------------------------


def formal_differences(what, records, schemas):
    if len(records) != len(schemas):
        yield f"expected {len(schemas)} {what}s, but got {len(records)}"
    for record, schema in zip(records, schemas):
        for field in ("name", "kind", "variable"):
            expected, got = getattr(schema, field), getattr(record, field)
            if expected != got:
                yield f"{what} '{schema.name}': expected {field} '{expected}', but got '{got}'"
        for missing in sorted(schema.types - record.types):
            yield f"{what} '{schema.name}': expected the type {missing}, but it is not there"
        for extra in sorted(record.types - schema.types):
            yield f"{what} '{schema.name}': expected no type {extra}, but it is there"


def differences(record, schema):
    for field in ("version", "deprecated", "graphs"):
        expected, got = getattr(schema, field), getattr(record, field)
        if expected != got:
            yield f"expected {field} {expected}, but got {got}"
    yield from formal_differences("operand", record.operands, schema.operands)
    yield from formal_differences("result", record.results, schema.results)
    for name in sorted(record.attributes.keys() | schema.attributes.keys()):
        expected, got = schema.attributes.get(name), record.attributes.get(name)
        if expected != got:
            yield f"attribute '{name}': expected {expected}, but got {got}"


def compare(records, schemas):
    """Returns the number of operators that agree, and a line for each difference."""
    passed, failures = 0, []
    for key in sorted(records.keys() | schemas.keys()):
        name = "::".join(filter(None, key))
        if key[0] == MICROSOFT and key not in records:
            continue
        if "." in key[1]:  # An operator of the dialect alone.
            continue
        if key not in records or key not in schemas:
            failures.append([f"{name}: expected " + ("a" if key in schemas else "no") + " record"])
            continue
        found = [f"{name}: {line}" for line in differences(records[key], schemas[key])]
        if found:
            failures.append(found)
        else:
            passed += 1
    return passed, failures


# -- The self-test ----------------------------------------------------------------------


def perturbations(operators):
    """Yields copies of the operators with one fact changed each, and a description of the change."""

    def changed(what, change):
        other = copy.deepcopy(operators)
        change(other)
        return what, other

    conv, rnn = ("", "Conv"), ("", "RNN")
    yield changed("an operator gone", lambda o: o.pop(conv))
    yield changed("an operator more", lambda o: o.update({("", "Fancy"): o[conv]}))
    yield changed("another domain", lambda o: o.update({("x", "Conv"): o.pop(conv)}))
    tokenizer = (MICROSOFT, "Tokenizer")
    yield changed("an operator of onnxruntime's gone", lambda o: o.pop(tokenizer))
    yield changed("onnxruntime's: an attribute gone", lambda o: o[tokenizer].attributes.pop("mark"))
    yield changed("onnxruntime's: a default", lambda o: setattr(o[MICROSOFT, "CDist"].attributes["metric"], "default", "euclidean"))
    yield changed("onnxruntime's: a type less", lambda o: setattr(
        o[MICROSOFT, "CDist"].operands[0], "types", frozenset({"tensor(float)"})))

    def fields(what, get, **values):
        for field, value in values.items():
            yield changed(f"{what}: {field}", lambda o: setattr(get(o), field, value))

    yield from fields("operator", lambda o: o[conv], version=99, deprecated=True, graphs=[("g", True)])
    yield changed("an optional graph", lambda o: setattr(o["", "If"], "graphs", [
        (name, False) for name, _ in o["", "If"].graphs]))
    for side in ("operands", "results"):
        def first(o, side=side):
            return getattr(o[conv], side)[0]
        yield from fields(side, first, name="Z", kind="Optional", variable="T9")
        yield changed(f"{side}: a type more", lambda o: setattr(
            first(o), "types", first(o).types | {"tensor(string)"}))
        yield changed(f"{side}: a type less", lambda o: setattr(
            first(o), "types", first(o).types - {"tensor(float)"}))
        yield changed(f"{side}: one less", lambda o, side=side: getattr(o[conv], side).pop())
    yield changed("operands: order", lambda o: o[conv].operands.reverse())
    yield changed("operands: homogeneity", lambda o: setattr(
        o["", "Concat"].operands[0], "kind", "Heterogeneous"))
    yield from fields("attribute", lambda o: o[conv].attributes["group"],
                      kind="Ints", required=True, default=2)
    yield changed("attribute: no default", lambda o: setattr(
        o[conv].attributes["group"], "default", None))
    yield changed("attribute: string default", lambda o: setattr(
        o[conv].attributes["auto_pad"], "default", "VALID"))
    yield changed("attribute: float default", lambda o: setattr(
        o["", "Elu"].attributes["alpha"], "default", float32(1.0000001)))
    yield changed("attribute: list default", lambda o: setattr(
        o[rnn].attributes["activations"], "default", ["Tanh"]))
    yield changed("attribute: gone", lambda o: o[conv].attributes.pop("group"))
    yield changed("attribute: more", lambda o: o[conv].attributes.update(
        extra=Attribute("Int", False)))


def self_test(records, schemas):
    missed = 0
    for what, perturbed in perturbations(schemas):
        if compare(records, perturbed) == compare(records, schemas):
            print(f"not noticed: {what}")
            missed += 1
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tblgen", default="llvm-tblgen-22", help="path of llvm-tblgen")
    parser.add_argument("--llvm-config", default="llvm-config-22", help="path of llvm-config")
    parser.add_argument("--self-test", action="store_true", help="check that drift is noticed")
    arguments = parser.parse_args()
    llvm = subprocess.check_output([arguments.llvm_config, "--includedir"], text=True).strip()
    records = read_records(arguments.tblgen, [ROOT / "include", llvm], ROOT / "lib/Dialect/ONNX/Ops")
    schemas = read_schemas()
    if arguments.self_test:
        missed = self_test(records, schemas)
        total = sum(1 for _ in perturbations(schemas))
        print(f"{total - missed} passed, {missed} failed")
        return 1 if missed else 0
    passed, failures = compare(records, schemas)
    for lines in failures:
        print("\n".join(lines))
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
