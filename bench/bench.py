#!/usr/bin/env python3
"""Measure our tar against others, on filesystems made for it.

Copyright (C) 2026 The reflink-tar authors.
SPDX-License-Identifier: GPL-3.0-or-later

Each job is run with each program in turn, round after round, so that a slow
minute of the machine hits them alike.  What is written is synced, and that is
part of the time; what is read is in memory before.  Medians are compared.

`./dev bench' runs this; results go to bench/results: rounds.csv has every
run, medians.csv and results.md what became of them.
"""

import argparse
import csv
import datetime
import os
import platform
import shutil
import statistics
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import clones
import corpora

# A job: what is done, on which filesystems, with which corpus, by whom, and
# the times faster than the best peer that are wanted (text, as it may differ).
Job = namedtuple('Job', 'name filesystems corpus programs wanted')

EXTRACT = '{tar} -xf {archive} -C {dest}'
CREATE = '{tar} -cf {dest}/new.tar -C {tree} .'
LIST = '{tar} -tf {archive}'
PIPE = '{decompress} {archive} | {tar} -xf - -C {dest}'
PEERS = ('system', 'bsdtar', 'busybox')


def peers(command, names=PEERS):
    """COMMAND by each peer."""
    return {name: command for name in names}


def extraction(**ours):
    """-x of an archive by ours, the peers, and the bare system calls."""
    return {**ours, **peers(EXTRACT),
            'floor': '{floor} --run={how} {list} {archive} {dest}'}


REFLINK = '{tar} --reflink -xf {archive} -C {dest}'
COPY_ON_WRITE = ('xfs', 'btrfs')
JOBS = (
    Job('aligned-x', COPY_ON_WRITE, 'linux-aligned',
        extraction(reflink=REFLINK), {'xfs': 2.0, 'btrfs': 2.2}),
    Job('medium-x', COPY_ON_WRITE, 'medium',
        extraction(reflink=REFLINK), 8),
    Job('large-x', COPY_ON_WRITE, 'large',
        extraction(reflink=REFLINK), 100),
    Job('large-c', COPY_ON_WRITE, 'large',
        {'reflink': '{tar} --reflink -cf {dest}/new.tar -C {tree} .',
         **peers(CREATE)}, 100),
    Job('large-realign', COPY_ON_WRITE, 'large',
        {'reflink': '{tar} --reflink --align -Af {dest}/new.tar {archive}',
         'cp': 'cp --reflink=never {archive} {dest}/new.tar'}, 100),
    Job('plain-x', ('xfs', 'btrfs', 'ext4', 'tmpfs'), 'linux',
        {'copy': EXTRACT, **peers(EXTRACT)}, 1.25),
    Job('plain-c', COPY_ON_WRITE, 'linux',
        {'copy': CREATE, **peers(CREATE)}, 1.2),
    Job('aligned-c', COPY_ON_WRITE, 'linux-aligned',
        {'reflink': '{tar} --reflink -cf {dest}/new.tar -C {tree} .',
         **peers(CREATE)}, 1.0),
    Job('linux-t', ('xfs',), 'linux', {'list': LIST, **peers(LIST)}, 1.5),
    Job('tiny-t', ('xfs',), 'tiny', {'list': LIST, **peers(LIST)}, 1.5),
    Job('million-t', ('xfs',), 'million', {'list': LIST, **peers(LIST)}, 1.5),
    *(Job(f'{suffix}-x', ('xfs',), f'linux-{suffix}',
          {'filter': EXTRACT, **peers(PIPE, ('system', 'bsdtar'))}, 1.0)
      for suffix in ('zstd', 'xz', 'gzip')),
    # Time is to be linear, memory flat.
    *(Job(f'scale-{count}-{what}', ('xfs',), f'members-{count}',
          {'ours': command}, None)
      for count in corpora.COUNTS
      for what, command in (('t', LIST), ('x', EXTRACT))),
)

