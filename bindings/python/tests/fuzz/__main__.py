#!/usr/bin/env python3
"""Generated calls of the Python package: functions, methods, operators, indices, conversions, shared memory, graphs.

    python3 bindings/python/tests/fuzz [--calls N] [--seed N] [--first N] [--kinds NAME,...] [--limit-seconds S]
    python3 bindings/python/tests/fuzz --replay SEED:INDEX [--here]

Each call must give a result or raise one of the errors in calls.py. A signal, a hang, any other error, a result that differs
from NumPy's, or memory that changes is a finding. Call number INDEX of a seed is always the same call. The calls run in a
process of their own; after a finding that ends it, the run goes on with the next call. --here makes the calls in this process,
for a debugger. The program exits with 1 when it has found something.
"""

import argparse
import faulthandler
import gc
import mmap
import os
import pathlib
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import warnings

MEGABYTES = 6000  # of address space
ARRAYS = 256  # megabytes of arrays
MARK = '\x1e'  # begins lines of the worker; operations print others


def calls_of(seed, index, verbose=False):
    from calls import Calls

    return Calls(random.Random((seed << 40) + index), verbose)


def limited():
    """Limits of a process that makes calls."""
    import ndforge as nd

    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nd.set_memory_limit(ARRAYS << 20)
    warnings.simplefilter('ignore')
    sys.unraisablehook = lambda event: print(
        f'{MARK}unraisable {event.exc_type.__name__}: {event.exc_value} in {event.object}', flush=True
    )


def run(seed, index, kinds, verbose=False):
    """One call; a line about what is wrong, None if nothing is."""
    from checks import Finding

    calls = calls_of(seed, index, verbose)
    try:
        calls.one(kinds)
    except Finding as finding:
        return f'{finding.kind}: {finding}'
    except MemoryError:  # of the values
        return None
    except Exception as error:
        import traceback

        return f'{type(error).__name__} while the call was made: {error} {traceback.format_exc() if verbose else ""}'
    return None


def worker(options):
    """Makes calls from --first on; the number of the running one is in the file --progress."""
    limited()
    with open(options.progress, 'r+b') as file:
        progress = mmap.mmap(file.fileno(), 8)
    for index in range(options.first, options.calls):
        progress[:8] = struct.pack('q', index)
        found = run(options.seed, index, options.kinds)
        if found:
            print(f'{MARK}{index} {found}'.replace('\n', ' ')[:1500], flush=True)
        if index % 500 == 0:
            gc.collect()
    progress[:8] = struct.pack('q', options.calls)


def in_this_process(options):
    """Makes all calls here, as under a debugger or valgrind."""
    warnings.simplefilter('ignore')
    found = [text for index in range(options.first, options.calls) if (text := run(options.seed, index, options.kinds))]
    print('\n'.join([*found, f'{options.calls - options.first} calls, {len(found)} findings']))
    sys.exit(1 if found else 0)


def described(seed, index, kinds):
    """What a call that ends the process was doing, from a run that prints."""
    try:
        done = subprocess.run(
            [sys.executable, '-B', __file__, '--replay', f'{seed}:{index}', '--here', '--kinds', ','.join(kinds)],
            capture_output=True,
            text=True,
            timeout=60,
            errors='replace',
        )
        return ' | '.join(done.stdout.strip().split('\n')[-2:]), done.returncode
    except subprocess.TimeoutExpired as late:
        return ' | '.join((late.stdout or b'').decode(errors='replace').strip().split('\n')[-2:]), None


class Findings:
    """Findings that differ only in numbers are printed once."""

    def __init__(self, every):
        self.every, self.seen, self.count = every, set(), 0

    def add(self, seed, index, text):
        self.count += 1
        short = re.sub(r'\d+', '#', text)[:60]
        if self.every or short not in self.seen:
            self.seen.add(short)
            print(f'{text}   --replay {seed}:{index}', flush=True)


def watch(process, progress, limit):
    """Waits for the process. Whether a call took too long, in which case the process has been ended."""
    last, since = -1, time.monotonic()
    while True:
        try:
            process.wait(0.2)
            return False
        except subprocess.TimeoutExpired:
            pass
        index = struct.unpack('q', progress[:8])[0]
        if index != last:
            last, since = index, time.monotonic()
        elif time.monotonic() - since > limit:
            process.send_signal(signal.SIGABRT)
            process.wait()
            return True


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('--calls', type=int, default=20_000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--limit-seconds', type=float, default=30)
    parser.add_argument('--kinds', type=lambda text: [name for name in text.split(',') if name], default=[])
    parser.add_argument('--every', action='store_true')
    parser.add_argument('--replay')
    parser.add_argument('--here', action='store_true')
    parser.add_argument('--progress', help=argparse.SUPPRESS)
    options = parser.parse_args()
    faulthandler.enable()
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    sys.dont_write_bytecode = True
    if options.replay:
        options.seed, index = (int(number) for number in options.replay.split(':'))
        if options.here:
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                limited()
                found = run(options.seed, index, options.kinds, True)
                print(found or 'nothing found')
                sys.exit(1 if found else 0)
        options.first, options.calls = index, index + 1
    if options.progress:
        return worker(options)
    if options.here:
        return in_this_process(options)
    findings, started, first = Findings(options.every), time.monotonic(), options.first
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'progress'
        path.write_bytes(bytes(8))
        with open(path, 'r+b') as file:
            progress = mmap.mmap(file.fileno(), 8)
        while first < options.calls:
            command = [
                sys.executable,
                '-B',
                os.path.abspath(__file__),
                '--seed',
                str(options.seed),
                '--first',
                str(first),
                '--calls',
                str(options.calls),
                '--kinds',
                ','.join(options.kinds),
                '--progress',
                str(path),
            ]
            progress[:8] = struct.pack('q', first)
            with open(pathlib.Path(folder) / 'out', 'w+', errors='replace') as out, open(
                pathlib.Path(folder) / 'err', 'w+', errors='replace'
            ) as err:
                process = subprocess.Popen(command, stdout=out, stderr=err, cwd=folder)
                hangs = watch(process, progress, options.limit_seconds)
                out.seek(0)
                err.seek(0)
                lines, errors = out.read().split('\n'), err.read()
            for line in lines:
                number, _, text = line[1:].partition(' ')
                if line.startswith(MARK):
                    findings.add(
                        options.seed,
                        int(number) if number.isdigit() else struct.unpack('q', progress[:8])[0],
                        text if number.isdigit() else line[1:],
                    )
            first = struct.unpack('q', progress[:8])[0]
            if process.returncode == 0:
                break
            if process.returncode > 0 and 'Traceback' in errors:  # of this program
                sys.exit(errors)
            what, _ = described(options.seed, first, options.kinds)
            code = process.returncode
            kind = 'hang' if hangs else f'signal {signal.Signals(-code).name}' if code < 0 else f'exit {code}'
            findings.add(
                options.seed, first, f'{kind}: {what[-700:]} {errors[-300:] if code > 0 else ""}'.replace('\n', ' ')
            )
            first += 1
    print(f'{options.calls - options.first} calls in {time.monotonic() - started:.0f} s, {findings.count} findings')
    sys.exit(1 if findings.count else 0)


if __name__ == '__main__':
    main()
