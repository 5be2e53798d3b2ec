#!/usr/bin/env python3
"""Copies shared libraries and what they need into one folder, for a jar that carries them: LIBRARY... --out FOLDER.

The C and C++ libraries of the system stay out. The files have the names that other libraries ask for (their SONAMEs);
libraries.txt lists them in an order in which each can be loaded: first those that need no other.
"""
import argparse
import pathlib
import re
import shutil
import subprocess

# A process has these once, and the system's fit its kernel and compiler.
OF_THE_SYSTEM = re.compile(r'(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+))\.so')


def needed(path):
    """SONAME and NEEDED of a library."""
    text = subprocess.run(['readelf', '-dW', path], check=True, capture_output=True, text=True).stdout
    soname = re.search(r'SONAME\).*\[(.*)\]', text)
    return soname[1] if soname else pathlib.Path(path).name, re.findall(r'NEEDED\).*\[(.*)\]', text)


def places(path):
    """Where the loader finds each library that this one needs."""
    text = subprocess.run(['ldd', path], check=True, capture_output=True, text=True).stdout
    return dict(re.findall(r'^\s*(\S+) => (/\S+)', text, re.M))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('libraries', nargs='+', type=pathlib.Path)
    parser.add_argument('--out', required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    found, order = {}, []
    for library in arguments.libraries:
        found.update(places(library))
    found.update({needed(library)[0]: str(library) for library in arguments.libraries})

    def visit(name):
        if name in order or OF_THE_SYSTEM.match(name):
            return
        if name not in found:
            raise SystemExit(f'{name} is needed and not installed')
        for other in needed(found[name])[1]:
            visit(other)
        order.append(name)

    for library in arguments.libraries:
        visit(needed(library)[0])
    arguments.out.mkdir(parents=True, exist_ok=True)
    for old in arguments.out.glob('lib*'):
        old.unlink()
    for name in order:
        shutil.copy(pathlib.Path(found[name]).resolve(), arguments.out / name)
        subprocess.run(['strip', '--strip-unneeded', arguments.out / name], check=True)
    (arguments.out / 'libraries.txt').write_text('\n'.join(order) + '\n')


if __name__ == '__main__':
    main()
