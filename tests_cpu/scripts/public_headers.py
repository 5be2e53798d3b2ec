#!/usr/bin/env python3
"""Compiles each public header alone: COMPILER GENERATED_INCLUDE [JOBS].

tools/public_headers.txt lists every header of include/, and nothing else. A header compiles by itself as C++17, those of
fused operators as C++20, without warnings, and includes neither xsimd nor fmt nor, without -fopenmp, omp.h.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = ROOT / 'include'
CPP20 = ('tensor/', 'ops/declarable/RegisterOperator.h', 'simd/')
FORBIDDEN = re.compile(r'/(xsimd|fmt)/|/omp\.h\b')


def listed():
    names, section = [], None
    for line in (ROOT / 'tools/public_headers.txt').read_text(encoding='utf-8').splitlines():
        if line.startswith('['):
            section = line
        elif line and not line.startswith('#'):
            if section is None:
                raise SystemExit('public_headers.txt: headers before the first heading')
            names += line.split()
    return names


def compile_alone(compiler, generated, name):
    standard = 'c++20' if name.startswith(CPP20) else 'c++17'
    with tempfile.TemporaryDirectory() as folder:
        source, dependencies = pathlib.Path(folder, 'alone.cpp'), pathlib.Path(folder, 'alone.d')
        # Twice, so that the guard is tried too.
        source.write_text(f'#include <{name}>\n#include <{name}>\n', encoding='utf-8')
        done = subprocess.run([compiler, f'-std={standard}', '-fsyntax-only', '-Wall', '-Wextra', '-Werror', '-MD', '-MF',
                               dependencies, '-I', INCLUDE, '-I', generated, source], capture_output=True, text=True)
        if done.returncode != 0:
            return f'{name} does not compile alone:\n{done.stderr[:2000]}'
        if found := FORBIDDEN.search(dependencies.read_text(encoding='utf-8')):
            return f'{name} includes {found[0].strip("/")}'
    return None


def main():
    compiler, generated = sys.argv[1:3]
    jobs = int(sys.argv[3]) if len(sys.argv) > 3 else os.cpu_count()
    names = listed()
    present = {p.relative_to(INCLUDE).as_posix() for p in INCLUDE.rglob('*.h')}
    found = [f'{name} is listed twice' for name in sorted({n for n in names if names.count(n) > 1})]
    found += [f'{name} is listed and is not in include/' for name in names if name not in present]
    found += [f'{name} is not listed in tools/public_headers.txt' for name in sorted(present - set(names))]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found += filter(None, pool.map(lambda name: compile_alone(compiler, generated, name), sorted(present)))
    print('\n'.join(found) if found else f'{len(names)} public headers compile alone')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
