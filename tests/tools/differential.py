#!/usr/bin/env python3
"""Run scenarios with another tar and with ours, and compare what they do.

Copyright (C) 2026 The reflink-tar authors.
SPDX-License-Identifier: GPL-3.0-or-later

doc/testing.md says how a scenario is written.  Each runs in two empty
directories whose names have the same length, with the other tar and with
ours as `tar'; what it prints, the exit status of each tar, and the tree it
leaves must agree, save for differences that the scenario states and that
must be there.  The exit status is 0 when all is as said, 1 when not, 77 when
nothing could be compared, 99 when a scenario is not one.
"""

import argparse
import concurrent.futures
import difflib
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import coverage_of_options  # noqa: E402
import scenario as scenarios  # noqa: E402
import twin  # noqa: E402

SCENARIOS = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                         os.pardir, "differential")
# The trees that all files can use.
TREES = os.path.join(SCENARIOS, "trees.scenarios")
TIMEOUT = 40
# What the stated differences are differences from.
REFERENCE = "1.34"
# Each tar's exit status goes to descriptor 9.
PREAMBLE = r"""tar ()
{
  command tar "$@" 9>&-
  set -- "$?" "$@"
  status=$1; shift
  echo "tar $*: $status" >&9
  return $status
}
"""


class Broken(Exception):
    """The scenario does not do what it is meant to even with the other tar,
    or cannot be run."""


def escape(data):
    """The text DATA with what is not printable ASCII escaped, in lines."""
    lines = data.split(b"\n")
    text = [line.decode("latin-1").encode("unicode_escape").decode()
            .replace("\\\\", "\\") for line in lines]
    if text[-1]:
        text[-1] += "\\no newline"
    else:
        text.pop()
    return text


def printed(label, data):
    """Lines for the output DATA; an archive is described by a checksum."""
    if b"\0\0\0\0" in data:
        return [f"{label}: {len(data)} bytes with the checksum "
                + twin.hashlib.sha1(data).hexdigest()[:12]]
    return [f"{label}: {line}" for line in escape(data)]


class Side:
    """One of the two programs, and where it runs.  LETTER names the
    directories; the two letters differ, the lengths of the names do not."""

    def __init__(self, options, letter, program, blank_devices):
        self.work = os.path.join(options.work, letter)
        self.bin = os.path.join(options.work, "bin-" + letter)
        self.blank_devices = blank_devices
        os.makedirs(self.work, exist_ok=True)
        os.makedirs(self.bin, exist_ok=True)
        os.chmod(self.work, 0o755)
        link = os.path.join(self.bin, "tar")
        if os.path.lexists(link):
            os.unlink(link)
        os.symlink(os.path.abspath(program), link)

    def environment(self):
        """What the commands see; nothing that the user has set."""
        environment = {"PATH": self.bin + ":" + os.environ["PATH"],
                       "LC_ALL": "C", "TZ": "UTC0", "HOME": "/nonexistent"}
        for name in os.environ:
            if re.match(r"(A|UB)SAN_OPTIONS$", name):
                environment[name] = os.environ[name]
        return environment

    def shell(self, commands, where, user):
        """Run COMMANDS in the directory WHERE as USER; return the exit
        status, or None if they hang."""
        drop = {}
        if user is not None and os.geteuid() == 0:
            drop = {"user": user, "group": user, "extra_groups": []}
        status = os.path.join(os.pardir, os.path.basename(where) + ".status")
        script = f"exec 9>>{status}\n" + PREAMBLE + "\n".join(commands)
        with open(where + ".out", "ab") as out, \
                open(where + ".err", "ab") as err:
            process = subprocess.Popen(
                ["/bin/sh", "-c", script, "sh"], cwd=where,
                stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                umask=0o022, start_new_session=True, env=self.environment(),
                **drop)
            try:
                return process.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return None

    def run(self, one, trees, number, keep):
        """Run the scenario ONE; return the lines that describe what it
        did."""
        where = os.path.join(self.work, f"{number:04}")
        for suffix in ("", ".out", ".err", ".status"):
            twin.remove(where + suffix)
        os.mkdir(where, 0o755)
        user = twin.USER if one.user == "user" and os.geteuid() == 0 else None
        if user is not None:
            os.chown(where, user, user)
        os.utime(where, (twin.EPOCH, twin.EPOCH))
        maker = twin.Maker(where, trees, user)
        # The file system's clock, which may lag behind the real one.
        with open(where + ".status", "wb") as file:
            since = os.fstat(file.fileno()).st_mtime_ns
        os.chmod(where + ".status", 0o666)
        result = 0
        for made, commands in one.phases:
            try:
                maker.phase(made)
            except (OSError, ValueError, KeyError, AttributeError) as error:
                raise Broken(f"cannot make it: {error!r}") from error
            if commands:
                result = self.shell(ticking(commands), where, user)
        lines = self.outcome(one, where, result, since)
        lines += twin.Describer(where, since, set(one.leave), one.show,
                                self.blank_devices).lines()
        if not keep:
            for suffix in ("", ".out", ".err", ".status"):
                twin.remove(where + suffix)
        return lines

    def outcome(self, one, where, result, since):
        """Lines for what the commands in WHERE printed and returned."""
        data = {}
        for suffix in ("status", "out", "err"):
            with open(where + "." + suffix, "rb") as file:
                data[suffix] = file.read().replace(where.encode(), b"HERE")
                data[suffix] = twin.normal(data[suffix], self.blank_devices,
                                           since)
                data[suffix] = data[suffix].replace(self.bin.encode(), b"BIN")
        for suffix in ("out", "err"):
            for pattern, text in one.edits:
                data[suffix] = re.sub(pattern.encode(), text.encode(),
                                      data[suffix], flags=re.M)
        lines = sorted(f"status: {line}" for line in escape(data["status"]))
        lines.append("status: the commands hang" if result is None
                     else f"status: at the end: {result}")
        return lines + printed("stdout", data["out"]) \
            + printed("stderr", data["err"])


