"""Archives built to the byte, and what tar must make of them.

Copyright (C) 2026 The reflink-tar authors.
SPDX-License-Identifier: GPL-3.0-or-later

A script of cases begins with `from case import *' and consists of

    with Case('what is shown') as c:
        c.archive(F('a', 'text'), A)
        c.list(['a', 'after'])
        c.extract({'a': 'text', 'after': 'after\\n'})

Each case has a directory of its own, with `out', which stands for everything
that an archive must not reach.  Whatever is run may take 15 seconds and 200
MB, and may change nothing but the directory it extracts to, `x'.  Messages
are given without `tar: ' and without the last line of a run that failed.

Usage: SCRIPT [--tar=PROGRAM] [-v]
Status 1, and the cases that fail on stdout, if there are any.
"""

import difflib
import os
import resource
import shutil
import signal
import stat
import sys
import threading

FAILURE = 'Exiting with failure status due to previous errors'
FATAL = 'Error is not recoverable: exiting now'
SECONDS = 15
MEGABYTES = 200

OPTIONS = dict(arg.lstrip('-').partition('=')[::2] for arg in sys.argv[1:])
TAR = OPTIONS.get('tar') or os.environ.get('TAR', 'tar')
SANITIZED = os.environ.get('SANITIZED') == 'yes'
UID, GID = os.geteuid(), os.getegid()
ROOT = UID == 0
os.environ.update(LC_ALL='C', TZ='UTC0')
# An ordinary user, where we are root.
NOBODY = 65534


# The bytes of archives.

def raw(text):
    return text if isinstance(text, bytes) else str(text).encode()


def pad(data):
    return data + bytes(-len(data) % 512)


def B(number):
    """A number of 12 bytes in base 256."""
    field = bytearray((number % (1 << 96)).to_bytes(12, 'big'))
    field[0] |= 0x80
    return bytes(field)


def octal(width, number):
    return number if isinstance(number, bytes) else b'%0*o\0' % (width - 1,
                                                                 number)


def H(name, type='0', size=0, link='', mode=0o644, mtime=1000000000,
      magic=b'ustar\00000', prefix='', at=()):
    """A header block; AT has pairs of an offset and bytes to put there."""
    assert len(raw(name)) <= 100 and len(raw(link)) <= 100
    block = bytearray(512)
    for offset, value in ((0, raw(name)), (100, octal(8, mode)),
                          (108, octal(8, UID)), (116, octal(8, GID)),
                          (124, octal(12, size)), (136, octal(12, mtime)),
                          (148, b' ' * 8), (156, raw(type)), (157, raw(link)),
                          (257, magic), (345, raw(prefix)), *at):
        block[offset:offset + len(value)] = value
    assert len(block) == 512
    block[148:156] = b'%06o\0 ' % sum(block)
    return bytes(block)


def F(name, data='', **fields):
    data = raw(data)
    return H(name, size=len(data), **fields) + pad(data)


def D(name, mode=0o755, **fields):
    return H(name, '5', mode=mode, **fields)


def S(name, link, **fields):
    return H(name, '2', link=link, **fields)


def records(pairs):
    out = b''
    for key, value in pairs:
        tail = b' ' + raw(key) + b'=' + raw(value) + b'\n'
        length = len(tail) + 1
        while len(str(length)) + len(tail) != length:
            length += 1
        out += raw(length) + tail
    return out


def X(*pairs, type='x'):
    data = records(pairs)
    return H('./PaxHeaders/x', type, len(data)) + pad(data)


def L(name, nul=b'\0', type='L'):
    data = raw(name) + nul
    return H('././@LongLink', type, len(data), magic=b'ustar  \0') + pad(data)


EOF = bytes(1024)
inner = F('inner', 'INNER')
A = F('after', 'after\n')


# Running.

class Ran:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


# The limits are those of this process as well: that is quicker than to set
# them in each child.
if not SANITIZED:
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30,) * 2)
resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 30,) * 2)


def run(argv, cwd='.', stdin=None, user=None, umask=0o22):
    """Run ARGV; the status tells of signals and greed, too."""
    outputs = [os.memfd_create(name) for name in ('stdout', 'stderr')]
    back = os.open('.', os.O_PATH)
    os.chdir(cwd)
    os.umask(umask)
    if user is not None and ROOT:
        argv = ['setpriv', '--reuid=%d' % user, '--regid=%d' % user,
                '--clear-groups', '--bounding-set=-all', '--inh-caps=-all',
                *argv]
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 0, stdin or '/dev/null', os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, outputs[0], 1),
        (os.POSIX_SPAWN_DUP2, outputs[1], 2)],
        setsigdef=[signal.SIGPIPE, signal.SIGXFSZ])
    os.umask(0o22)
    os.fchdir(back)
    os.close(back)
    timer = threading.Timer(SECONDS, os.kill, (pid, 9))
    timer.start()
    _, status, usage = os.wait4(pid, 0)
    timer.cancel()
    status = ('signal %d' % os.WTERMSIG(status) if os.WIFSIGNALED(status)
              else os.WEXITSTATUS(status))
    if usage.ru_maxrss > MEGABYTES << 10 and not SANITIZED:
        status = '%s, with %d KB of memory' % (status, usage.ru_maxrss)
    texts = []
    for fd in outputs:
        os.lseek(fd, 0, os.SEEK_SET)
        with os.fdopen(fd, 'rb') as file:
            texts.append(file.read().decode(errors='backslashreplace'))
    return Ran(status, texts[0],
               ('\n' + texts[1]).replace('\n%s: ' % TAR, '\ntar: ')[1:])


