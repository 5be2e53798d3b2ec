#!/usr/bin/env python3
"""Compiles and runs the code of the guides: guides.py FOLDER WORK NDFORGE LIBRARY C_COMPILER CXX_COMPILER INCLUDE...

The blocks of a page run in their order, and what a page shows in a `text` block is compared with what the block before
it has printed:

- ```cpp: statements; those of a page form one program, in namespace sd. #include lines go to its beginning.
- ```cpp top: declarations, which stand before main().
- ```cpp library=NAME.so: a library of operations, which the later blocks of the page may load.
- ```c: statements of a C program, like cpp.
- ```python: statements for Python with NumPy; left out when NumPy is not installed.
- ```sh: commands, with the command ndforge in the PATH.
- "no run" after the language: only shown.

Every page has a folder of its own, in which everything runs.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

MARK = "\x01"
# The program that the statements of a page become. Output must not overtake the marks.
CXX_HEAD = """#include <array/NDArray.h>
#include <cstdio>
#include <iostream>
"""
CXX_MAIN = """
using namespace sd;
int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  std::cout << std::unitbuf;
"""
C_HEAD = "#include <legacy/NativeOps.h>\n#include <stdio.h>\n"
C_MAIN = "int main(void) {\n  setvbuf(stdout, NULL, _IONBF, 0);\n"

failures = []


class Block:
    """A block of code, and the text that it must print; None when the page shows no output."""

    def __init__(self, page, line, language, code):
        self.page, self.line, self.language, self.code, self.expected = page, line, language, code, None

    def compare(self, actual):
        clean = [line.rstrip() for line in actual.strip("\n").split("\n")]
        wanted = [line.rstrip() for line in (self.expected or "").strip("\n").split("\n")]
        if self.expected is None and actual.strip():
            failures.append(f"{self.page}:{self.line}: the page does not show what the block prints:\n{actual}")
        elif self.expected is not None and clean != wanted:
            failures.append(f"{self.page}:{self.line}: printed\n{actual}\nbut the page shows\n{self.expected}")


def blocks_of(path):
    blocks, inside, code, start = [], None, [], 0
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if inside is None:
            if found := re.fullmatch(r"```(.+)", line):
                inside, code, start = found[1], [], number
            elif line == "```":
                sys.exit(f"{path}:{number}: a block without a language")
        elif line == "```":
            text = "\n".join(code) + "\n"
            if inside == "text":
                if not blocks or blocks[-1].expected is not None:
                    sys.exit(f"{path}:{start}: output without a block that prints it")
                blocks[-1].expected = text
            else:
                blocks.append(Block(path.name, start, inside, text))
            inside = None
        else:
            code.append(line)
    if inside is not None:
        sys.exit(f"{path}:{start}: the block does not end")
    return blocks


def call(command, folder, environment, shell=False):
    return subprocess.run(command, cwd=folder, env=environment, shell=shell, executable="/bin/bash" if shell else None,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)


def compared(path, blocks, done):
    """Compares what one program, whose blocks end with marks, has printed with the page. Returns the exit code."""
    parts = done.stdout.split(MARK)
    for block, part in zip(blocks, parts[:-1]):
        block.compare(part)
    if done.returncode != 0 or len(parts) != len(blocks) + 1:
        failures.append(f"{path.name}: the program ended with code {done.returncode} after block "
                        f"{len(parts) - 1} of {len(blocks)}:\n{parts[-1][:2000]}")
    for failure in failures:
        print(failure)
    if not failures:
        print(f"{path.name}: {len(blocks)} blocks")
    return 1 if failures else 0


def pieces(blocks, head, main, mark):
    """The program of some blocks. Errors of the compiler name the lines of the page."""
    includes, top, body = [head], [], []
    for block in blocks:
        place = top if block.language.endswith(" top") else body
        place.append(f'#line {block.line + 1} "{block.page}"')
        for line in block.code.rstrip("\n").split("\n"):
            if line.startswith("#include"):
                includes.append(line + "\n")
                line = ""
            place.append(line)
        if place is body:
            body.append(mark)
    return "".join(includes) + "\n".join(top) + main + "\n".join(body) + "\n  return 0;\n}\n"


class Page:
    def __init__(self, path, work, ndforge, library, compilers, includes):
        self.path, self.folder = path, work / path.stem
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.compilers = compilers
        self.flags = [f"-I{folder}" for folder in includes]
        self.links = [str(library), f"-Wl,-rpath,{library.parent}"]
        self.environment = dict(os.environ, PATH=f"{ndforge.parent}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
        self.ran = 0

    def compiled(self, language, source, output, *flags):
        path = self.folder / source
        standard = ["-std=c++20", "-O1"] if language == "cpp" else ["-std=c11"]
        done = call([self.compilers[language], *standard, "-Wall", *self.flags, *flags, str(path), "-o",
                     str(self.folder / output), *self.links], self.folder, self.environment)
        if done.returncode != 0:
            failures.append(f"{self.path.name}: {source} does not compile:\n{done.stdout[:2000]}")
        return done.returncode == 0

    def run_program(self, language, blocks):
        statements = [block for block in blocks if not block.language.endswith(" top")]
        if not statements:
            return
        if language == "cpp":
            mark = f'std::printf("\\{ord(MARK):o}");'
            text = pieces(blocks, CXX_HEAD, CXX_MAIN, mark)
        else:
            text = pieces(blocks, C_HEAD, C_MAIN, f'printf("\\{ord(MARK):o}");')
        source = f"program.{language}"
        (self.folder / source).write_text(text, encoding="utf-8")
        if self.compiled(language, source, f"program_{language}"):
            self.compare([str(self.folder / f"program_{language}")], statements)

    def run_python(self, blocks):
        if call([sys.executable, "-c", "import numpy"], self.folder, self.environment).returncode != 0:
            print(f"{self.path.name}: NumPy is not installed; {len(blocks)} blocks of Python are left out")
            return
        code = "".join(f"{block.code}\nprint({MARK!r}, end='')\n" for block in blocks)
        (self.folder / "program.py").write_text(code, encoding="utf-8")
        self.compare([sys.executable, "program.py"], blocks)

    def compare(self, command, blocks):
        done = call(command, self.folder, self.environment)
        parts = done.stdout.split(MARK)
        for block, part in zip(blocks, parts):
            block.compare(part)
            self.ran += 1
        if done.returncode != 0 or len(parts) != len(blocks) + 1:
            failures.append(f"{self.path.name}: {command[0]} ended with code {done.returncode} after block "
                            f"{len(parts) - 1} of {len(blocks)}:\n{parts[-1]}")

    def run(self):
        blocks = [block for block in blocks_of(self.path) if not block.language.endswith("no run")]
        for block in blocks:
            if library := re.fullmatch(r"cpp library=(\w+)\.so", block.language):
                (self.folder / f"{library[1]}.cpp").write_text(block.code, encoding="utf-8")
                self.compiled("cpp", f"{library[1]}.cpp", f"{library[1]}.so", "-shared", "-fPIC")
                self.ran += 1
        programs = [block for block in blocks if "library=" not in block.language]
        for language in ("python", "cpp", "c", "sh"):
            chosen = [block for block in programs if block.language.split()[0] == language]
            programs = [block for block in programs if block not in chosen]
            if not chosen:
                continue
            if language == "python":
                self.run_python(chosen)
            elif language == "sh":
                for block in chosen:
                    done = call(block.code, self.folder, self.environment, shell=True)
                    block.compare(done.stdout)
                    self.ran += 1
            else:
                self.run_program(language, chosen)
        for block in programs:
            failures.append(f"{self.path.name}:{block.line}: the language '{block.language}' is not known")


def main():
    folder, work, ndforge, library = (pathlib.Path(argument).resolve() for argument in sys.argv[1:5])
    compilers = {"c": sys.argv[5], "cpp": sys.argv[6]}
    paths = sorted(folder.glob("*.md"))
    if not paths:
        sys.exit(f"there are no guides in {folder}")
    for path in paths:
        page = Page(path, work, ndforge, library, compilers, sys.argv[7:])
        page.run()
        print(f"{path.name}: {page.ran} blocks")
        if page.ran == 0:
            failures.append(f"{path.name}: no block was run")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
