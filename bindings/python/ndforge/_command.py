"""The command `ndforge`, which is a program in the package."""

import os
import sys


def main():
    program = os.path.join(os.path.dirname(__file__), 'bin', 'ndforge')
    os.execv(program, [program, *sys.argv[1:]])
