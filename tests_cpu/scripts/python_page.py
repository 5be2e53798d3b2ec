#!/usr/bin/env python3
"""Runs the code of a page for Python: python_page.py PAGE WORK.

The ```python blocks of the page are one program, which runs in the folder WORK, which is made anew. What the page shows in a
`text` block is compared with what the block before it has printed. "no run" after the language: only shown. The other
languages are not looked at.
"""

import os
import pathlib
import shutil
import sys

import guides


def main():
    path, work = (pathlib.Path(argument).absolute() for argument in sys.argv[1:3])
    blocks = [block for block in guides.blocks_of(path) if block.language == "python"]
    if not blocks:
        sys.exit(f"{path} has no code")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    lines = []
    for block in blocks:
        # Each line has the number that it has on the page, which errors name.
        lines += [""] * (block.line - len(lines)) + block.code.rstrip("\n").split("\n")
        lines.append(f"print({guides.MARK!r}, end='', flush=True)")
    (work / "page.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = guides.call([sys.executable, "-B", "page.py"], work, dict(os.environ, LC_ALL="C.UTF-8"))
    return guides.compared(path, blocks, done)


if __name__ == "__main__":
    sys.exit(main())
