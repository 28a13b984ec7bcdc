"""Judges schema.json files with AWS's DynamoDB MCP server: python aws_mcp.py FOLDER

FOLDER has expected.json: for each design its delimiter if values are encoded, and for each class of its schema,
NAME.json, in its order, the samples with their keys. Each schema is validated, and Python generated from it; the code is loaded, and
what its key builders return is compared. Prints one line for each difference and writes judged.json with the number of
comparisons.
"""

import importlib.util
import inspect
import json
import logging
import sys
import types
from decimal import Decimal
from pathlib import Path

from awslabs.dynamodb_mcp_server.repo_generation_tool.codegen import generate
from awslabs.dynamodb_mcp_server.repo_generation_tool.core.utils import to_snake_case

logging.disable(logging.CRITICAL)
folder = Path(sys.argv[1])
judged = {"keys": 0, "methods": 0, "unbuilt": 0, "encoded": 0, "refused": 0}


def stub(name, **members):
    """A module of the AWS SDK, of which building keys needs nothing."""
    module = types.ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module


stub("boto3", resource=lambda *_: None)
stub("boto3.dynamodb")
stub("boto3.dynamodb.conditions", Attr=None, Key=None)
stub("botocore")
stub("botocore.exceptions", ClientError=Exception)


def load(path):
    """Loads a generated module under its own name, by which the others import it."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def plain(value):
    """A value of DynamoDB JSON as boto3 gives it."""
    (kind, value), = value.items()
    return {
        "N": lambda: Decimal(value),
        "L": lambda: [plain(item) for item in value],
        "M": lambda: {name: plain(item) for name, item in value.items()},
        "NULL": lambda: None,
    }.get(kind, lambda: value)()


def is_same(built, expected, is_text):
    (kind, text), = expected.items()
    if kind == "N" and not is_text:
        return not isinstance(built, str) and Decimal(built) == Decimal(text)
    return built == text


def compare(say, what, build, names, keys, is_text=False):
    """Compares a key with the expected values of its attributes, unless the item lacks one."""
    expected = [keys[name] for name in names]
    if None in expected:
        return
    built = build()
    built = built if isinstance(built, tuple) else (built,)
    judged["keys"] += len(names)
    same = [is_same(*pair, is_text) for pair in zip(built, expected, strict=True)]
    if not all(same):
        say(f"{what} is {built}, not {expected}")


def listed(names):
    return names if isinstance(names, list) else [names]


def judge_sample(say, table, entity, model, sample):
    config = table["table_config"]
    kinds = {field["name"]: field["type"] for field in entity["fields"]}
    values = {name: plain(value) for name, value in sample["values"].items() if name in kinds}
    item = model(**values)
    keys = sample["keys"]
    sides = [(config["partition_key"], "pk")]
    if "sort_key" in config:
        sides.append((config["sort_key"], "sk"))
    for name, side in sides:
        lookup = getattr(item.get_config(), f"{side}_lookup_builder")
        used = {used: getattr(item, used) for used in inspect.signature(lookup).parameters}
        try:
            compare(say, side, getattr(item, side), [name], keys)
            compare(say, f"lookup of {side}", lambda: lookup(**used), [name], keys)
        except NameError:
            # The generator forgets what is in the partition key too.
            judged["unbuilt"] += 1
            if "in both keys" not in sample["notes"]:
                raise
    for mapping in entity.get("gsi_mappings", []):
        index = next(index for index in table["gsi_list"] if index["name"] == mapping["name"])
        end = to_snake_case(index["name"])
        for part, side in [("partition_key", "pk"), ("sort_key", "sk")]:
            if part in index:
                build = getattr(item, f"build_gsi_{side}_{end}")
                is_several = isinstance(index[part], list)
                compare(say, f"{side} of {end}", build, listed(index[part]), keys, is_several)


def judge_methods(say, schema, output):
    """Each access pattern is a method with its parameters."""
    repositories = load(output / "repositories.py")
    mapping = json.loads((output / "access_pattern_mapping.json").read_text())["access_pattern_mapping"]
    owners = [
        (getattr(repositories, f"{name}Repository"), pattern)
        for table in schema["tables"]
        for name, entity in table["entities"].items()
        for pattern in entity["access_patterns"]
    ]
    several = schema.get("cross_table_access_patterns", [])
    if several:
        service = load(output / "transaction_service.py").TransactionService
        owners += [(service, pattern) for pattern in several]
    for owner, pattern in owners:
        name = mapping[str(pattern["pattern_id"])]["method_name"]
        method = getattr(owner, name)
        judged["methods"] += 1
        # Patterns that are like one of the four basic methods are that method.
        if name == pattern["name"]:
            ours = {parameter["name"] for parameter in pattern["parameters"]}
            missing = ours - set(inspect.signature(method).parameters)
            if missing:
                say(f"{name} lacks {missing}")


def judge(name, expected):
    def say(what):
        print(f"{name}: {what}")

    path = folder / f"{name}.json"
    schema = json.loads(path.read_text())
    output = folder / name
    made = generate(
        str(path), str(output), generate_sample_usage=True, no_lint=True, allowed_base_dirs=[folder]
    )
    if not made.success:
        if not any(table["entities"] for table in schema["tables"]):
            judged["refused"] += 1
            return
        say(made.error_message)
        for error in made.validation_result.errors:
            say(f"{error.path}: {error.message}")
        return
    load(output / "base_repository.py")
    entities = load(output / "entities.py")
    judge_methods(say, schema, output)
    compile((output / "usage_examples.py").read_text(), "usage_examples.py", "exec")
    table, = schema["tables"]
    for (known, entity), of_class in zip(table["entities"].items(), expected["classes"], strict=True):
        model = getattr(entities, known)
        for sample in of_class["samples"]:
            texts = [value["S"] for value in sample["values"].values() if "S" in value]
            if any(part in text for text in texts for part in expected["encoded"]):
                judged["encoded"] += 1
                continue
            sample["notes"] = of_class["notes"]
            try:
                judge_sample(say, table, entity, model, sample)
            except Exception as error:
                say(f"{known}: {type(error).__name__} {error}")


for name, expected in json.loads((folder / "expected.json").read_text()).items():
    try:
        judge(name, expected)
    except Exception as error:
        print(f"{name}: {type(error).__name__} {error}")
(folder / "judged.json").write_text(json.dumps(judged))
