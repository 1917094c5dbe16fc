"""Links, and what tries to leave the directory.

Copyright (C) 2026 The reflink-tar authors.
SPDX-License-Identifier: GPL-3.0-or-later
"""

import os

from case import *

AFTER = {'after': 'after\n'}
OUTSIDE = 'A link leads out of the extraction directory'
STRIPPED = "Removing leading `%s' from member names"
DOTS = "%s: Member name contains '..'"

# Parents that are made on demand, while others are open.
for before in (), ('d',), ('d', 'e', 'f', 'g'):
    with Case('0a: %d directories are there' % len(before)) as c:
        c.archive(*(D(name + '/') for name in before),
                  F('d/x', '1'), F('e/y', '2'))
        c.list([*(name + '/' for name in before), 'd/x', 'e/y'])
        c.extract({**dict.fromkeys(before, '/'), 'd': '/', 'd/x': '1',
                   'e': '/', 'e/y': '2'})
with Case('0a: all types') as c:
    c.archive(F('d/x', '1'), S('e/l', 'x'), H('f/h', '1', link='d/x'),
              H('g/p', '6'), A)
    c.extract({'d': '/', 'd/x': '1', 'e': '/', 'e/l': '-> x', 'f': '/',
               'f/h': '1', 'g': '/', 'g/p': 'fifo', **AFTER})
with Case('0a: three parents') as c:
    c.archive(F('dd/x', '1'), F('ee/y', '2'), F('ff/z', '3'))
    c.extract({'dd': '/', 'dd/x': '1', 'ee': '/', 'ee/y': '2', 'ff': '/',
               'ff/z': '3'})
with Case('0a: back and forth') as c:
    c.archive(F('d/x', '1'), F('eee/y', '2'), F('d/z', '3'), F('e/w', '4'))
    c.extract({'d': '/', 'd/x': '1', 'd/z': '3', 'eee': '/', 'eee/y': '2',
               'e': '/', 'e/w': '4'})

for top in '/', '//', '/.':
    with Case('0b: -C ' + top) as c:
        name = (c.top + '/x/').lstrip('/')
        c.archive(F(name + 'f', '1'), F(name + 'd/g', '2'))
        c.list([name + 'f', name + 'd/g'], more=('-C', top))
        c.extract({'f': '1', 'd': '/', 'd/g': '2'}, more=('-C', top))
        c.tar('-df', '../a.tar', '-C', top, err=())
        c.tar('-cf', 'b.tar', '-C', top, name + 'f', name + 'd')
        c.tar('-tf', 'b.tar', out=''.join(
            '%s%s\n' % (name, tail) for tail in ('f', 'd/', 'd/g')))
        c.tar('-rf', 'b.tar', '-C', top, name + 'f')
        c.tar('-tf', 'b.tar', '-C', top, name + 'd/g', out=name + 'd/g\n')
        # No link leads out of that directory.
        c.archive(D(name + 'd/'), S(name + 'abs', c.top + '/x/d'),
                  F(name + 'abs/f', '3'), L('../' * 99 + name, type='K'),
                  S(name + 'up', ''), F(name + 'up/d/g', '4'))
        for inject in (), ('openat2=ENOSYS',):
            c.names = None
            c.extract({'d': '/', 'd/f': '3', 'd/g': '4',
                       'abs': '-> %s/x/d' % c.top,
                       'up': '-> ' + '../' * 99 + name},
                      more=('-C', top), inject=inject)

with Case('0c: --one-top-level, absolute and new') as c:
    c.archive(F('d/f', '1'), A)
    c.extract({'new': '/', 'new/abs': '/', 'new/abs/d': '/',
               'new/abs/d/f': '1', 'new/abs/after': 'after\n'},
              more=('--one-top-level=%s/x/new/abs' % c.top,))

with Case('0d: ../ does not change the directory') as c:
    c.archive(D('../'), A)
    c.list(['../', 'after'], err=None)
    c.extract(AFTER, 2, [STRIPPED % '..', DOTS % '../'], names=['after'])
    c.modes({'.': '700'})