def ticking(commands):
    """Where there are dumps, let each command find another time than the one
    before.  The kernel's clock goes by ticks of up to 10 ms, and what changes
    in the tick in which a dump begins is left out of the next by GNU tar."""
    if not any(re.search(r" (-g|--listed)", line) for line in commands):
        return commands
    return [word for line in commands for word in ("sleep 0.011", line)]


def differences(theirs, ours):
    """The lines only in THEIRS and those only in OURS."""
    less, more = [], []
    matcher = difflib.SequenceMatcher(None, theirs, ours, autojunk=False)
    for what, i1, i2, j1, j2 in matcher.get_opcodes():
        if what != "equal":
            less += theirs[i1:i2]
            more += ours[j1:j2]
    return less, more


def judge(one, theirs, ours, strict):
    """What is wrong, in lines, none if all is as ONE says.  STRICT: the
    stated differences must be there."""
    wrong = []
    found = differences(theirs, ours)
    for sign, lines, stated in zip("<>", found, (one.less, one.more)):
        for line in lines:
            if not any(scenarios.matches(line, each) for each in stated):
                wrong.append(f"{sign} {line}")
        for each in stated:
            if strict and not any(scenarios.matches(line, each)
                                  for line in lines):
                wrong.append(f"missing: {sign} {each}")
    return wrong


class Runner:
    """Runs scenarios on both sides."""

    def __init__(self, options, trees):
        version = version_of(options.theirs)
        self.options = options
        self.trees = trees
        self.strict = version == REFERENCE
        self.theirs = Side(options, "a", options.theirs, True)
        self.ours = Side(options, "b", options.ours, False)
        self.can_drop = self.user_can_run()

    def user_can_run(self):
        """Whether an ordinary user gets to the program and the directory."""
        if os.geteuid() != 0:
            return True
        probe = subprocess.run(
            [os.path.join(self.ours.bin, "tar"), "--version"],
            cwd=self.ours.work, user=twin.USER, group=twin.USER,
            extra_groups=[], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=False)
        return probe.returncode == 0

    def reason_to_skip(self, one):
        """Why the scenario ONE cannot be run here, or None."""
        if one.user == "root" and os.geteuid() != 0:
            return "only root can"
        if one.user == "user" and not self.can_drop:
            return "an ordinary user does not get here"
        for program in one.needs:
            if not shutil.which(program):
                return f"{program} is not installed"
        return None

    def run(self, number, one):
        """Run ONE, the NUMBERth; return (verdict, lines)."""
        reason = self.reason_to_skip(one)
        if reason:
            return "skip", [reason]
        keep = self.options.keep
        try:
            theirs = self.theirs.run(one, self.trees, number, keep)
            broken = [line for line in theirs if re.match(
                r"stderr: sh: \d+: |status: the commands hang", line)]
            if broken:
                raise Broken("\n".join(broken))
            ours = self.ours.run(one, self.trees, number, keep)
        except Broken as error:
            return "broken", str(error).split("\n")
        wrong = judge(one, theirs, ours, self.strict)
        if wrong and self.options.verbose:
            wrong += [""] + [line for line in difflib.unified_diff(
                theirs, ours, "theirs", "ours", n=99, lineterm="")]
        return ("fail" if wrong else "pass"), wrong


