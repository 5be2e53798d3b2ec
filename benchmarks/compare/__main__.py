"""Compares NDForge with other libraries, each in a process of its own, in turns: compare.sh calls it.

All peers compute a row on equal inputs, and what they compute is compared before anything is timed. Then short batches of
calls alternate; a ratio is the median over the rounds of a peer's time by NDForge's in the same round.
"""

import argparse
import importlib.util
import pathlib
import re
import sys
import tempfile

import numpy as np

import report
import rows
from peers import Ended, Peer, measure, place_all, prepare_all, results_of

PEERS = ("numpy", "torch", "torch-compile", "numexpr", "ort", "eigen", "xtensor", "nd4j", "nd4j-onednn")
NATIVE = ("nd4j", "nd4j-onednn")  # builds of the released libnd4j
PACKAGES = {"ort": "onnxruntime", "torch-compile": "torch"}  # where the name is another one
LARGEST_PLACED = 1_000_000  # rows of more elements do not fit into the caches
HEADERS = {"eigen": "eigen3/Eigen/Dense", "xtensor": "xtensor/xarray.hpp"}


def differs(work, ours, theirs):
    if work.same is None:
        return False
    pairs = [eval(work.same, {"np": np, "z": z[0] if len(z) == 1 else z}) for z in (ours, theirs)]
    return not all(np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=work.relative, atol=work.absolute, equal_nan=True)
                   for a, b in zip(*(p if isinstance(p, list) else [p] for p in pairs), strict=True))


class Refused(Exception):
    """A row that cannot be measured, because NDForge refuses it or results differ."""


def measured(number, row, ours, peers, rounds):
    """NDForge's time and the ratios of the peers that have this row."""
    where = f"'{row.name}', {row.size} elements"
    own_reason, *reasons = prepare_all([ours, *peers], number)
    if own_reason is not None:
        raise Refused(f"{where}: {own_reason}")
    able = []
    for peer, reason in zip(peers, reasons):
        if reason is None:
            able.append(peer)
        elif reason:
            print(f"compare: {peer.name}, {where}: {reason}", file=sys.stderr)
    work = row.work()
    with tempfile.TemporaryDirectory() as folder:
        own, *others = results_of([ours, *able], folder)
        if isinstance(own, Ended):
            raise own
        for peer, result in zip(list(able), others):
            if isinstance(result, Ended):
                print(f"compare: {peer.name}, {where}: {result}", file=sys.stderr)
                able.remove(peer)
            elif differs(work, own, result):
                raise Refused(f"{where}: the result differs from that of {peer.name}")
        del work, own, others
    taking_part = [ours, *able]
    return measure(taking_part, rounds, (lambda: place_all(taking_part, number)) if row.size <= LARGEST_PLACED else None)


def compare(options, threads, figures):
    """Measures the rows, and those behind again. Adds their figures to the others; returns what was refused and versions."""
    libraries = {"ndforge": options.library, **{name: getattr(options, name.replace("-", "_")) for name in NATIVE}}
    ours, *peers = (Peer(name, threads, libraries.get(name, ""), options.folder) for name in ("ndforge", *options.peers))
    versions = {peer.name: peer.version for peer in (ours, *peers)}
    refused = []

    def measure_rows(is_asked, rounds):
        print(f"\n{threads} thread{'s' if threads > 1 else ''}, {rounds} rounds; times as long in\n")
        print(report.heading(options.peers))
        for number, row in enumerate(rows.table()):
            place = (row.group, row.name, row.size, threads)
            if not is_asked(place):
                continue
            try:
                seconds, ratios = measured(number, row, ours, peers, rounds)
            except (Refused, Ended) as error:
                refused.append(str(error))
                print(f"compare: {error}", file=sys.stderr)
                continue
            figures[place] = report.Figure(*place, seconds, ratios)
            print(report.line(figures[place], options.peers), flush=True)

    measure_rows(lambda place: re.search(options.rows, "{} {} {}".format(*place)), options.rounds)
    if options.again:
        measure_rows(lambda place: place in figures and report.behind([figures[place]]), options.again)
    for peer in (ours, *peers):
        peer.close()
    return refused, versions


def arguments():
    parser = argparse.ArgumentParser(prog="compare", description=__doc__.split("\n")[0])
    parser.add_argument("--library", help="libndforge.so")
    for name in NATIVE:
        parser.add_argument(f"--{name}", default="", metavar="FILE", help=f"libnd4jcpu.so of the peer {name}")
    parser.add_argument("--folder", type=pathlib.Path, help="for what is compiled")
    parser.add_argument("--peers", type=lambda text: text.split(","), default=list(PEERS), help="of " + ",".join(PEERS))
    parser.add_argument("--rows", default="", metavar="REGEX", help="of 'GROUP NAME ELEMENTS'")
    parser.add_argument("--rounds", type=int, default=11, help="measurements of each row")
    parser.add_argument("--threads", type=lambda text: [int(n) for n in text.split(",")], default=[1, 2])
    parser.add_argument("--again", type=int, default=0, metavar="N", help="measure rows behind once more, with N rounds")
    parser.add_argument("--earlier", type=lambda text: text.split(","), default=[], metavar="FILE,...",
                        help="tables of earlier runs: what is measured now takes the place of their figures")
    parser.add_argument("--csv", type=pathlib.Path, metavar="FILE", help="write the figures to FILE")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md, its plots and its table")
    options = parser.parse_args()
    for name in ("rounds", "again"):
        if getattr(options, name) < 3 and (name == "rounds" or options.again):
            parser.error(f"--{name}: at least 3")
    for name in list(options.peers):
        if name not in PEERS:
            parser.error(f"--peers: '{name}' is none of {', '.join(PEERS)}")
        if name in NATIVE:
            missing = None if getattr(options, name.replace("-", "_")) else f"--{name} is not given"
        elif name in HEADERS:
            missing = None if (pathlib.Path("/usr/include") / HEADERS[name]).exists() else "its headers are not there"
        else:
            missing = importlib.util.find_spec(PACKAGES.get(name, name)) is None and "this Python does not have it"
        if missing:
            print(f"compare: without {name}: {missing}", file=sys.stderr)
            options.peers.remove(name)
    return options


def main():
    options = arguments()
    figures, refused, versions = {}, [], {}
    for file in options.earlier:
        figures |= {(f.group, f.name, f.size, f.threads): f for f in report.read_csv(file)[0]}
    for threads in options.threads:
        failed, versions = compare(options, threads, figures)
        refused += failed
    if not figures:
        raise SystemExit(f"compare: no row matches '{options.rows}'")
    places = [(row.group, row.name, row.size) for row in rows.table()]
    counts = sorted({threads for *_, threads in figures})
    ordered = [(*place, threads) for threads in counts for place in places]
    figures = [figures[place] for place in ordered if place in figures]
    peers = [name for name in PEERS if any(name in figure.ratios for figure in figures)]
    print()
    print(report.summary(figures, peers))
    if options.csv:
        report.write_csv(figures, peers, options.csv)
    if options.write:
        report.write(figures, peers, versions)
    behind = report.behind(figures)
    for figure, name, ratio in behind:
        print(f"behind {name}: {figure.name}, {figure.size:,} elements, {figure.threads} thread(s): {ratio:.2f}")
    for text in refused:
        print(f"not measured: {text}")
    sys.exit(1 if behind or refused else 0)


if __name__ == "__main__":
    main()