with Case('29: hard links to themselves') as c:
    c.archive(F('foo', 'hello\n'), *(H(name, '1', link=link)
              for name, link in (('foo', 'foo'), ('./foo', 'foo'),
                                 ('foo', './foo'))))
    c.list(['foo', 'foo', './foo', 'foo'])
    c.extract({'foo': 'hello\n'})
with Case('29: only a hard link to itself') as c:
    c.archive(H('foo', '1', link='foo'))
    c.extract({}, 2, ["foo: Cannot hard link to 'foo':"
                      " No such file or directory"])
with Case('29: one name twice') as c:
    c.write('foo', 'hello\n')
    c.empty()
    c.tar('-czhf', 'x/my.tgz', 'foo', 'foo', cwd=c.top)
    os.mkdir(c.top + '/x/new')
    c.tar('-xzf', 'my.tgz', '-C', 'new')
    c.same('extracted', tree(c.top + '/x/new'), {'foo': 'hello\n'})

with Case('31: hard links to the outside') as c:
    passwd, secret = '../' * 4 + 'etc/passwd', c.top + '/out/secret'
    c.archive(H('a/b/c/d/x', '1', link=passwd), H('foo', '1', link=secret),
              F('x/obj', 'o'), H('x/y/lnk', '1', link='../obj'), A)
    missing = "%s: Cannot hard link to '%s': No such file or directory"
    stripped = "Removing leading `%s' from hard link targets"
    c.extract({'a': '/', 'a/b': '/', 'a/b/c': '/', 'a/b/c/d': '/', 'x': '/',
               'x/obj': 'o', 'x/y': '/', **AFTER}, 2,
              [stripped % ('../' * 4), missing % ('a/b/c/d/x', 'etc/passwd'),
               stripped % '/', missing % ('foo', secret[1:]),
               stripped % '../', missing % ('x/y/lnk', 'obj')])

with Case('32: a link, then a file') as c:
    c.archive(S('moo', c.top + '/out/moo'), F('moo', 'MOO'))
    c.list(['moo', 'moo'])
    c.extract({'moo': 'MOO'})
    c.archive(S('secret', c.top + '/out/secret'), F('secret', 'MOO'))
    c.names = None
    c.extract({'secret': 'MOO'})
with Case('32: two links') as c:
    c.archive(S('l', 'one'), S('l', 'two'))
    c.extract({'l': '-> two'})
    c.archive(S('l', c.top + '/out/one'), S('l', '../out/two'))
    c.extract({'l': '-> ../out/two'})

with Case('33: a link, then a directory') as c:
    c.archive(S('e', c.top + '/out'), D('e', 0o700))
    c.extract({'e': '/'})
    c.modes({'e': '700'})
with Case('33: a link, then a dot in it') as c:
    c.archive(S('e', c.top + '/out'), D('e/.', 0o700), A)
    c.extract({'e': '-> ' + c.top + '/out', **AFTER}, 2,
              ['e/.: Cannot mkdir: ' + OUTSIDE])
with Case('33: a link, then a directory and a file in it') as c:
    c.archive(S('tmp', c.top + '/out'), D('tmp/'), F('tmp/moo', 'MOO'))
    c.extract({'tmp': '/', 'tmp/moo': 'MOO'})

with Case('36: --one-top-level links inside') as c:
    os.mkdir(c.top + '/d')
    c.write('d/f', 'OUTSIDE')
    c.archive(F('d/f', 'INSIDE'), H('d/h', '1', link='d/f'))
    c.empty()
    os.rename(c.top + '/d', c.top + '/x/d')
    c.tar('-xf', '../a.tar', '--one-top-level=top')
    c.same('extracted', tree(c.top + '/x'), {
        'd': '/', 'd/f': 'OUTSIDE', 'top': '/', 'top/d': '/',
        'top/d/f': 'INSIDE', 'top/d/h': 'INSIDE'})
    c.same('links outside', os.stat(c.top + '/x/d/f').st_nlink, 1)
    c.same('links inside', os.stat(c.top + '/x/top/d/f').st_nlink, 2)

