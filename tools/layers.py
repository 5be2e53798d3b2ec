#!/usr/bin/env python3
"""Checks that includes point downwards only, and draws the floors.

    tools/layers.py                    every include of include/ and src/ against tools/floors.txt; exit code 1 on a finding
    tools/layers.py --svg FILE         draws the floors and what each of them includes
    tools/layers.py --check-svg FILE   fails when FILE is not what --svg would draw
    tools/layers.py --self-test        tries the check on small trees that are wrong in each way
"""
import argparse
import html
import pathlib
import re
import sys
import tempfile

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.M)
SOURCES = {'.h', '.hpp', '.cpp'}


class Table:
    """floors.txt: rooms in order, the floor of each, and the patterns of files."""

    def __init__(self, text):
        self.floors = []  # (name, purpose)
        self.rooms = []  # (name, index of its floor)
        self.patterns = []  # (pattern, index of its room)
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip() or line.startswith('#'):
                continue
            if heading := re.fullmatch(r'\[(.+?)\] (.+)', line):
                self.floors.append(heading.groups())
                continue
            if room := re.match(r'(\w+):', line):
                self.rooms.append((room[1], len(self.floors) - 1))
                line = line[room.end():]
            if not self.floors or not self.rooms:
                raise SystemExit(f'floors.txt:{number}: files before the first floor and room')
            self.patterns += [(pattern, len(self.rooms) - 1) for pattern in line.split()]

    def room_of(self, path):
        """The index of the room, and the pattern that decides; None when no pattern matches."""
        found = [(len(p), room, p) for p, room in self.patterns
                 if path == p or (p.endswith('*') and path.startswith(p[:-1]))]
        return max(found)[1:] if found else (None, None)


def read(root):
    """Each source of the tree and what it includes of the tree."""
    files = {p.relative_to(root).as_posix(): p for top in ('include', 'src') for p in sorted((root / top).rglob('*'))
             if p.suffix in SOURCES}
    included = {}
    for name, path in files.items():
        beside = pathlib.PurePosixPath(name).parent
        included[name] = [c for text in INCLUDE.findall(path.read_text(encoding='utf-8'))
                          for c in [next((c for c in (f'include/{text}', f'src/{text}', f'{beside}/{text}')
                                          if c in files), None)] if c]
    return included


def findings(table, included):
    used = set()
    room = {}
    for name in included:
        room[name], pattern = table.room_of(name)
        used.add(pattern)
        if room[name] is None:
            yield f'{name} is in no room of floors.txt'
    for pattern, _ in table.patterns:
        if pattern not in used:
            yield f'floors.txt: no file is placed by {pattern}'
    folders = {}
    for name in included:
        parts = name.split('/')
        if parts[0] == 'src' and room[name] is not None:
            # A folder in a folder may be a room of its own.
            folders.setdefault('/'.join(parts[:3 if len(parts) > 3 else 2]), {}).setdefault(room[name], name)
    for folder, rooms in folders.items():
        if len(rooms) > 1:
            names = ', '.join(f'{table.rooms[r][0]} ({name})' for r, name in sorted(rooms.items()))
            yield f'{folder} holds files of several rooms: {names}'
    for name, others in included.items():
        for other in others:
            if room[name] is not None and room[other] is not None and room[other] > room[name]:
                yield f'{name} ({table.rooms[room[name]][0]}) includes {other} ({table.rooms[room[other]][0]}): upwards'


def uses(table, included):
    """Pairs of floors: the first includes a file of the second."""
    floor = {name: table.rooms[table.room_of(name)[0]][1] for name in included}
    return {(floor[name], floor[other]) for name, others in included.items() for other in others}


