"""What clones cost: on which filesystem, of what size, from what source.

Copyright (C) 2026 The reflink-tar authors.
SPDX-License-Identifier: GPL-3.0-or-later
"""

import os
import subprocess
from pathlib import Path

FILESYSTEMS = ('xfs', 'xfs-rmapbt', 'btrfs')
# On an XFS of 1 GB, most of which something else has taken.
SMALL = 'fallocate -l 500M {fs}/full && {bench} -n 1000 --csv={csv} {fs}'


def run(command, output):
    """Run COMMAND, its output to the file OUTPUT as well as ours."""
    print(' ', *command, flush=True)
    with open(output, 'w', encoding='utf-8') as file:
        done = subprocess.run(command, stdout=file, check=False)
    print(output.read_text(encoding='utf-8'), flush=True)
    if done.returncode:
        print(f'bench: failed: {command[0]}')


def measure(bench):
    """Run clone-bench and source-bench everywhere."""
    programs = bench.build / 'bench'
    for fs in FILESYSTEMS:
        directory = Path(bench.args.filesystems) / fs
        if not directory.is_dir():
            continue
        run([programs / 'clone-bench',
             f'--csv={bench.results}/clone-bench-{fs}.csv', directory],
            bench.results / f'clone-bench-{fs}.txt')
        if fs != 'xfs-rmapbt':
            run([programs / 'source-bench', directory],
                bench.results / f'source-bench-{fs}.csv')
    small(bench, programs / 'clone-bench')


def small(bench, program):
    """The same on a small filesystem that is half full."""
    script = Path(__file__).resolve().parent.parent
    directory = Path(f'{bench.args.filesystems}-small')
    command = SMALL.format(fs=directory / 'xfs', bench=program,
                           csv=bench.results / 'clone-bench-small.csv')
    os.environ['FILESYSTEMS_IMAGE_SIZE'] = '1G'
    run(['sh', script / 'tests/tools/filesystems.sh', 'with', directory,
         'xfs', '--', 'sh', '-c', command],
        bench.results / 'clone-bench-small.txt')


def table(bench):
    """Lines of results.md: source-bench's figures, in microseconds."""
    lines = []
    for fs in FILESYSTEMS:
        file = bench.results / f'source-bench-{fs}.csv'
        if not file.exists():
            continue
        lines += ['', f'# Sources in many extents, {fs}, microseconds a file,'
                  ' sync included', '',
                  '| source of 512 MiB | extents | size | clone | copy |',
                  '|---|---:|---:|---:|---:|']
        rows = file.read_text(encoding='utf-8').splitlines()[1:]
        lines += ['| ' + row.replace(',', ' | ') + ' |' for row in rows]
    for file in sorted(bench.results.glob('clone-bench-*.txt')):
        lines += ['', f'# {file.stem}', '', '```',
                  file.read_text(encoding='utf-8').rstrip('\n'), '```']
    return lines