# How the floor finishes the last block of a file: what pays there.
HOW = {'xfs': 'tail', 'btrfs': 'trunc'}
DECOMPRESS = {'linux-zstd': 'zstd -dcq', 'linux-xz': 'xz -dc',
              'linux-gzip': 'gzip -dc'}


class Bench:
    """The machine, the programs and where things are."""

    def __init__(self, args):
        self.args = args
        self.build = Path(args.build).resolve()
        self.ours = self.build / 'src/tar'
        self.results = Path(__file__).resolve().parent / 'results'
        self.results.mkdir(exist_ok=True)
        self.tars = {'system': gnu_tar(), 'bsdtar': shutil.which('bsdtar'),
                     'busybox': shutil.which('busybox')}

    def tar(self, program):
        """The words that run PROGRAM, or None if there is none."""
        found = self.tars.get(program, self.ours)
        return f'{found} tar' if found and program == 'busybox' else found


def gnu_tar():
    """GNU tar, if the system has it."""
    for name in ('/usr/bin/tar', '/bin/tar'):
        if os.access(name, os.X_OK):
            first = subprocess.run([name, '--version'], capture_output=True,
                                   text=True, check=False).stdout
            if first.startswith('tar (GNU tar) '):
                return name
    return None


def timed(bench, command, directory):
    """Run COMMAND, and sync what DIRECTORY is on: seconds, peak KiB."""
    result = bench.results / 'timed'
    done = subprocess.run([bench.build / 'bench/timed', directory, result,
                           command], stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        sys.exit(f'bench: failed: {command}')
    seconds, peak = result.read_text(encoding='utf-8').split()
    result.unlink()
    return float(seconds), int(peak)


def run_once(bench, job, fs, corpus, program):
    """Run JOB on FS by PROGRAM; a row of rounds.csv, or None."""
    tar = bench.tar(program)
    if not tar:
        return None
    work = corpus.directory
    dest = work / 'dest'
    dest.mkdir()
    command = job.programs[program].format(
        tar=tar, archive=corpus.archive, tree=corpus.tree, dest=dest,
        floor=bench.build / 'bench/floor', how=HOW.get(fs, 'write'),
        list=corpus.list, decompress=DECOMPRESS.get(job.corpus))
    corpus.into_memory('{tree}' in job.programs[program])
    seconds, peak = timed(bench, command, work)
    shutil.rmtree(dest)
    subprocess.run(['sync', '-f', work], check=True)
    return [fs, job.name, program, f'{seconds:.4f}', peak]


def wanted_jobs(bench):
    """The jobs that the command line names, by words in their names."""
    words = bench.args.job
    return [j for j in JOBS
            if not words or any(word in j.name for word in words)]


def measure(bench, writer):
    """Run all jobs."""
    for fs in ('xfs', 'btrfs', 'ext4', 'tmpfs'):
        directory = Path(bench.args.filesystems) / fs
        jobs = [j for j in wanted_jobs(bench) if fs in j.filesystems]
        if not jobs:
            continue
        if not directory.is_dir():
            print(f'bench: no {fs} here')
            continue
        for name in dict.fromkeys(j.corpus for j in jobs):
            corpus = corpora.make(name, bench, directory / 'bench')
            for job in (j for j in jobs if j.corpus == name):
                for number in range(1, bench.args.rounds + 1):
                    for program in job.programs:
                        row = run_once(bench, job, fs, corpus, program)
                        if row:
                            writer.writerow([number, *row])
                            print(f'  {fs:6} {job.name:14} {program:10}'
                                  f' round {number}: {row[3]:>9} s'
                                  f' {row[4]:>8} KiB', flush=True)
            corpus.remove()


def medians(rows):
    """{(fs, job, program): (median seconds, largest peak)}."""
    found = {}
    for row in rows:
        key = row['filesystem'], row['job'], row['program']
        found.setdefault(key, []).append(
            (float(row['seconds']), int(row['peak_kib'])))
    return {key: (statistics.median(s for s, _ in runs),
                  max(p for _, p in runs), len(runs))
            for key, runs in found.items()}


def compare(middle):
    """Per filesystem and job: ours, best peer, floor."""
    for fs, name in dict.fromkeys(key[:2] for key in middle):
        job = next((j for j in JOBS if j.name == name), None)
        if not job:
            continue
        here = {p: middle[fs, name, p] for p in job.programs
                if (fs, name, p) in middle}
        ours = next(iter(job.programs))
        others = {p: m for p, m in here.items() if p not in (ours, 'floor')}
        if ours not in here or not others:
            continue
        best = min(others, key=lambda p: others[p][0])
        goal = job.wanted[fs] if isinstance(job.wanted, dict) else job.wanted
        yield fs, job, here, ours, best, goal


def write_results(bench):
    """medians.csv and results.md from rounds.csv."""
    with open(bench.results / 'rounds.csv', newline='',
              encoding='utf-8') as file:
        middle = medians(csv.DictReader(file))
    with open(bench.results / 'medians.csv', 'w', newline='',
              encoding='utf-8') as file:
        writer = csv.writer(file)
        writer.writerow(['filesystem', 'job', 'program', 'seconds',
                         'peak_kib', 'rounds'])
        for key, value in middle.items():
            writer.writerow([*key, f'{value[0]:.4f}', *value[1:]])
    lines = ['# Jobs, medians, sync included', '', machine(bench), '',
             '| filesystem | job | ours | best peer | times faster | wanted |'
             ' to the floor | rounds | ours, peak MiB |',
             '|---|---|---|---|---:|---:|---:|---:|---:|']
    for fs, job, here, ours, best, goal in compare(middle):
        seconds, peak, rounds = here[ours]
        floor = here.get('floor')
        lines.append(
            f'| {fs} | {job.name} | {ours} | {best} |'
            f' {here[best][0] / seconds:.2f} | {goal} |'
            f' {f"{seconds / floor[0]:.2f}" if floor else ""} | {rounds} |'
            f' {peak / 1024:.1f} |')
    print('\n'.join(lines))
    lines += clones.table(bench)
    (bench.results / 'results.md').write_text('\n'.join(lines) + '\n',
                                              encoding='utf-8')
    if shutil.which('gnuplot'):
        subprocess.run(['gnuplot', bench.results.parent / 'plot.gp'],
                       cwd=bench.results, check=False)
    print(f'Results are in {bench.results}')


def machine(bench):
    """A line that says where and with what this was measured."""
    versions = [subprocess.run([*str(tar).split(), '--version'],
                               capture_output=True, text=True, check=False)
                .stdout.partition('\n')[0]
                for tar in (bench.ours, *bench.tars.values()) if tar]
    return (f'{datetime.date.today()}, Linux {platform.release()},'
            f' {os.cpu_count()} CPUs; {"; ".join(filter(None, versions))}.')


def main():
    """Parse the command line, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('build', help='the directory of the build')
    parser.add_argument('filesystems', help='what filesystems.sh has set up')
    parser.add_argument('rounds', nargs='?', type=int, default=7)
    parser.add_argument('job', nargs='*', help='words in names of jobs')
    parser.add_argument('--archive',
                        default='/usr/src/linux-source-6.1.tar.xz',
                        help='of the Linux sources, compressed or not')
    parser.add_argument('--add', action='store_true',
                        help='keep what was measured before')
    bench = Bench(parser.parse_args())
    rounds = bench.results / 'rounds.csv'
    fresh = not (bench.args.add and rounds.exists())
    os.environ.pop('TAR_OPTIONS', None)
    with open(rounds, 'w' if fresh else 'a', newline='',
              encoding='utf-8', buffering=1) as file:
        writer = csv.writer(file)
        if fresh:
            writer.writerow(['round', 'filesystem', 'job', 'program',
                             'seconds', 'peak_kib'])
        measure(bench, writer)
    if not bench.args.job or 'clone' in bench.args.job:
        clones.measure(bench)
    write_results(bench)


if __name__ == '__main__':
    main()