def version_of(program):
    """The version of GNU tar that PROGRAM is, or None if it is not one."""
    try:
        first = subprocess.run([program, "--version"], check=False,
                               capture_output=True).stdout.split(b"\n")[0]
    except OSError:
        return None
    found = re.fullmatch(rb"tar \(GNU tar\) (\S+)", first)
    return found.group(1).decode() if found else None


def show(verdict, one, lines):
    """Print what is wrong with the scenario ONE."""
    print(f"{verdict}: {one.name}  ({one.where})")
    for made, commands in one.phases:
        for line in made:
            print("    + " + line)
        for line in commands:
            print("    " + line)
    for line in lines:
        print("  " + line)
    print()


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", metavar="FILE.scenarios")
    parser.add_argument("--ours", default=os.environ.get("TAR", "tar"))
    parser.add_argument("--theirs", default=os.environ.get("SYSTEM_TAR")
                        or "/usr/bin/tar")
    parser.add_argument("--work", default="differential.dir",
                        help="directory to work in")
    parser.add_argument("--only", default="", metavar="TEXT",
                        help="only scenarios with TEXT in the name")
    parser.add_argument("--keep", action="store_true",
                        help="leave the directories")
    parser.add_argument("--verbose", "-v", action="store_true",
                        help="print both outcomes in full where they differ")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true",
                        help="print the scenarios' names and do nothing")
    parser.add_argument("--coverage", action="store_true",
                        help="print the long options no scenario has")
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    options.ours = shutil.which(options.ours) or options.ours
    options.theirs = shutil.which(options.theirs) or options.theirs
    if not options.files:
        options.files = sorted(os.path.join(SCENARIOS, name)
                               for name in os.listdir(SCENARIOS)
                               if name.endswith(".scenarios")
                               and name != os.path.basename(TREES))
    return options


def read(options):
    """The scenarios of the files and the trees they use."""
    reader = scenarios.Reader()
    for path in [TREES] + options.files:
        topic = os.path.basename(path).rsplit(".", 1)[0]
        reader.read(path, topic)
    every = [one for one in reader.expanded() if options.only in one.name]
    # Of a whole topic, a share is enough for a quick look.
    share = int(os.environ.get("DIFFERENTIAL_SHARE", "1"))
    if 40 < len(every):
        every = every[::share]
    return every, reader.trees


def run_all(options, every, trees):
    """Run EVERY scenario, print what is wrong; return the exit status."""
    runner = Runner(options, trees)
    counts = {"pass": 0, "fail": 0, "broken": 0, "skip": 0}
    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(runner.run, range(len(every)), every)
        for one, (verdict, lines) in zip(every, results):
            counts[verdict] += 1
            if verdict in ("fail", "broken"):
                show(verdict, one, lines)
            elif verdict == "skip":
                print(f"skip: {one.name}: {lines[0]}")
    if not options.keep:
        shutil.rmtree(options.work)
    print(f"{len(every)} scenarios: {counts['pass']} as said, "
          f"{counts['fail']} not, {counts['broken']} broken, "
          f"{counts['skip']} skipped; "
          f"{time.monotonic() - started:.0f} s")
    if counts["fail"] or counts["broken"]:
        return 1
    return 0 if counts["pass"] else 77


def main():
    """Do what the command line says."""
    options = arguments()
    try:
        every, trees = read(options)
    except scenarios.Malformed as error:
        print(error)
        return 99
    if options.list:
        print("\n".join(one.name for one in every))
        return 0
    if version_of(options.theirs) is None:
        print(f"{options.theirs} is not GNU tar")
        return 77
    if options.coverage:
        return coverage_of_options.report(options.theirs, every)
    return run_all(options, every, trees)


if __name__ == "__main__":
    sys.exit(main())
