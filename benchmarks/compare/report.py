"""The figures as tables, plots and a page."""

import csv
import dataclasses
import os
import pathlib
import platform
import re
import statistics

EQUAL = 0.97  # ratios from here on count as equal
DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
PAGE, PLOTS = DOCS / "performance.md", DOCS / "performance"
MARKS = "<!-- compare {}: begin -->", "<!-- compare {}: end -->"  # in the page, around what is written for "AVX-512" or "AVX2"
CURVES = ("add", "exp", "sum all", "softmax", "transpose", "gather rows")  # of the plot of speeds


@dataclasses.dataclass(frozen=True)
class Figure:
    group: str
    name: str
    size: int
    threads: int
    seconds: float
    ratios: dict[str, float]  # times as long in this peer


def behind(figures):
    return [(figure, name, ratio) for figure in figures for name, ratio in figure.ratios.items() if ratio < EQUAL]


def duration(seconds):
    for limit, scale, unit in ((1e-5, 1e9, "ns"), (1e-2, 1e6, "us"), (float("inf"), 1e3, "ms")):
        if seconds < limit:
            return f"{seconds * scale:.3g} {unit}" if seconds * scale < 1e3 else f"{seconds * scale:.0f} {unit}"


def cell(ratio):
    return f"{ratio:.2f}" if ratio >= EQUAL else f"**{ratio:.2f}**"


def heading(peers):
    return "| row | elements | NDForge | " + " | ".join(peers) + " |\n|---|---|---|" + "---|" * len(peers)


def line(figure, peers):
    cells = [cell(figure.ratios[name]) if name in figure.ratios else "" for name in peers]
    return f"| {figure.name} | {figure.size:,} | {duration(figure.seconds)} | " + " | ".join(cells) + " |"


def summary(figures, peers):
    lines = ["| peer | threads | rows | median | behind | least |", "|---|---|---|---|---|---|"]
    for name in peers:
        for threads in sorted({figure.threads for figure in figures}):
            found = [(figure.ratios[name], figure) for figure in figures
                     if name in figure.ratios and figure.threads == threads]
            if found:
                least, figure = min(found, key=lambda pair: pair[0])
                ratios = [ratio for ratio, _ in found]
                lines.append(f"| {name} | {threads} | {len(found)} | {statistics.median(ratios):.2f} | "
                             f"{sum(ratio < EQUAL for ratio in ratios)} | {least:.2f}: {figure.name}, {figure.size:,} |")
    return "\n".join(lines)


def best(figure):
    """The time, and the ratio of the fastest peer."""
    if not figure.ratios:
        return duration(figure.seconds)
    name = min(figure.ratios, key=figure.ratios.get)
    return f"{duration(figure.seconds)}, {cell(figure.ratios[name])} {name}"


def tables(figures, peers):
    """One table for each group: with a column for each size where a row has several, else with one for each peer."""
    for group in dict.fromkeys(figure.group for figure in figures):
        found = [figure for figure in figures if figure.group == group]
        yield f"### {group[0].upper()}{group[1:]}\n"
        names = list(dict.fromkeys(figure.name for figure in found))
        sizes = sorted({figure.size for figure in found})
        if len(found) >= 2 * len(names):
            yield "| row | " + " | ".join(f"{size:,}" for size in sizes) + " |\n|---" + "|---" * len(sizes) + "|"
            table = {(figure.name, figure.size): best(figure) for figure in found}
            for name in names:
                yield f"| {name} | " + " | ".join(table.get((name, size), "") for size in sizes) + " |"
        else:
            used = [peer for peer in peers if any(peer in figure.ratios for figure in found)]
            yield heading(used)
            for figure in found:
                yield line(figure, used)
        yield ""


def machine():
    """What the processor is called, and whether its page is that of AVX-512 or of AVX2."""
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"model name\s*: (.*)", text)
    return (f"{model[1].strip() if model else platform.machine()}, {os.cpu_count()} processors",
            "AVX-512" if re.search(r"\bavx512f\b", text) else "AVX2")