def svg(table, included):
    pairs = uses(table, included)
    n = len(table.floors)
    row, left, width, cell = 46, 10, 640, 22
    right = left + width + 20
    height = n * row + 120
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right + n * cell + 90} {height}" '
           'font-family="sans-serif" font-size="13">',
           '<title>The floors of NDForge and what each of them includes</title>',
           f'<rect width="100%" height="100%" fill="#ffffff"/>']
    for i, (name, purpose) in enumerate(table.floors):
        y = (n - 1 - i) * row + 110
        rooms = [r for r, f in table.rooms if f == i]
        shade = 250 - 8 * (n - 1 - i) // 2
        out.append(f'<rect x="{left}" y="{y}" width="{width}" height="{row - 6}" rx="4" '
                   f'fill="rgb({shade - 30},{shade - 10},{shade})" stroke="#56708a"/>')
        out.append(f'<text x="{left + 10}" y="{y + 17}" font-weight="bold" fill="#14202b">{html.escape(name)}</text>')
        out.append(f'<text x="{left + 130}" y="{y + 17}" fill="#14202b">{html.escape(purpose)}</text>')
        if len(rooms) > 1:
            out.append(f'<text x="{left + 130}" y="{y + 33}" fill="#4a5b6a" font-size="11">rooms: '
                       f'{html.escape(", ".join(rooms))}</text>')
        for j in range(i + 1):
            x = right + (n - 1 - j) * cell + cell / 2
            if j == i:
                out.append(f'<rect x="{x - 5}" y="{y + 12}" width="10" height="10" fill="#c9d3dc"/>')
            elif (i, j) in pairs:
                out.append(f'<circle cx="{x}" cy="{y + 17}" r="5" fill="#2b5d8a"/>')
    for j, (name, _) in enumerate(table.floors):
        x = right + (n - 1 - j) * cell + cell / 2
        out.append(f'<text x="{x + 4}" y="102" transform="rotate(-50 {x + 4} 102)" '
                   f'fill="#14202b">{html.escape(name)}</text>')
    out.append(f'<text x="{left}" y="24" font-size="16" font-weight="bold" fill="#14202b">Floors</text>')
    out.append(f'<text x="{left}" y="46" fill="#4a5b6a">A dot: the floor of the row includes the floor of the column. '
               'All dots lie on one side</text>')
    out.append(f'<text x="{left}" y="64" fill="#4a5b6a">of the squares, because includes point downwards only.</text>')
    out.append('</svg>\n')
    return '\n'.join(out)


def self_test():
    table = '[low] below\nlow: src/low/* include/low.h\n[high] above\nhigh: src/high/*\n'
    right = {'src/low/a.cpp': '#include <low.h>\n', 'include/low.h': '', 'src/high/b.cpp': '#include <low.h>\n'}
    cases = [
        ('', table, right),
        ('upwards', table, {**right, 'src/high/b.h': '', 'src/low/a.cpp': '#include "high/b.h"\n'}),
        ('upwards', table, {**right, 'src/high/b.h': '', 'include/low.h': '#  include "high/b.h"\n'}),
        ('in no room', table, {**right, 'src/other/c.cpp': ''}),
        ('no file is placed by', table + 'more: src/more/*\n', right),
        ('several rooms', table + 'more: src/high/b.cpp\n', {**right, 'src/high/c.cpp': ''}),
    ]
    for expected, text, files in cases:
        with tempfile.TemporaryDirectory() as folder:
            for name, content in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding='utf-8')
            found = list(findings(Table(text), read(pathlib.Path(folder))))
        if expected and not (len(found) == 1 and expected in found[0]) or not expected and found:
            raise SystemExit(f"self-test: expected '{expected}', found {found}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--svg', metavar='FILE', type=pathlib.Path)
    parser.add_argument('--check-svg', metavar='FILE', type=pathlib.Path)
    parser.add_argument('--self-test', action='store_true')
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    tools = pathlib.Path(__file__).resolve().parent
    table = Table((tools / 'floors.txt').read_text(encoding='utf-8'))
    included = read(tools.parent)
    found = list(findings(table, included))
    for line in found:
        print(line)
    if not found and arguments.svg:
        arguments.svg.write_text(svg(table, included), encoding='utf-8')
    if not found and arguments.check_svg and arguments.check_svg.read_text(encoding='utf-8') != svg(table, included):
        found.append('')
        print(f'{arguments.check_svg} shows other floors: draw it with tools/layers.py --svg {arguments.check_svg}')
    if not found:
        print(f'{len(included)} files in {len(table.rooms)} rooms on {len(table.floors)} floors; no include points upwards')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
