#!/usr/bin/env python3
"""Checks the lines that say which operations a source holds and calls: COMPILER NDFORGE, or --self-test COMPILER.

cmake/Operations.cmake chooses the sources of a build with SD_OPERATIONS by these lines at the head of the sources of
src/ops/declarable/generic and platform:

    // operations: softmax softmax_bp
    // aliases: other_name
    // calls: Exp Subtract

They are compared with the sources, which the compiler preprocesses without public headers, and with the operations of
the command NDFORGE, which must be a complete build.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HELD = ('src/ops/declarable/generic', 'src/ops/declarable/platform')
SHARED = 'src/ops/declarable/Common.cpp'  # nearly all sources include its header; its calls are in Operations.cmake
LINE = re.compile(r'// (operations|aliases|calls): (.*)')
PRIVATE = re.compile(r'\s*#\s*include\s*"(ops/declarable/[^"]+)"')
DEFINED = re.compile(r'\b(?:(?:[A-Z]+_)*(?:OP|PLATFORM)_IMPL|SD_OP_BODY)\s*\(\s*(\w+)')
ALIAS = re.compile(r'\bDECLARE_SYN\s*\(\s*(\w+)')
NUMBERED = re.compile(r'\b(?:transform|reduce3?|pairwise|scalar|broadcast|indexreduce|variance|random)::([A-Z]\w*)')
BROADCAST = re.compile(r'\bBROADCAST(?:_BOOL)?\s*\(\s*(\w+)\s*\)|\bBroadcast\w*OpsTuple::(\w+)\s*\(')
# Methods of arrays and random fills: NDArray::hasNaNs calls reduce::IsNan.
METHODS = ('src/array', 'src/random')
METHOD = re.compile(r'\b(?:NDArray|RandomLauncher)::(\w+)\([^{};]*\{([^}]*)\}')
# sd::ops::softmax op; ops::softmax().execute(…); getOperation("softmax")
CUSTOM = re.compile(r'\bops::(\w+)\s*(?:\w+\s*;|\(|\{)|\bgetOperation\s*\(\s*"(\w+)"')


class Sources:
    """The sources of a tree, preprocessed without the headers outside of src/ops/declarable."""

    def __init__(self, root, compiler):
        self.root, self.compiler, self.known, self.methods = root, compiler, {}, collections.defaultdict(set)
        for path in (p for folder in METHODS for p in (root / folder).rglob('*.cpp')):
            for name, body in METHOD.findall(path.read_text(encoding='utf-8')):
                self.methods[name].update(NUMBERED.findall(body))

    def with_private_headers(self, path, seen):
        lines = []
        for line in (self.root / path).read_text(encoding='utf-8').splitlines():
            if header := PRIVATE.match(line):
                name = f'src/{header[1]}'
                if name not in seen:
                    seen.add(name)
                    lines += self.with_private_headers(name, seen)
            elif not re.match(r'\s*#\s*(include|pragma)\b', line):
                lines.append(line)
        return lines

    def read(self, path):
        """The preprocessed text of a source and its private headers, and the names of these headers."""
        if path not in self.known:
            headers = set()
            text = '\n'.join(self.with_private_headers(path, headers))
            done = subprocess.run([self.compiler, '-E', '-P', '-xc++', '-std=c++20', '-DNDFORGE_ONEDNN', '-'], input=text,
                                  capture_output=True, text=True)
            if done.returncode != 0:
                raise SystemExit(f'{path}: {done.stderr[:2000]}')
            self.known[path] = done.stdout, headers
        return self.known[path]

    def with_helpers(self, path):
        """The source and those that belong to the private headers that it reaches."""
        reached, waiting = [], [path]
        while waiting:
            source = waiting.pop()
            reached.append(source)
            for header in sorted(self.read(source)[1]):
                other = re.sub(r'[.]h(pp)?$', '.cpp', header)
                if (self.root / other).exists() and other not in reached + waiting + [SHARED]:
                    waiting.append(other)
        return reached

    def calls(self, paths, numbered, custom):
        text = '\n'.join(self.read(path)[0] for path in paths)
        found = {*NUMBERED.findall(text), *(name for pair in BROADCAST.findall(text) for name in pair)}
        for method in re.findall(r'(?:[.]|->|::)(\w+)\s*\(', text):
            found |= self.methods.get(method, set())
        return found & numbered | {name for pair in CUSTOM.findall(text) for name in pair if name in custom}


def stated(text):
    """{kind: names} of the lines at the head of a source, and what is wrong with the lines."""
    lines, wrong, is_head = collections.defaultdict(list), [], True
    for line in text.splitlines():
        is_head = is_head and line.startswith('//')
        if found := LINE.fullmatch(line):
            lines[found[1]] += found[2].split()
            if not is_head:
                wrong.append(f"'{line}' must stand in the comment at the head of the file")
            if len(line) > 120:
                wrong.append(f"'{line}' has more than 120 columns; continue in another line '// {found[1]}: …'")
        elif re.match(r'\s*//+\s*(operations|aliases|calls)\b', line):
            wrong.append(f"'{line}' is not of the form '// operations: NAME NAME'")
    for kind, names in lines.items():
        wrong += [f"'// {kind}:' names {name} twice" for name in sorted({n for n in names if names.count(n) > 1})]
    return {kind: set(lines[kind]) for kind in ('operations', 'aliases', 'calls')}, wrong


def compare(kind, lines, held, meaning):
    missing, extra = sorted(held - lines), sorted(lines - held)
    wrong = [f"add to the line '// {kind}:' at the head of the file: {' '.join(missing)} ({meaning})"] if missing else []
    return wrong + ([f"remove from the line '// {kind}:': {' '.join(extra)} (not {meaning})"] if extra else [])


def check(root, compiler, numbered, custom):
    """What is wrong. numbered, custom: the names of the numbered operations and of the others."""
    sources, found, holders = Sources(root, compiler), [], collections.defaultdict(list)
    for path in sorted(p.relative_to(root).as_posix() for folder in HELD for p in (root / folder).rglob('*.cpp')):
        lines, wrong = stated((root / path).read_text(encoding='utf-8'))
        text = sources.read(path)[0]
        operations = set(DEFINED.findall(text))
        calls = sources.calls(sources.with_helpers(path), numbered, custom) if operations else set()
        wrong += compare('operations', lines['operations'], operations, 'defined in this file')
        wrong += compare('aliases', lines['aliases'], set(ALIAS.findall(text)), 'given by DECLARE_SYN in this file')
        wrong += compare('calls', lines['calls'], calls, 'called in this file or in the helpers that it includes')
        found += [f'{path}: {one}' for one in wrong]
        if path.startswith(HELD[0]):
            for name in lines['operations']:
                holders[name].append(path)
        else:
            found += [f'{path}: {name} is not an operation of the library'
                      for name in sorted(lines['operations'] - custom)]
    found += [f'{name} is named by more than one source: {" ".join(paths)}' for name, paths in sorted(holders.items())
              if len(paths) > 1]
    found += [f'{holders[name][0]}: {name} is not an operation of the library' for name in sorted(holders.keys() - custom)]
    found += [f"{name} is an operation, and no line '// operations:' of {HELD[0]} names it"
              for name in sorted(custom - holders.keys())]
    return found + check_shared(root, sources, numbered, custom)


def check_shared(root, sources, numbered, custom):
    text = (root / 'cmake/Operations.cmake').read_text(encoding='utf-8')
    listed = re.search(r'set\(SD_CALLED_BY_ALL ([^)]*)\)', text)
    if not listed:
        return ['cmake/Operations.cmake does not set SD_CALLED_BY_ALL']
    missing = sources.calls([SHARED], numbered, custom) - set(listed[1].split())
    return [f'cmake/Operations.cmake: add to SD_CALLED_BY_ALL: {name} (called in {SHARED})' for name in sorted(missing)]


def self_test(compiler):
    files = {
        'cmake/Operations.cmake': 'set(SD_CALLED_BY_ALL Add Sum)\n',
        SHARED: 'void f() { reduce::Sum; }\n',
        'src/array/NDArrayReductions.cpp': 'bool NDArray::hasNaNs() const { return reduceNumber(reduce::IsNan).e<bool>(0); }\n',
        'src/ops/declarable/Common.h': '',
        'src/ops/declarable/helpers/halves.h': '#include "ops/declarable/Common.h"\n',
        'src/ops/declarable/helpers/halves.cpp':
            '#include "ops/declarable/helpers/halves.h"\n'
            'void halve() { transform::Log; ops::whole().execute(); x.hasNaNs(); }\n',
        'src/ops/declarable/generic/half.cpp':
            '// Halves.\n// operations: half half_bp\n// aliases: demi\n// calls: Exp IsNan Log Pow whole\n'
            '#include <not_read.h>\n#include "ops/declarable/helpers/halves.h"\n'
            '#define ROW(NAME, NUMBER) OP_IMPL(NAME, 1, 1) { BROADCAST(Pow); transform::NUMBER; }\n'
            'ROW(half, Exp)\nROW(half_bp, Ops)  // transform::Tanh\nDECLARE_SYN(demi, half);\n',
        'src/ops/declarable/generic/whole.cpp': '// operations: whole\nCUSTOM_OP_IMPL(whole, 1, 1) {}\n',
        'src/ops/declarable/platform/other/half.cpp':
            '// operations: half\n#ifdef NDFORGE_ONEDNN\nPLATFORM_IMPL(half, ENGINE_CPU) {}\n#endif\n',
    }
    half = 'src/ops/declarable/generic/half.cpp'
    # (file, text, its replacement, what the messages say; nothing: no message)
    cases = [
        (half, '', '', None),
        (half, '// operations: half half_bp\n', '// operations: half\n// operations: half_bp\n', None),
        (half, 'half half_bp\n', 'half\n', "add to the line '// operations:' at the head of the file: half_bp"),
        (half, 'half half_bp\n', 'half half_bp third\n', "remove from the line '// operations:': third"),
        (half, 'half half_bp\n', 'half half half_bp\n', 'names half twice'),
        (half, '// aliases: demi\n', '', "add to the line '// aliases:' at the head of the file: demi"),
        (half, 'calls: Exp ', 'calls: ', "head of the file: Exp"),
        (half, ' Log', '', "head of the file: Log"),
        (half, ' IsNan', '', "head of the file: IsNan"),
        (half, ' Pow', '', "head of the file: Pow"),
        (half, ' whole', '', "head of the file: whole"),
        (half, ' Log', ' Log Tanh', "remove from the line '// calls:': Tanh"),
        (half, '// calls: Exp', '//calls: Exp', 'is not of the form'),
        (half, '// aliases: demi\n', '\n// aliases: demi\n', 'must stand in the comment at the head'),
        ('src/ops/declarable/generic/whole.cpp', '// operations: whole\n', '', 'whole is an operation, and no line'),
        ('src/ops/declarable/platform/other/half.cpp', '// operations: half\n', '', 'operations:'),
        (SHARED, 'reduce::Sum', 'reduce::Max', 'add to SD_CALLED_BY_ALL: Max'),
    ]
    failed = 0
    for changed, old, new, expected in cases:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text.replace(old, new) if name == changed else text, encoding='utf-8')
            found = check(pathlib.Path(folder), compiler, {'Exp', 'IsNan', 'Log', 'Max', 'Pow', 'Sum', 'Tanh'},
                          {'half', 'half_bp', 'whole'})
        if found if expected is None else not any(expected in line for line in found):
            print(f'{changed}: {old!r} -> {new!r}: expected {expected!r}, found {found}')
            failed = 1
    return failed


def main():
    if len(sys.argv) == 3 and sys.argv[1] == '--self-test':
        return self_test(sys.argv[2])
    if len(sys.argv) != 3:
        sys.exit(f'usage: {sys.argv[0]} COMPILER NDFORGE | --self-test COMPILER')
    listed = json.loads(subprocess.run([sys.argv[2], 'ops', '--json'], check=True, capture_output=True).stdout)
    numbered = {op['name'] for op in listed if op['kind'] == 'numbered'}
    custom = {op['name'] for op in listed if op['kind'] != 'numbered'}
    found = check(ROOT, sys.argv[1], numbered, custom)
    print('\n'.join(found) if found else f'the lines of {len(custom)} operations agree with the sources')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