def write_csv(figures, peers, path):
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["group", "row", "elements", "threads", "ns", *peers])
        for figure in figures:
            table.writerow([figure.group, figure.name, figure.size, figure.threads, f"{figure.seconds * 1e9:.4g}",
                            *(f"{figure.ratios[name]:.3g}" if name in figure.ratios else "" for name in peers)])


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        peers = table.fieldnames[5:]
        return [Figure(row["group"], row["row"], int(row["elements"]), int(row["threads"]), float(row["ns"]) * 1e-9,
                       {name: float(row[name]) for name in peers if row[name]}) for row in table], peers


def plot(figures, peers):
    """speed.svg: elements per nanosecond over the size; ratios.svg: the medians of the groups."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "ndforge", "font.size": 8})
    from matplotlib import pyplot

    threads = max(figure.threads for figure in figures)
    shown = [figure for figure in figures if figure.threads == threads]
    colours = dict(zip(["ndforge", *peers], pyplot.get_cmap("tab10").colors))

    columns = 3
    _, axes = pyplot.subplots(2, columns, figsize=(9, 5), layout="constrained")
    for place, name in zip(axes.flat, CURVES):
        curve = sorted((figure for figure in shown if figure.name == name), key=lambda figure: figure.size)
        place.set_title(name)
        for peer in ("ndforge", *peers):
            points = [(figure.size, figure.size / figure.seconds * 1e-9 / figure.ratios.get(peer, 1)) for figure in curve
                      if peer == "ndforge" or peer in figure.ratios]
            if points:
                place.loglog(*zip(*points), color=colours[peer], label=peer, linewidth=2 if peer == "ndforge" else 1)
    axes[1][1].set_xlabel("elements")
    axes[0][0].set_ylabel("elements per ns")
    axes[0][0].legend(fontsize=6)
    pyplot.savefig(PLOTS / "speed.svg", metadata={"Date": None})
    pyplot.close()

    groups = list(dict.fromkeys(figure.group for figure in shown))
    _, axes = pyplot.subplots(figsize=(9, 5), layout="constrained")
    height = 0.8 / len(peers)
    for k, peer in enumerate(peers):
        bars = [(g + k * height, statistics.median(ratios)) for g, group in enumerate(groups)
                if (ratios := [figure.ratios[peer] for figure in shown if figure.group == group and peer in figure.ratios])]
        if bars:
            axes.barh(*zip(*bars), height=height, color=colours[peer], label=peer)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_xscale("log")
    axes.set_xlabel(f"median over the rows: times as long as NDForge, {threads} threads")
    axes.set_yticks([g + 0.4 for g in range(len(groups))], groups)
    axes.invert_yaxis()
    axes.legend(fontsize=6)
    pyplot.savefig(PLOTS / "ratios.svg", metadata={"Date": None})
    pyplot.close()


def write(figures, peers, versions):
    """Renews the part of the page for processors like this one: with AVX-512 with all tables and plots."""
    description, instructions = machine()
    file = PLOTS / f"rows-{instructions.lower()}.csv"
    PLOTS.mkdir(exist_ok=True)
    write_csv(figures, peers, file)
    link = f"[All figures](performance/{file.name})."
    text = [f"{description}; {'; '.join(dict.fromkeys(versions.values()))}.\n", summary(figures, peers), ""]
    if instructions == "AVX-512":
        plot(figures, peers)
        threads = max(figure.threads for figure in figures)
        text += ["![Elements per nanosecond over the number of elements](performance/speed.svg)\n",
                 "![Medians of the groups](performance/ratios.svg)\n",
                 f"The tables are those with {threads} threads: NDForge's time, and how many times as long the fastest of the "
                 f"others takes. {link}\n",
                 *tables([figure for figure in figures if figure.threads == threads], peers)]
    else:
        text += [link, ""]
    lost = behind(figures)
    if lost:
        text += ["Behind, with any number of threads:\n", "| row | elements | threads | peer | ratio |", "|---|---|---|---|---|"]
        text += [f"| {figure.name} | {figure.size:,} | {figure.threads} | {name} | {ratio:.2f} |" for figure, name, ratio in lost]
    begin, end = (mark.format(instructions) for mark in MARKS)
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(begin, 1)
    PAGE.write_text(before + begin + "\n\n" + "\n".join(text).strip() + "\n\n" + end + rest.split(end, 1)[1], encoding="utf-8")
