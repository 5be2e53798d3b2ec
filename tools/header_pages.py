#!/usr/bin/env python3
"""Makes pages of the public headers: header_pages.py XML INCLUDE GROUPS OUTPUT [--command NDFORGE]

XML is the folder that Doxygen writes (cmake/Doxyfile.in), INCLUDE the folder of the headers, GROUPS
tools/public_headers.txt; NDFORGE lists the operations that pages link to. OUTPUT is JSON for `ndforge docs --headers`. Prints how
many public members have no comment.

A comment stands for the declarations that follow it without an empty line or another comment between them.
"""

import argparse
import collections
import html
import json
import pathlib
import re
import subprocess
import xml.etree.ElementTree as ElementTree

KINDS = {"function": "Functions", "variable": "Values", "typedef": "Types", "enum": "Enumerations"}
HIDDEN = re.compile(r"(^|::)(detail|internal|impl)(::|$)|[@<]")
MACRO = re.compile(r"[A-Z][A-Z0-9_]*$")


def escape(text):
    return html.escape(text or "", quote=True)


def page_of(header):
    return "headers/" + re.sub(r"[^A-Za-z0-9]+", "-", header[:-2]) + ".html"


def first_sentence(text):
    return re.split(r"(?<=[.:;]) ", text, maxsplit=1)[0]


class Member:
    """A function, value, type or enumeration."""

    def __init__(self, node, scope):
        self.node, self.scope = node, scope
        self.name, self.kind = node.findtext("name"), node.get("kind")
        location = node.find("location")
        self.file = location.get("declfile", location.get("file"))
        self.line = int(location.get("declline", location.get("line")))
        parts = (node.find("briefdescription"), node.find("detaileddescription"))
        self.has_text = any("".join(part.itertext()).strip() for part in parts if part is not None)


