"""Modes, directories, compressors, and calls that the system refuses.

Copyright (C) 2026 The reflink-tar authors.
SPDX-License-Identifier: GPL-3.0-or-later
"""

import os
import random
import shutil
import subprocess

from case import *

AFTER = {'after': 'after\n'}


def filtered(program, data):
    return subprocess.run([*program.split(), '-c'], input=data, check=True,
                          stdout=subprocess.PIPE).stdout


with Case('7: a list of the 20000 files of a directory is not too large') as c:
    names = ['file-with-a-name-of-some-length-%06d' % n for n in range(20000)]
    listed = b''.join(b'Y' + raw(name) + b'\0' for name in names) + b'\0'
    for directory in (X(('GNU.dumpdir', listed)) + D('test/'),
                      H('test/', 'D', len(listed), mode=0o755,
                        magic=b'ustar  \0') + pad(listed)):
        c.archive(directory, *(H('test/' + name) for name in names))
        c.list(['test/', *('test/' + name for name in names)])
        c.archive(directory, F('test/' + names[-1]), A)
        c.names = None
        c.extract({'test': '/', 'test/' + names[-1]: '', **AFTER},
                  more=('-G',))
        # What the list does not have is removed.
        os.mknod(c.top + '/x/test/more')
        c.tar('-xGf', '../a.tar')
        c.same('left', os.listdir(c.top + '/x/test'), names[-1:])

for what, members, modes in (
        ('a', (D('a/', 0o666), D('b/'), F('a/f', '1')), {'a': '644'}),
        ('b', (D('a/', 0o555), F('b', '2'), F('a/f', '1')), {'a': '555'}),
        ('c', (D('a/', 0o500), F('a/f', '1'), D('a/', 0o711), F('a/g', '3')),
         {'a': '711'})):
    with Case('41: a directory\'s mode waits, ' + what) as c:
        c.archive(*members)
        c.empty()
        if ROOT:
            os.chown(c.top + '/x', NOBODY, NOBODY)
            os.chmod(c.top, 0o755)
        c.tar('-xf', '../a.tar', user=NOBODY)
        c.modes(modes)
        # To look, and to clean up, as an ordinary user.
        os.chmod(c.top + '/x/a', 0o755)
        wanted = {'a': '/', 'a/f': '1'}
        if what == 'b':
            wanted['b'] = '2'
        elif what == 'a':
            wanted['b'] = '/'
        else:
            wanted['a/g'] = '3'
        c.same('extracted', tree(c.top + '/x'), wanted)

for option in (), ('-k',), ('--skip-old-files',), ('--keep-newer-files',):
    with Case('43: directories that tar made, %s' % ' '.join(option)) as c:
        c.archive(F('p/q/f', 'f'), D('p/q/', 0o751, mtime=77),
                  D('p/', 0o711, mtime=88))
        c.list(['p/q/f', 'p/q/', 'p/'])
        c.extract({'p': '/', 'p/q': '/', 'p/q/f': 'f'}, more=option)
        c.modes({'p': '711', 'p/q': '751'})
        c.same('times', [os.stat(c.top + '/x/' + name).st_mtime
                         for name in ('p', 'p/q')], [88, 77])
        # These were there.
        os.chmod(c.top + '/x/p', 0o700)
        c.names = None
        c.extract({'p': '/', 'p/q': '/', 'p/q/f': 'f'}, more=option)

with Case('44: -A of several archives') as c:
    names = ['m%d' % n for n in range(8)]
    data = b''.join(F(name, name * n) for n, name in enumerate(names)) + EOF
    c.empty()
    for n in 1, 2, 3:
        c.write('x/a%d' % n, data + bytes(-len(data) % 10240))
    c.tar('-Af', 'a1', 'a2', 'a3')
    wanted = ''.join(name + '\n' for name in names * 3)
    c.tar('-tf', 'a1', out=wanted)
    c.tar('-tif', 'a1', out=wanted)
    c.same('blocks', (os.stat(c.top + '/x/a1').st_size % 10240,
                      os.stat(c.top + '/x/a2').st_size), (0, 10240))

