#!/usr/bin/env python3
"""Explains why functions are in the first wasm file and not in one that is loaded on demand.

    scripts/why-first.py PATTERN [COUNT] [--wasm FILE]

Prints for COUNT functions (1) whose demangled name matches PATTERN the shortest chain of references from an export of the
first file: calls, function pointers and static data. FILE is what `scripts/build` links, with relocations and names.
References are read from the relocations: https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md
"""
import argparse
import bisect
import collections
import re
import sys

# Relocations with an addend after the index, and those that refer to a type instead of a symbol.
WITH_ADDEND = {3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23, 25}
OF_A_TYPE = {6}
SPLIT_POINT = "__wasm_split_00"


class Reader:
    """Reads the encoding of wasm files."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        result = shift = 0
        while True:
            byte = self.byte()
            result |= (byte & 127) << shift
            shift += 7
            if not byte & 128:
                return result

    def text(self):
        length = self.number()
        self.at += length
        return self.data[self.at - length : self.at].decode("utf8", "replace")

    def limits(self):
        if self.number() & 1:
            self.number()
        self.number()


def sections(data):
    reader = Reader(data, 8)
    while reader.at < len(data):
        kind, length = reader.byte(), reader.number()
        yield kind, reader.at, length
        reader.at += length


class Module:
    """Functions, static data and the references between them."""

    def __init__(self, data):
        self.names, self.exports, self.symbols = {}, {}, []
        self.imported = 0
        self.functions, self.segments, relocations = [], [], {}
        for kind, start, length in sections(data):
            reader = Reader(data, start)
            if kind == 2:
                self.read_imports(reader)
            elif kind == 7:
                for _ in range(reader.number()):
                    name, what, index = reader.text(), reader.byte(), reader.number()
                    if what == 0:
                        self.exports[index] = name
            elif kind == 10:
                for _ in range(reader.number()):
                    size = reader.number()
                    self.functions.append((reader.at - start, size))
                    reader.at += size
            elif kind == 11:
                self.read_data(reader, start)
            elif kind == 0:
                name, end = reader.text(), start + length
                if name == "name":
                    self.read_names(reader, end)
                elif name == "linking":
                    self.read_symbols(reader, end)
                elif name.startswith("reloc."):
                    relocations[name] = list(self.read_relocations(reader))
        if not relocations:
            sys.exit("why-first: the file has no relocations; build it with scripts/build")
        self.references = collections.defaultdict(set)
        self.link(relocations)

    def read_imports(self, reader):
        for _ in range(reader.number()):
            reader.text(), reader.text()
            kind = reader.byte()
            if kind == 0:
                reader.number()
                self.imported += 1
            elif kind == 1:
                reader.byte(), reader.limits()
            elif kind == 2:
                reader.limits()
            else:
                reader.byte(), reader.byte()

    def read_data(self, reader, start):
        for _ in range(reader.number()):
            flags = reader.number()
            if flags == 2:
                reader.number()
            if flags != 1:
                # An i32.const and the end of the expression.
                reader.byte(), reader.number(), reader.byte()
            size = reader.number()
            self.segments.append(reader.at - start)
            reader.at += size

    def read_names(self, reader, end):
        while reader.at < end:
            kind, size = reader.byte(), reader.number()
            after = reader.at + size
            if kind == 1:
                for _ in range(reader.number()):
                    index = reader.number()
                    self.names[index] = demangled(reader.text())
            reader.at = after

    def read_symbols(self, reader, end):
        reader.number()
        while reader.at < end:
            kind, size = reader.byte(), reader.number()
            after = reader.at + size
            if kind == 8:
                for _ in range(reader.number()):
                    self.symbols.append(self.read_symbol(reader))
            reader.at = after

    def read_symbol(self, reader):
        kind, flags = reader.byte(), reader.number()
        is_undefined = flags & 0x10
        if kind == 1:
            name = reader.text()
            return ("data", name, None if is_undefined else [reader.number() for _ in range(3)])
        index = reader.number()
        if kind != 3 and (not is_undefined or flags & 0x40):
            reader.text()
        return ("function" if kind == 0 else "other", index, None)

    def read_relocations(self, reader):
        reader.number()
        for _ in range(reader.number()):
            kind, offset, index = reader.byte(), reader.number(), reader.number()
            if kind in WITH_ADDEND:
                reader.number()
            if kind not in OF_A_TYPE:
                yield offset, index

    def target(self, symbol):
        kind, index, _ = self.symbols[symbol]
        return {"function": ("function", index), "data": ("data", symbol)}.get(kind)

    def link(self, relocations):
        starts = [start for start, _ in self.functions]
        for offset, symbol in relocations.get("reloc.CODE", []):
            function = bisect.bisect_right(starts, offset) - 1 + self.imported
            self.references["function", function].add(self.target(symbol))
        places = sorted(
            (self.segments[where[0]] + where[1], where[2], symbol)
            for symbol, (kind, _, where) in enumerate(self.symbols)
            if kind == "data" and where
        )
        starts = [start for start, _, _ in places]
        for offset, symbol in relocations.get("reloc.DATA", []):
            last = bisect.bisect_right(starts, offset)
            for start, size, container in places[max(0, last - 40) : last]:
                if offset < start + size:
                    self.references["data", container].add(self.target(symbol))

    def name(self, node):
        kind, index = node
        return self.names.get(index, "?") if kind == "function" else f"static {self.symbols[index][1]}"

    def reached(self):
        """The parts that the first file needs, each with the one that refers to it."""
        roots = [("function", index) for index, name in self.exports.items() if SPLIT_POINT not in name]
        parents, waiting = {root: None for root in roots}, collections.deque(roots)
        while waiting:
            node = waiting.popleft()
            for other in self.references[node] - {None}:
                if other not in parents:
                    parents[other] = node
                    waiting.append(other)
        return parents


def demangled(name):
    """The path in a mangled name of Rust, roughly."""
    if not name.startswith("_"):
        return name
    parts, at = [], 0
    name = re.sub(r"^_+(ZN|R\w*?(?=\d))", "", name)
    while at < len(name):
        number = re.match(r"\d+", name[at:])
        if not number:
            at += 1
            continue
        at += len(number.group())
        parts.append(name[at : at + int(number.group())])
        at += int(number.group())
    return "::".join(parts).replace("..", "::").replace("$LT$", "<").replace("$GT$", ">").replace("$u20$", " ")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pattern")
    parser.add_argument("count", nargs="?", type=int, default=1)
    parser.add_argument("--wasm", default="target/wasm32-unknown-unknown/release/keyfold-web.wasm")
    args = parser.parse_args()
    with open(args.wasm, "rb") as file:
        module = Module(file.read())
    parents = module.reached()
    found = [node for node in parents if node[0] == "function" and re.search(args.pattern, module.name(node))]
    sizes = [module.functions[index - module.imported][1] for _, index in found if index >= module.imported]
    print(f"{len(found)} functions of the first file match, {sum(sizes)} bytes before wasm-opt")
    for node in found[: args.count]:
        chain = []
        while node is not None:
            chain.append(module.name(node))
            node = parents[node]
        print("\n" + "\n  <- ".join(chain))


main()