class Headers:
    def __init__(self, folder, include, groups, operations):
        self.include, self.operations = include, operations
        self.groups = self.read_groups(groups)
        self.listed = {header for _, _, headers in self.groups for header in headers}
        self.classes = collections.defaultdict(list)  # header -> compounds
        self.free = collections.defaultdict(list)  # header -> members of namespaces
        self.targets = {}  # refid -> address
        self.undocumented = self.documented = 0
        seen = set()
        for compound in ElementTree.parse(folder / "index.xml").getroot().findall("compound"):
            if compound.get("kind") in ("class", "struct", "union", "namespace", "file"):
                self.read(ElementTree.parse(folder / (compound.get("refid") + ".xml")).getroot().find("compounddef"), seen)
        self.address()

    @staticmethod
    def read_groups(path):
        groups = []
        for line in path.read_text(encoding="utf-8").splitlines():
            found = re.match(r"\[(.*?)\]\s*(.*)", line)
            if found:
                groups.append((found[1], found[2], []))
            elif line and not line.startswith("#"):
                groups[-1][2].extend(line.split())
        return groups

    def read(self, compound, seen):
        name = compound.findtext("compoundname")
        if HIDDEN.search(name):
            return
        is_class = compound.get("kind") in ("class", "struct", "union")
        members = []
        for section in compound.findall("sectiondef"):
            for node in section.findall("memberdef"):
                fits = node.get("kind") in KINDS and node.get("prot") == "public" and node.get("id") not in seen
                if not fits or node.find("location") is None or MACRO.match(node.findtext("name") or "@"):
                    continue
                seen.add(node.get("id"))
                members.append(Member(node, "" if compound.get("kind") == "file" else name))
        if is_class:
            header = compound.find("location").get("file")
            is_new = compound.get("id") not in seen
            seen.add(compound.get("id"))
            if header in self.listed and compound.get("prot", "public") == "public" and is_new:
                self.classes[header].append((compound, sorted(members, key=lambda member: member.line)))
        else:
            for member in members:
                if member.file in self.listed:
                    self.free[member.file].append(member)

    def address(self):
        """Anchors: the names, with numbers after those that are used already."""
        for header in self.listed:
            used = {"content", "search", "results", "hits", "status", "operations"}

            def anchor(name):
                first = re.sub(r"[^A-Za-z0-9_.-]", "_", name)
                chosen, number = first, 1
                while chosen.lower() in used:
                    number += 1
                    chosen = f"{first}-{number}"
                used.add(chosen.lower())
                return chosen

            self.classes[header].sort(key=lambda entry: int(entry[0].find("location").get("line")))
            self.free[header].sort(key=lambda member: member.line)
            for compound, members in self.classes[header]:
                short = compound.findtext("compoundname").split("::")[-1]
                self.targets[compound.get("id")] = (header, anchor(short))
                for member in members:
                    self.targets[member.node.get("id")] = (header, anchor(f"{short}.{member.name}"))
            for member in self.free[header]:
                self.targets[member.node.get("id")] = (header, anchor(member.name))

    # ---- text

    def inline(self, node):
        result = escape(node.text)
        for child in node:
            result += self.element(child) + escape(child.tail)
        return result

    def element(self, node):
        if node.tag == "ref" and node.get("refid") in self.targets:
            header, anchor = self.targets[node.get("refid")]
            return f'<a href="../{page_of(header)}#{anchor}">{self.inline(node)}</a>'
        if node.tag in ("computeroutput", "verbatim", "preformatted"):
            return f"<code>{self.inline(node)}</code>"
        if node.tag in ("bold", "emphasis"):
            return f"<em>{self.inline(node)}</em>"
        if node.tag == "sp":
            return " "
        if node.tag == "linebreak":
            return "<br/>"
        if node.tag in ("ndash", "mdash", "nonbreakablespace"):
            return {"ndash": "–", "mdash": "—"}.get(node.tag, " ")
        return self.inline(node)

    def blocks(self, node):
        """A description: paragraphs, lists, code, parameters, errors."""
        result, line = "", escape(node.text)

        def flush():
            nonlocal result, line
            if line.strip():
                result += f"<p>{line.strip()}</p>\n"
            line = ""

        for child in node:
            block = self.block(child)
            if block is None:
                line += self.element(child)
            else:
                flush()
                result += block
            line += escape(child.tail)
        flush()
        return result

    def block(self, node):
        if node.tag == "para":
            return self.blocks(node)
        if node.tag in ("itemizedlist", "orderedlist"):
            kind = "ul" if node.tag == "itemizedlist" else "ol"
            items = "".join(f"<li>{self.blocks(item)}</li>\n" for item in node.findall("listitem"))
            return f"<{kind}>\n{items}</{kind}>\n"
        if node.tag == "programlisting":
            lines = [self.inline(line) for line in node.findall("codeline")]
            return '<pre class="code"><code>' + "\n".join(lines) + "</code></pre>\n"
        if node.tag == "parameterlist":
            rows = ""
            for item in node.findall("parameteritem"):
                names = ", ".join(f"<code>{escape(''.join(name.itertext()))}</code>" for name in item.iter("parametername"))
                rows += f"<dt>{names}</dt><dd>{self.blocks(item.find('parameterdescription'))}</dd>\n"
            title = {"exception": "Errors", "retval": "Results"}.get(node.get("kind"), "Parameters")
            return f'<p class="muted">{title}</p>\n<dl class="rows">\n{rows}</dl>\n'
        if node.tag == "simplesect":
            title = {"return": "Returns: ", "note": "Note: ", "see": "See: "}.get(node.get("kind"), "")
            return self.blocks(node).replace("<p>", f"<p>{title}", 1)
        if node.tag in ("sect1", "sect2", "sect3", "simplesectsep", "title", "blockquote"):
            return self.blocks(node)
        return None

    def description(self, node):
        parts = (node.find("briefdescription"), node.find("detaileddescription"))
        return "".join(self.blocks(part) for part in parts if part is not None)

    # ---- members

    def signature(self, member):
        node = member.node
        if member.kind == "enum":
            values = ", ".join(escape(value.findtext("name")) for value in node.findall("enumvalue"))
            return f"enum {escape(member.name)} {{ {values} }}"
        kind = self.type(node)
        if member.kind == "typedef":
            return f"using {escape(member.name)} = {kind}" if "(*" not in kind else escape(node.findtext("definition"))
        template = node.find("templateparamlist")
        prefix = ""
        if template is not None:
            prefix = "template &lt;" + ", ".join(self.parameter(one) for one in template.findall("param")) + "&gt; "
        prefix += "static " if node.get("static") == "yes" else ""
        prefix += kind + (" " if kind else "")
        if member.kind == "variable":
            return prefix + escape(member.name) + escape(node.findtext("argsstring"))
        arguments = node.findtext("argsstring") or "()"
        end = escape(arguments[arguments.rindex(")") + 1:].replace("=0", " = 0")) if ")" in arguments else ""
        return prefix + escape(member.name) + "(" + ", ".join(map(self.parameter, node.findall("param"))) + ")" + end

    def type(self, node):
        """A type with its links, in the spacing of this repository's sources."""
        text = self.inline(node.find("type")) if node.find("type") is not None else ""
        text = re.sub(r"&lt; ", "&lt;", re.sub(r" (?=&gt;)", "", text))
        return re.sub(r"\s+(?=(&amp;|\*))", "", text)

    def parameter(self, node):
        text = self.type(node)
        name = node.findtext("declname")
        text += f" {escape(name)}" if name else ""
        text += escape(node.findtext("array"))
        default = "".join(node.find("defval").itertext()) if node.find("defval") is not None else ""
        return text + (f" = {escape(default)}" if default else "")

    def grouped(self, header, members):
        """Lists of members that one comment stands for."""
        source = (self.include / header).read_text(encoding="utf-8").splitlines()
        groups = []
        for member in members:
            joins = False
            if groups and not member.has_text and groups[-1][0].has_text:
                between = source[groups[-1][-1].line:member.line - 1]
                joins = not any(not line.strip() or line.strip().startswith("//") for line in between)
            if joins:
                groups[-1].append(member)
            else:
                groups.append([member])
        return groups

    def members(self, header, members):
        result = ""
        for group in self.grouped(header, members):
            text = self.description(group[0].node)
            for member in group:
                self.documented += bool(text)
                self.undocumented += not text
            ids = [self.targets[member.node.get("id")][1] for member in group]
            lines = "\n".join(f'<span id="{one}">{self.signature(member)}</span>' for one, member in zip(ids, group))
            result += f'<div class="member">\n<pre class="signature"><code>{lines}</code></pre>\n{text}</div>\n'
        return result

    # ---- pages

    def lead(self, header):
        """The comment at the top of the file."""
        lines = []
        for line in (self.include / header).read_text(encoding="utf-8").splitlines():
            if not line.startswith("//"):
                break
            lines.append(line[2:].strip())
        paragraphs = re.split(r"\n\n+", "\n".join(lines))
        return [" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip()]

    def page(self, header):
        lead = self.lead(header)
        body = "".join(f"<p>{escape(text)}</p>\n" for text in lead)
        body += f'<pre class="code"><code>#include &lt;{escape(header)}&gt;</code></pre>\n'
        path, entries, words = page_of(header), [], []
        family = pathlib.PurePosixPath(header).stem
        if header.startswith("ops/declarable/headers/"):
            links = "".join(f'<li><a href="../op/{name}.html"><code>{name}</code></a></li>'
                            for name, where in sorted(self.operations.items()) if where == family)
            if links:
                body += f'<h2 id="operations">Operations</h2>\n<ul class="inline">{links}</ul>\n'
        for compound, members in self.classes[header]:
            name = compound.findtext("compoundname")
            short, anchor = name.split("::")[-1], self.targets[compound.get("id")][1]
            bases = ", ".join(self.inline(base) for base in compound.findall("basecompoundref"))
            text = self.description(compound)
            body += f'<h2 id="{anchor}">{escape(compound.get("kind"))} {escape(name)}</h2>\n'
            body += f"<p>Derived from <code>{bases}</code>.</p>\n" if bases else ""
            if short in self.operations:
                body += f'<p>The operation <a href="../op/{short}.html"><code>{short}</code></a>.</p>\n'
            body += text + self.members(header, members)
            plain = " ".join(re.sub("<[^>]*>", " ", html.unescape(text)).split())
            entries.append([name, f"{path}#{anchor}", compound.get("kind"), first_sentence(plain) or header,
                            sorted({member.name for member in members})])
        for kind, title in KINDS.items():
            members = [member for member in self.free[header] if member.kind == kind]
            if members:
                body += f"<h2>{title}</h2>\n" + self.members(header, members)
                words += [member.name for member in members]
        summary = first_sentence(lead[0]) if lead else ""
        entries.insert(0, [header, path, "header", summary, sorted(set(words))])
        return {"path": path, "title": header, "summary": summary, "html": body, "entries": entries}

    def json(self):
        pages, groups = [], []
        for name, summary, headers in self.groups:
            made = [self.page(header) for header in headers]
            pages += made
            groups.append({"name": name, "summary": summary,
                           "pages": [{key: page[key] for key in ("path", "title", "summary")} for page in made]})
        return {"groups": groups, "pages": pages}


def main():
    parser = argparse.ArgumentParser()
    for name in ("xml", "include", "groups", "output"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--command")
    options = parser.parse_args()
    operations = {}
    if options.command:
        listed = json.loads(subprocess.run([options.command, "ops", "--json"], check=True, stdout=subprocess.PIPE).stdout)
        custom = [op for op in listed if op["kind"] != "numbered" and re.fullmatch(r"\w+", op["name"])]
        operations = {op["name"]: op["family"] for op in custom}
    headers = Headers(options.xml, options.include, options.groups, operations)
    made = headers.json()
    options.output.write_text(json.dumps(made, ensure_ascii=False), encoding="utf-8")
    total = headers.documented + headers.undocumented
    print(f"{len(made['pages'])} headers, {total} public members, {headers.undocumented} without a comment")


if __name__ == "__main__":
    main()
