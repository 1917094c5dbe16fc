"""Which of tar's options the scenarios of differential.py use.

Copyright (C) 2026 The reflink-tar authors.
SPDX-License-Identifier: GPL-3.0-or-later
"""

import re
import shlex
import subprocess

LETTERS_WITH_VALUES = "bfgHCFIKLNTVX"


def options_of(program):
    """What PROGRAM --help lists: a list of sets of names of one option,
    with their dashes, as {-A, --catenate, --concatenate}."""
    text = subprocess.run([program, "--help"], check=False,
                          capture_output=True).stdout.decode()
    groups = []
    for line in text.split("\n"):
        if re.match(r" {2,6}-", line):
            head = re.split(r"   +", line.strip())[0]
            names = re.findall(r"(?:^|, )(--?[a-zA-Z?][a-z0-9-]*)", head)
            groups.append(set(names))
    return groups


def used_in(words):
    """The names of the options among WORDS, arguments of tar."""
    used = set()
    for number, word in enumerate(words):
        if word.startswith("--"):
            used.add(word.split("=")[0])
        elif word.startswith("-") or number == 0:
            for letter in word.lstrip("-"):
                used.add("-" + letter)
                if letter in LETTERS_WITH_VALUES and word.startswith("-"):
                    break
    return used


def used_by(every):
    """The names of the options that the scenarios EVERY use."""
    used = set()
    for one in every:
        for _, commands in one.phases:
            for line in commands:
                for part in re.split(r"[;|&()`\n]|TAR_OPTIONS=", line):
                    try:
                        words = shlex.split(part)
                    except ValueError:
                        words = part.replace('"', "").replace("'", "").split()
                    if "tar" in words:
                        words = words[words.index("tar") + 1:]
                        used |= used_in(words)
                    else:
                        used |= {w.split("=")[0] for w in words
                                 if w.startswith("--")}
    return used


def report(program, every):
    """Print the options of PROGRAM that no scenario of EVERY uses by any
    of their names, then the other names that are not used."""
    used = used_by(every)
    groups = options_of(program)
    missing = [" ".join(sorted(g, reverse=True)) for g in groups
               if not g & used]
    aliases = sorted(name for g in groups if g & used
                     for name in g - used if name.startswith("--"))
    print(f"{len(groups)} options, {len(missing)} in no scenario")
    for each in missing:
        print("  " + each)
    print("names in no scenario: " + (" ".join(aliases) or "none"))
    return 1 if missing else 0