for name, shown in (('BZh91AY&SY', 'BZh91AY&SY'),
                    (b'\037\213\b', r'\037\213\b'),
                    (b'\037\235', r'\037\235'), (b'\3757zXZ', r'\3757zXZ'),
                    (b'(\265/\375', r'(\265/\375'), ('LZIP', 'LZIP'),
                    (b'\211LZO', r'\211LZO'), (b'\004"M\030', r'\004"M\030')):
    with Case('46: a member named %s' % shown) as c:
        c.empty()
        name = os.fsdecode(name)
        os.makedirs(os.path.dirname(c.top + '/x/' + name), exist_ok=True)
        path = c.top + '/x/' + name
        with open(path, 'wb') as file:
            file.write(b'test\n')
        c.tar('-cf', 'm.tar', name)
        c.tar('-tf', 'm.tar', out=shown + '\n')
        os.unlink(path)
        c.tar('-xf', 'm.tar')
        c.tar('-tf', '-', stdin=c.top + '/x/m.tar', out=shown + '\n')
        with open(path, 'rb') as file:
            c.same('content', file.read(), b'test\n')

tar = F('a', 'aaa') + F('b', 'bbb') + EOF
noise = random.Random(1).randbytes(20000000)
for program in 'gzip', 'xz', 'zstd -q', 'bzip2':
    if not shutil.which(program.split()[0]):
        continue
    with Case('47: several streams of ' + program) as c:
        c.archive(*(filtered(program, tar[start:start + 512])
                    for start in range(0, len(tar), 512)), end=b'')
        c.list(['a', 'b'])
        c.extract({'a': 'aaa', 'b': 'bbb'})
with Case('47: NULs after a stream of gzip') as c:
    c.archive(filtered('gzip', tar), bytes(5000), end=b'')
    c.list(['a', 'b'])
    c.extract({'a': 'aaa', 'b': 'bbb'})
with Case('47: text after a stream of gzip') as c:
    c.archive(filtered('gzip', tar), 'text', end=b'')
    c.list(['a', 'b'], 2, None)
    got = c.extract({'a': 'aaa', 'b': 'bbb'}, 2, None)
    c.same('message', got.err.splitlines()[-2:],
           ['tar: Child returned status 2', 'tar: ' + FATAL])
for program in 'cat', 'gzip -1', 'zstd -q -1':
    if not shutil.which(program.split()[0]):
        continue
    with Case('47: 20 MB after the end, ' + program) as c:
        data = tar + noise
        if program != 'cat':
            data = filtered(program, data)
        c.archive(data, end=b'')
        c.list(['a', 'b'])
        c.extract({'a': 'aaa', 'b': 'bbb'})

# What a refused call costs: nothing, or the sharing.  The file's data begins
# at 4096, so that it can be cloned.
FILE = 'd/f', b'0123456789' * 10000
MEMBERS = (D('d/', 0o2750), X(('comment', 'c' * 2500)), F(*FILE),
           H('d/h', '1', link='d/f'), S('d/l', 'f'), A)
TREE = {'d': '/', 'd/f': '100000 bytes', 'd/h': '100000 bytes',
        'd/l': '-> f', **AFTER}
for call, errors, linked in (
        ('fchmodat2', 'ENOSYS EPERM', True),
        ('statx', 'ENOSYS', True),
        ('openat2', 'ENOSYS EPERM EINVAL', True),
        ('linkat', 'EPERM EXDEV EMLINK EACCES', False),
        ('FICLONERANGE',
         'EPERM EINVAL EXDEV ENOSYS EOPNOTSUPP ENOTTY', True),
        ('copy_file_range',
         'EPERM EINVAL EXDEV ENOSYS EOPNOTSUPP ENOTTY EIO', True)):
    for error in errors.split():
        with Case('49: %s gives %s' % (call, error)) as c:
            c.archive(*MEMBERS)
            more = (('--reflink',) if call in ('FICLONERANGE',
                                               'copy_file_range') else ())
            c.extract(TREE, more=more, inject=['%s=%s' % (call, error)])
            c.modes({'d': '2750' if ROOT else '750', 'd/f': '644',
                     'd/h': '644'})
            for name in 'd/f', 'd/h':
                with open(c.top + '/x/' + name, 'rb') as file:
                    c.same('content of ' + name, file.read() == FILE[1], True)
            c.same('links', os.stat(c.top + '/x/d/f').st_nlink,
                   2 if linked else 1)
# The error shows that the cases above do clone, or try to.
with Case('49: EIO from a clone is an error of that member') as c:
    c.archive(*MEMBERS)
    c.extract({'d': '/', 'd/l': '-> f', **AFTER}, 2,
              ['d/f: Cannot read: Input/output error',
               "d/h: Cannot hard link to 'd/f': No such file or directory"],
              more=('--reflink',), inject=['FICLONERANGE=EIO'])

finish()
