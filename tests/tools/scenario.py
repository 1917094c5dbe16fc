"""Read files of scenarios for differential.py; doc/testing.md has the format.

Copyright (C) 2026 The reflink-tar authors.
SPDX-License-Identifier: GPL-3.0-or-later
"""

import fnmatch
import itertools
import re
import shlex

HEADER = re.compile(
    r"(as|needs|show|leave|edit|better|foreach [A-Z][A-Z0-9_,]*): *(.*)$")
VARIABLE = re.compile(r"(?<!\$)\{([A-Z][A-Z0-9_]*)\}")


class Malformed(Exception):
    """A scenario file is not understood; the text says where and why."""


class Scenario:
    """One scenario.  `phases' are pairs of lists: the things to make, then
    the commands.  `less' and `more' are the stated differences: patterns of
    lines that only the other program, only ours has."""

    def __init__(self, name, where):
        self.name = name
        self.where = where
        self.user = None
        self.needs = []
        self.show = []
        self.leave = []
        self.edits = []
        self.reason = None
        self.less = []
        self.more = []
        self.phases = [([], [])]
        self.loops = []

    def make(self, line):
        """Add a thing to make; after commands that begins a new phase."""
        if self.phases[-1][1]:
            self.phases.append(([], []))
        self.phases[-1][0].append(line)

    def header(self, key, value):
        """Take what a line KEY: VALUE says."""
        if key.startswith("foreach "):
            names = key.split()[1].split(",")
            words = shlex.split(value)
            if not words or len(words) % len(names):
                raise Malformed(f"{self.where}: values of {names}")
            values = [words[i:i + len(names)]
                      for i in range(0, len(words), len(names))]
            self.loops.append([list(zip(names, row)) for row in values])
        elif key == "as":
            if value not in ("root", "user"):
                raise Malformed(f"{self.where}: as: {value}")
            self.user = value
        elif key == "edit":
            pattern, arrow, text = value.partition(" => ")
            if not arrow:
                raise Malformed(f"{self.where}: edit: REGEX => TEXT")
            self.edits.append((pattern, text))
        elif key == "better":
            if not value:
                raise Malformed(f"{self.where}: a difference needs a reason")
            self.reason = value
        else:
            getattr(self, key).extend(value.split())

    def instances(self):
        """The scenarios that this one stands for: one for each combination
        of the values of its foreach lines."""
        for choice in itertools.product(*self.loops):
            values = dict(pair for row in choice for pair in row)

            def fill(text, values=values):
                return VARIABLE.sub(
                    lambda m: values.get(m.group(1), m.group(0)), text)

            one = Scenario(fill(self.name), self.where)
            one.user, one.show = self.user, self.show
            one.reason = self.reason
            one.needs = [fill(text) for text in self.needs]
            one.leave = [fill(text) for text in self.leave]
            one.edits = [(fill(a), fill(b)) for a, b in self.edits]
            one.less = [fill(text) for text in self.less]
            one.more = [fill(text) for text in self.more]
            one.phases = [([fill(text) for text in made],
                           [fill(text) for text in commands])
                          for made, commands in self.phases]
            yield one

    def check(self):
        """Refuse what can say nothing."""
        if not any(commands for _, commands in self.phases):
            raise Malformed(f"{self.where}: {self.name}: no command")
        if bool(self.reason) != bool(self.less or self.more):
            raise Malformed(f"{self.where}: {self.name}: a reason (better:) "
                            "and the difference (< >) go together")


def matches(line, pattern):
    """Whether LINE is what PATTERN, in which * is anything, stands for."""
    return fnmatch.fnmatchcase(line, re.sub(r"([\[?])", r"[\1]", pattern))


class Reader:
    """Reads files into `scenarios' and `trees'."""

    def __init__(self):
        self.scenarios = []
        self.trees = {}

    def read(self, path, topic):
        """Read PATH; the scenarios' names begin with TOPIC."""
        current = tree = None
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                line = line.rstrip("\n")
                where = f"{topic}:{number}"
                if line.startswith("#") or not line.strip():
                    continue
                if line.startswith("= "):
                    current = Scenario(f"{topic}: {line[2:].strip()}", where)
                    self.scenarios.append(current)
                    tree = None
                elif line.startswith("tree "):
                    current, tree = None, []
                    self.trees[line[5:].strip()] = tree
                elif tree is not None and line.startswith("+ "):
                    tree.append(line[2:])
                elif current is None:
                    raise Malformed(f"{where}: {line}")
                else:
                    self.line(current, line)

    @staticmethod
    def line(current, line):
        """Add LINE to the scenario it is in."""
        header = HEADER.match(line)
        if header:
            current.header(header.group(1), header.group(2))
        elif line.startswith("+ "):
            current.make(line[2:])
        elif line.startswith("< "):
            current.less.append(line[2:])
        elif line.startswith("> "):
            current.more.append(line[2:])
        else:
            current.phases[-1][1].append(line)

    def expanded(self):
        """All instances, checked; no two have one name."""
        seen = set()
        for scenario in self.scenarios:
            scenario.check()
            for one in scenario.instances():
                if one.name in seen:
                    raise Malformed(f"{one.where}: {one.name}: used twice")
                seen.add(one.name)
                yield one
