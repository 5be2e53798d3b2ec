#!/usr/bin/env python3
"""Times the rows of Benchmark.java on NDForge and on libnd4j with each kind of natives, in turns, and compares the least
times: benchmark.sh calls it. A ratio above 1 means that NDForge is faster than the best of the original's natives.
"""
import argparse
import pathlib
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--classes', required=True, help='class path of the programs with ND4J')
    parser.add_argument('--ndforge', required=True, type=pathlib.Path, help='folder of libnd4jcpu.so and libndforge.so.0')
    parser.add_argument('--extension', action='append', default=[], help='-avx2, -avx512, ... of the original')
    parser.add_argument('--turns', type=int, default=3)
    parser.add_argument('--only', default='', metavar='REGEX', help='only rows in whose names this regular expression is found')
    options = parser.parse_args()
    ours = ['-Dorg.bytedeco.javacpp.pathsFirst=true', f'-Djava.library.path={options.ndforge}',
            f'-Dorg.bytedeco.javacpp.platform.extension={options.extension[0]}']
    kinds = {'ndforge': ours, **{e or 'plain': [f'-Dorg.bytedeco.javacpp.platform.extension={e}'] for e in options.extension}}
    # NDForge runs as often as all the others together: the least of more runs is less, and the best of them is taken.
    turn = [kind for other in list(kinds)[1:] for kind in ('ndforge', other)]
    times = {}
    for _ in range(options.turns):
        for kind in turn:
            properties = kinds[kind]
            command = ['java', '-Xmx2g', *properties, '-cp', options.classes, 'org.ndforge.programs.Benchmark', options.only]
            run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
            for line in run.stdout.splitlines():
                name, _, ns = line.partition('\t')
                if ns:
                    row = times.setdefault(name, {})
                    row[kind] = min(row.get(kind, float('inf')), float(ns))
            if run.returncode:
                print(f'{kind}: exit code {run.returncode}', file=sys.stderr)
    print('row', 'ratio', *(f'{kind} ns' for kind in kinds), sep='\t')
    slower = 0
    for name, row in times.items():
        best = min((ns for kind, ns in row.items() if kind != 'ndforge'), default=None)
        ratio = best / row['ndforge'] if best and 'ndforge' in row else float('nan')
        slower += not ratio >= 1
        print(name, f'{ratio:.2f}', *(f"{row[kind]:.0f}" if kind in row else '-' for kind in kinds), sep='\t')
    print(f'{len(times)} rows, {slower} slower than the original', file=sys.stderr)


if __name__ == '__main__':
    main()
