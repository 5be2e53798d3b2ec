#!/usr/bin/env python3
"""Compiles and runs the code of a page for Java: java_page.py PAGE WORK JAVA JAR.

The ```java blocks of the page are statements of one program, whose main() they form; import lines go to its beginning. What
the page shows in a `text` block is compared with what the block before it has printed. "no run" after the language: only
shown. The other languages are not looked at. The program runs in the folder WORK, which is made anew.
"""

import os
import pathlib
import shutil
import sys

import guides


def program(blocks):
    """The program. Each line of code has the number that it has on the page, which errors of the compiler name."""
    imports, lines = [], []
    for block in blocks:
        lines += [""] * (block.line - len(lines))
        for line in block.code.rstrip("\n").split("\n"):
            if line.startswith("import "):
                imports.append(line)
                line = ""
            lines.append(line)
        # Where the page has the end of the block.
        lines.append(f'System.out.print("\\{ord(guides.MARK):o}");')
    head = " ".join(imports) + " class Program { public static void main(String[] arguments) throws Exception {"
    return "\n".join([head] + lines[1:] + ["}}", ""])


def main():
    path, work, java, jar = (pathlib.Path(argument).absolute() for argument in sys.argv[1:5])
    blocks = [block for block in guides.blocks_of(path) if block.language == "java"]
    if not blocks:
        sys.exit(f"{path} has no code")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "Program.java").write_text(program(blocks), encoding="utf-8")
    command = [str(java), "--enable-native-access=ALL-UNNAMED", f"-Dndforge.cache={work}/cache", "-cp", str(jar),
               "Program.java"]
    done = guides.call(command, work, dict(os.environ, LC_ALL="C.UTF-8"))
    shutil.rmtree(work / "cache", ignore_errors=True)
    return guides.compared(path, blocks, done)


if __name__ == "__main__":
    sys.exit(main())