# Looking.

def looks(path, exact):
    """What PATH is; where EXACT, all that could have been changed."""
    info = os.lstat(path)
    mode = info.st_mode
    if stat.S_ISREG(mode):
        with open(path, 'rb') as file:
            content = file.read(65)
        text = (content.decode(errors='backslashreplace')
                if info.st_size <= 64 else '%d bytes' % info.st_size)
    elif stat.S_ISLNK(mode):
        text = '-> ' + os.readlink(path)
    elif stat.S_ISDIR(mode):
        text = '/'
    else:
        text = {stat.S_IFIFO: 'fifo'}.get(stat.S_IFMT(mode), 'special')
    if exact:
        return (text, oct(mode), info.st_ino, info.st_nlink, info.st_size,
                info.st_mtime_ns)
    return text


def tree(top, exact=False, without=()):
    found = {}
    for where, dirs, files in os.walk(top):
        for name in dirs + files:
            path = os.path.join(where, name)
            short = os.path.relpath(path, top)
            if short.split('/')[0] not in without:
                found[short] = looks(path, exact)
    return found


def lines(value):
    if isinstance(value, dict):
        return ['%s: %r' % pair for pair in sorted(value.items())]
    return str(value).splitlines()


class Case:
    """See above.  What is found is added to `failed'."""
    failed = []
    count = 0

    def __init__(self, title):
        self.title, self.faults = title, []
        Case.count += 1
        self.top = os.path.abspath('case-%d' % Case.count)

    def __enter__(self):
        shutil.rmtree(self.top, ignore_errors=True)
        os.mkdir(self.top, 0o755)
        os.mkdir(self.top + '/out')
        self.write('out/secret', 'secret\n')
        self.names = None
        return self

    def __exit__(self, kind, problem, where):
        if problem is not None:
            self.faults.append('line %d: %r' % (where.tb_lineno, problem))
        if self.faults:
            Case.failed.append(self.title)
            print('FAILED: ' + self.title)
            for fault in self.faults:
                print('    ' + fault)
        elif 'v' in OPTIONS:
            print('as wanted: ' + self.title)
        return isinstance(problem, Exception)

    def write(self, name, data, mode=0o644):
        path = os.path.join(self.top, name)
        with open(path, 'wb') as file:
            file.write(raw(data))
        os.chmod(path, mode)
        return path

    def archive(self, *parts, end=EOF):
        self.write('a.tar', b''.join(raw(part) for part in parts) + end)

    def same(self, what, found, wanted):
        if found == wanted:
            return
        self.faults.append(what + ':')
        self.faults += ['  ' + line for line in difflib.unified_diff(
            lines(wanted), lines(found), 'wanted', 'found', lineterm='', n=1)]

    def tar(self, *args, status=0, out=None, err=(), cwd=None, inject=(),
            stdin=None, user=None, umask=0o22):
        """Run tar in x, or in CWD, and compare."""
        argv = [TAR, *args]
        if inject:
            argv = ['inject', *inject, '--'] + argv
        before = tree(self.top, True, ('x',))
        got = run(argv, cwd or self.top + '/x', stdin, user, umask)
        after = tree(self.top, True, ('x',))
        what = ' '.join(['tar', *args])
        self.same(what + ': status', got.status, status)
        if out is not None:
            self.same(what + ': stdout', got.out, out)
        if err is not None:
            wanted = list(err)
            if status == 2 and wanted[-1:] != [FATAL]:
                wanted.append(FAILURE)
            self.same(what + ': stderr', got.err,
                      ''.join('tar: %s\n' % line for line in wanted))
        self.same(what + ': what is outside', after, before)
        return got

    def empty(self):
        shutil.rmtree(self.top + '/x', ignore_errors=True)
        os.mkdir(self.top + '/x', 0o700)

    def list(self, names, status=0, err=(), more=()):
        """-t gives NAMES, from a file and through a pipe's eyes."""
        self.names = ''.join(name + '\n' for name in names)
        self.empty()
        self.tar('-tf', '../a.tar', *more, status=status, out=self.names,
                 err=err)

    def extract(self, wanted, status=0, err=(), more=(), names=None, **how):
        """-xv gives the tree WANTED and shows NAMES, or those of `list'."""
        if names is not None:
            names = ''.join(name + '\n' for name in names)
        self.empty()
        if how.get('user') is not None and ROOT:
            os.chown(self.top + '/x', how['user'], how['user'])
        got = self.tar('-xvf', '../a.tar', *more, status=status,
                       out=self.names if names is None else names, err=err,
                       **how)
        self.same('extracted', tree(self.top + '/x'), wanted)
        return got

    def sizes(self, wanted):
        """-tv shows these sizes, in this order."""
        got = self.tar('-tvf', '../a.tar', '--numeric-owner', err=None)
        self.same('sizes', [line.split()[2] for line in
                            got.out.splitlines()], wanted)

    def modes(self, wanted):
        self.same('modes', {name: '%o' % stat.S_IMODE(
            os.lstat(self.top + '/x/' + name).st_mode) for name in wanted},
            wanted)


def finish():
    print('%d of %d cases failed' % (len(Case.failed), Case.count)
          if Case.failed else '%d cases' % Case.count)
    sys.exit(bool(Case.failed))
