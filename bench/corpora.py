"""What bench.py measures with: archives, and the trees they are of.

Copyright (C) 2026 The reflink-tar authors.
SPDX-License-Identifier: GPL-3.0-or-later
"""

import os
import random
import shutil
import subprocess
import tarfile
from pathlib import Path

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
COUNTS = (10_000, 100_000, 1_000_000)  # of members, for the scaling plot
OPENERS = {'.xz': 'xz -T0 -dc', '.gz': 'gzip -dc', '.zst': 'zstd -dcq'}


class Corpus:
    """An archive in a directory of its own; its tree where one is needed."""

    def __init__(self, bench, directory):
        self.bench = bench
        self.directory = directory
        self.tree = directory / 'tree'
        self.archive = directory / 'a.tar'
        self.list = directory / 'list'
        directory.mkdir()

    def shell(self, command):
        """Run COMMAND in the directory."""
        subprocess.run(command, shell=True, check=True, cwd=self.directory)

    def pack(self, options=''):
        """Make the archive of the tree."""
        self.shell(f'{self.bench.ours} {options} -cf a.tar -C tree .')

    def into_memory(self, tree):
        """Have the archive, or the TREE's files, read."""
        self.shell('tar -cf - tree | cat >/dev/null' if tree
                   else f'cat {self.archive} >/dev/null')

    def write_list(self):
        """Write what the floor needs to know of the archive."""
        self.shell(f'{self.bench.build}/bench/floor --list a.tar >list')

    def remove(self):
        """Remove all of it."""
        shutil.rmtree(self.directory)


def linux(corpus):
    """The Linux sources as they are shipped, and unpacked."""
    source = Path(corpus.bench.args.archive)
    opener = OPENERS.get(source.suffix, 'cat')
    corpus.shell(f'{opener} {source} >a.tar')
    corpus.tree.mkdir()
    corpus.shell(f'{corpus.bench.ours} -xf a.tar -C tree')


def linux_aligned(corpus):
    """The same with data on block boundaries."""
    linux(corpus)
    corpus.shell(f'{corpus.bench.ours} --align -Af aligned.tar a.tar'
                 ' && mv aligned.tar a.tar')
    corpus.write_list()


def linux_compressed(command):
    """A function that makes the same, compressed by COMMAND."""
    def make(corpus):
        linux(corpus)
        corpus.shell(f'rm -r tree && {command} <a.tar >a.z && rm a.tar')
        corpus.archive = corpus.directory / 'a.z'
    return make


def medium(corpus):
    """Files of 64 KiB to 1 MiB, 2 GB of them, from /usr."""
    left = 2 * 10**9
    found = [Path(top, name) for top, _, names in sorted(os.walk('/usr'))
             for name in sorted(names)]
    found = [f for f in found if f.is_file() and not f.is_symlink()
             and 64 * KIB <= f.stat().st_size <= MIB]
    number = 0
    while 0 < left and found:
        directory = corpus.tree / str(number)
        directory.mkdir(parents=True)
        for i, file in enumerate(found):
            if left <= 0:
                break
            shutil.copyfile(file, directory / f'{i}-{file.name}')
            left -= file.stat().st_size
        number += 1
    corpus.pack('--align')
    corpus.write_list()


def large(corpus):
    """Four files of 1 GiB."""
    corpus.tree.mkdir()
    piece = random.Random(1).randbytes(MIB)
    for i in range(4):
        with open(corpus.tree / f'file{i}', 'wb') as file:
            for k in range(GIB // MIB):
                file.write(k.to_bytes(8, 'big') + piece[8:])
    corpus.pack('--align')
    corpus.write_list()


def synthetic(count, sizes):
    """A function that makes an archive of COUNT members of SIZES, no tree."""
    def make(corpus):
        rng = random.Random(count)
        with open(corpus.archive, 'wb') as file:
            for i in range(count):
                member = tarfile.TarInfo(f'd{i // 1000:04}/file{i:07}')
                member.size = rng.choice(sizes)
                member.mtime = 1700000000 + i
                member.uname = member.gname = 'root'
                file.write(member.tobuf(tarfile.USTAR_FORMAT))
                file.write(b'x' * member.size
                           + bytes(-member.size % tarfile.BLOCKSIZE))
            file.write(bytes(tarfile.RECORDSIZE))
    return make


MAKERS = {
    'linux': linux,
    'linux-aligned': linux_aligned,
    'linux-zstd': linux_compressed('zstd -q -T0 -c'),
    'linux-xz': linux_compressed('xz -T0 -1 -c'),
    'linux-gzip': linux_compressed('gzip -c'),
    'medium': medium,
    'large': large,
    'tiny': synthetic(300_000, (0, 0, 10, 100, 500)),
    'million': synthetic(1_000_000, (0, 0, 0, 200)),
    **{f'members-{count}': synthetic(count, (0, 0, 0, 200))
       for count in COUNTS},
}


def make(name, bench, directory):
    """The corpus NAME in the new DIRECTORY."""
    corpus = Corpus(bench, directory)
    MAKERS[name](corpus)
    subprocess.run(['sync', '-f', directory], check=True)
    return corpus