for link, name in (('../usr/lib', 'opt/l'), ('usr/lib', 'l'),
                   ('../usr/../usr/./lib', 'opt/l')):
    with Case('38: %s to %s' % (name, link)) as c:
        c.archive(D('usr/'), D('usr/lib/'), D('opt/'), S(name, link),
                  F(name + '/y', 'Y'), S(name + '/s', 'y'),
                  H(name + '/h', '1', link='usr/lib/y'), D(name + '/d/'), A)
        c.extract({'usr': '/', 'usr/lib': '/', 'usr/lib/y': 'Y',
                   'usr/lib/s': '-> y', 'usr/lib/h': 'Y', 'usr/lib/d': '/',
                   'opt': '/', name: '-> ' + link, **AFTER})
        inject = ['openat2=ENOSYS']
        c.extract({'usr': '/', 'usr/lib': '/', 'usr/lib/y': 'Y',
                   'usr/lib/s': '-> y', 'usr/lib/h': 'Y', 'usr/lib/d': '/',
                   'opt': '/', name: '-> ' + link, **AFTER}, inject=inject)
with Case('38: lib to usr') as c:
    c.archive(D('usr/'), S('lib', 'usr'), F('lib/y', 'Y'))
    c.extract({'usr': '/', 'usr/y': 'Y', 'lib': '-> usr'})

with Case('39: members with ..') as c:
    names = ['../moo', 'tmp/../../moo', 'a/../b', '..', '../']
    c.archive(*(F(name, 'BAD') for name in names[:4]), D('../'), A)
    c.extract(AFTER, 2, sum(([STRIPPED % prefix, DOTS % name]
                             for name, prefix in zip(names, (
                                 '../', 'tmp/../../', 'a/../', '..'))), [])
              + [DOTS % '../'], names=['after'])
    c.modes({'.': '700'})
with Case('39: leading slashes, one message for each kind') as c:
    c.archive(F('//tmp/x', '1'), F('//tmp/y', '2'), F('/tmp/z', '3'),
              F('/tmp/w', '4'), A)
    c.extract({'tmp': '/', 'tmp/x': '1', 'tmp/y': '2', 'tmp/z': '3',
               'tmp/w': '4', **AFTER},
              err=[STRIPPED % '//', STRIPPED % '/'])

# All of the above at once: whatever the option, nothing outside changes.
for option in ((), ('-k',), ('-U',), ('--overwrite',), ('--recursive-unlink',),
               ('--skip-old-files',), ('--keep-newer-files',), ('--backup',),
               ('--no-overwrite-dir',), ('--keep-directory-symlink',),
               ('--keep-directory-symlink', '--overwrite'), ('-p',), ('-m',),
               ('--delay-directory-restore',), ('--strip-components=1',),
               ('--one-top-level=top',), ('--transform=s,x,../out,',),
               ('-G',), ('--ignore-zeros',)):
    with Case('31-39: nothing outside changes, %s' % ' '.join(option)) as c:
        out = c.top + '/out'
        c.archive(
            S('moo', out + '/moo'), F('moo', 'BAD'),
            S('secret', out + '/secret'), F('secret', 'BAD'),
            H('secret', '1', link=out + '/secret'), F('secret', 'BAD'),
            S('e', out), D('e', 0o777), S('e', out), D('e/.', 0o777),
            F('e/secret', 'BAD'), F('e/new', 'BAD'), S('e/l', 'BAD'),
            H('e/h', '1', link='moo'), H('e/p', '6'), D('e/d/'),
            H('h', '1', link='e/secret'), F('h', 'BAD'),
            H('h', '1', link='../../out/secret'), F('h', 'BAD'),
            D('d/'), S('d/e', '../../out'), F('d/e/secret', 'BAD'),
            F('d/e/new', 'BAD'), D('d/e/', 0o777), F('d/x/secret', 'BAD'),
            S('d', '../out'), F('d/secret', 'BAD'), F('d/new', 'BAD'),
            F('../out/new', 'BAD'), F('x/../../out/new', 'BAD'),
            D('../out/', 0o777),
            F(out + '/new', 'BAD'), S('out', '../out'), F('out/new', 'BAD'),
            H('g/', 'D', 12, magic=b'ustar  \0'), pad(b'Nold\0Yx\0\0\0\0'),
            F('/after', 'after\n'))
        c.empty()
        # The second time with what the first has left.
        for _ in 1, 2:
            c.tar('-xf', '../a.tar', *option, status=2, err=None)

finish()
