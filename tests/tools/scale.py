#!/usr/bin/env python3
"""See that time and memory grow with the number of members, not faster.

Copyright (C) 2026 The reflink-tar authors.
SPDX-License-Identifier: GPL-3.0-or-later

Usage: scale.py TAR N [CASE...]

Each case is run with N and with 4 N things, in the current directory.  Four
times as much may take six times the time of the processor and six times the
memory; what is little anyway does not count.  Nothing but the processor's own
time is looked at, so that other programs do not matter.
"""

import os
import shutil
import sys

LITTLE_TIME = 0.2   # seconds
LITTLE_MEMORY = 64  # MiB
CASES = {}


def case(function):
    """FUNCTION (tar, n) prepares and runs a case of size n."""
    CASES[function.__name__] = function
    return function


def run(tar, *arguments):
    """Run TAR; return its seconds of user time and its MiB of memory."""
    pid = os.fork()
    if pid == 0:
        null = os.open("/dev/null", os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        try:
            os.execv(tar, ["tar", *arguments])
        finally:
            os._exit(127)
    _, status, usage = os.wait4(pid, 0)
    # Names that are not there make it 2; more is a signal, or no tar.
    if not os.WIFEXITED(status) or os.WEXITSTATUS(status) > 2:
        sys.exit(f"{tar} {' '.join(arguments)}: status {status}")
    return usage.ru_utime, usage.ru_maxrss / 1024


def header(name, kind=b"0", link=""):
    """A header block."""
    block = bytearray(512)

    def put(offset, text):
        block[offset:offset + len(text)] = text

    put(0, name.encode())
    put(100, b"0000755\0" + b"0000000\0" * 2 + b"0" * 11 + b"\0"
        + b"00000000001\0" + b" " * 8 + kind + link.encode())
    put(257, b"ustar\00000")
    put(148, b"%06o\0 " % sum(block))
    return block


def archive(n, member):
    """Make a.tar of what MEMBER says of 0 to N - 1."""
    with open("a.tar", "wb") as out:
        for i in range(n):
            out.write(member(i))
        out.write(bytes(10240))


def lines(name, n, text):
    """Make the file NAME of N lines."""
    with open(name, "w", encoding="ascii") as out:
        out.writelines(text(i) + "\n" for i in range(n))


def fresh():
    """Make x an empty directory."""
    shutil.rmtree("x", ignore_errors=True)
    os.mkdir("x")


def spread(i, name="f"):
    """The name of file I, in one of a hundred directories."""
    return f"d{i % 100}/{name}{i}"


@case
def names_found(tar, n):
    """Members named in another order."""
    archive(n, lambda i: header(spread(i)))
    lines("list", n, lambda i: spread(n - 1 - i))
    return run(tar, "-tf", "a.tar", "-T", "list")


@case
def names_missing(tar, n):
    """Names that are not there."""
    archive(1000, lambda i: header(spread(i)))
    lines("list", n, lambda i: spread(i, "none"))
    return run(tar, "-tf", "a.tar", "-T", "list")


@case
def exclusions(tar, n):
    """Patterns without wildcards."""
    archive(2000, lambda i: header(spread(i)))
    lines("list", n, lambda i: spread(i, "none"))
    return run(tar, "-tf", "a.tar", "-X", "list")


@case
def files_stored(tar, n):
    """The same few files, again and again."""
    fresh()
    for i in range(4):
        open(f"x/{i}", "w", encoding="ascii").close()
    lines("list", n, lambda i: f"x/{i % 4}")
    return run(tar, "-cf", "b.tar", "--hard-dereference", "-T", "list")


@case
def hard_links(tar, n):
    """Links to one file, extracted."""
    archive(n, lambda i: header(f"l{i}", b"1", "a") if i else header("a"))
    fresh()
    return run(tar, "-xf", "a.tar", "-C", "x")


@case
def hard_links_stored(tar, n):
    """Links to many files, stored."""
    fresh()
    for i in range(n // 2):
        open(f"x/a{i}", "w", encoding="ascii").close()
        os.link(f"x/a{i}", f"x/b{i}")
    return run(tar, "-cf", "b.tar", "x")


@case
def directories(tar, n):
    """Directories that get their times in the end."""
    archive(n, lambda i: header(spread(i) + "/", b"5"))
    fresh()
    return run(tar, "-xf", "a.tar", "-C", "x")


@case
def directories_emptied(tar, n):
    """Directories that files come into, with -U and --keep-newer-files."""
    archive(n, lambda i: header(spread(i // 2) + "/", b"5") if i % 2 == 0
            else header(spread(i // 2) + "/f"))
    fresh()
    return run(tar, "-xUf", "a.tar", "-C", "x")


@case
def symbolic_links(tar, n):
    """Links that lead out."""
    archive(n, lambda i: header(f"l{i}", b"2", f"../x{i}"))
    fresh()
    return run(tar, "-xf", "a.tar", "-C", "x")


@case
def appended(tar, n):
    """Names compared by -u."""
    archive(n, lambda i: header(spread(i)))
    fresh()
    return run(tar, "-uf", "a.tar", "x")


@case
def deleted(tar, n):
    """Every second member deleted."""
    archive(n, lambda i: header(spread(i)))
    lines("list", n // 2, lambda i: spread(2 * i))
    return run(tar, "--delete", "-f", "a.tar", "-T", "list")


@case
def name_edited(tar, n):
    """One long name, with a change at each of its bytes."""
    name = b"a" * (100 * n) + b"\0"
    long = header("././@LongLink", b"L")
    long[124:136] = b"%011o\0" % len(name)
    long[148:156] = b" " * 8
    long[148:156] = b"%06o\0 " % sum(long)
    with open("a.tar", "wb") as out:
        out.write(long + name + bytes(-len(name) % 512) + header("short")
                  + bytes(1024))
    return run(tar, "-tf", "a.tar", "--show-transformed",
               "--transform=s/a/b/g")


def main():
    """Run the cases; the exit status is 1 if one grows too fast."""
    tar, n = sys.argv[1], int(sys.argv[2])
    status = 0
    for name in sys.argv[3:] or CASES:
        small, large = CASES[name](tar, n), CASES[name](tar, 4 * n)
        slow = LITTLE_TIME < large[0] and 6 * small[0] < large[0]
        big = LITTLE_MEMORY < large[1] and 6 * small[1] < large[1]
        print(f"{name}: {small[0]:.2f} s, {small[1]:.0f} MiB;"
              f" {large[0]:.2f} s, {large[1]:.0f} MiB"
              + " too slow" * slow + " too big" * big, flush=True)
        status |= slow or big
    fresh()
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
