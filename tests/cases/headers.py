"""Sizes, numbers and names in headers and extended headers.

Copyright (C) 2026 The reflink-tar authors.
SPDX-License-Identifier: GPL-3.0-or-later
"""

import os

from case import *

NOT_A_TAR = ['This does not look like a tar archive',
             'Skipping to next header']
TRUNCATED = ['Unexpected EOF in archive', FATAL]
AFTER = {'after': 'after\n'}

with Case('1: the size in an extended header is not that of a long name') as c:
    c.archive(X(('size', 2048)), L('longname.txt'), F('file_a', 'A' * 16),
              F('file_b', 'B' * 16))
    c.list(['longname.txt'], err=['A lone zero block at 10'])
    c.extract({'longname.txt': '2048 bytes'}, err=['A lone zero block at 10'])
    c.sizes(['2048'])

with Case('2a: a larger size in an extended header counts') as c:
    c.archive(X(('size', 1024)), H('outer'), inner, A)
    c.list(['outer', 'after'])
    c.extract({'outer': '1024 bytes', **AFTER})
with Case('2b: a smaller size in an extended header counts') as c:
    c.archive(X(('size', 0)), H('outer', size=1024), inner, A)
    c.list(['outer', 'inner', 'after'])
    c.extract({'outer': '', 'inner': 'INNER', **AFTER})

for type, looks in (('1', 'TARGET'), ('2', '-> target'), ('3', 'special'),
                    ('5', '/'), ('6', 'fifo')):
    with Case('3: type %s has no data' % type) as c:
        c.archive(F('target', 'TARGET'),
                  H('m', type, 1024, link='target' if type in '12' else '',
                    at=((329, b'0000001\0'), (337, b'0000003\0'))
                    if type == '3' else ()), inner, A)
        shown = 'm/' if type == '5' else 'm'
        c.list(['target', 'm', 'inner', 'after'])
        c.sizes(['6', '1,3' if type == '3' else '0', '5', '6'])
        if type == '3' and not ROOT:
            continue
        c.extract({'target': 'TARGET', 'm': looks, 'inner': 'INNER', **AFTER})

for size, value in ((B(-5), '-5'), (b'\xff' * 12, '-1'),
                    (B((1 << 63) + 5), '9223372036854775813'),
                    (B(-1 << 63), '-9223372036854775808')):
    with Case('4: size ' + value) as c:
        c.archive(H('neg', size=size), A)
        err = ['Archive value %s is out of off_t range 0..%d'
               % (value, (1 << 63) - 1), *NOT_A_TAR]
        c.list(['after'], 2, err)
        c.extract(AFTER, 2, err)

for size in 1 << 60, (1 << 63) - 1:
    with Case('5: size %d' % size) as c:
        c.archive(H('big', size=B(size)), A)
        c.list(['big'], 2, TRUNCATED)
        c.extract({'big': '2048 bytes'}, 2, TRUNCATED)
        c.modes({'big': '600'})
        assert os.lstat(c.top + '/x/big').st_blocks <= 64
        got = c.tar('-xOf', '../a.tar', status=2, err=TRUNCATED)
        c.same('-O', len(got.out), 2048)

for size, tail in (('-1', '-1'), ('1' * 23, '1' * 23)):
    with Case('6: size %s in an extended header' % size) as c:
        c.archive(X(('size', size)), F('neg', 'neg\n'), A)
        err = ["Extended header size=%s is out of range 0..%d"
               % (tail, (1 << 63) - 1)]
        c.list(['neg', 'after'], 2, err)
        c.extract({'neg': 'neg\n', **AFTER}, 2, err)
with Case('6: size 2^63-1 in an extended header') as c:
    c.archive(X(('size', (1 << 63) - 1)), F('neg', 'neg\n'), A)
    c.list(['neg'], 2, TRUNCATED)
    c.extract({'neg': '2560 bytes'}, 2, TRUNCATED)

for type in 'LKxgDX':
    for size in 1 << 62, 0o77777777777:
        with Case('7: type %s and size %d' % (type, size)) as c:
            c.archive(H('././@LongLink', type, B(size) if size > 1 << 40
                        else size, magic=b'ustar  \0'), bytes(512), F('x'))
            c.empty()
            c.tar('-tf', '../a.tar', status=2, err=None)
            c.tar('-xf', '../a.tar', status=2, err=None)

NAMELESS = ': transforms to empty name'
for what, members in (
        ('no name', [H('')]), ('a long name of no bytes', [L('', b''),
                                                           F('s', 'short')]),
        ('a long name that is a NUL', [L(''), F('s', 'short')]),
        ('an empty path', [X(('path', '')), F('s', 'short')]),
        ('a directory', [D('')])):
    with Case('8: no name, ' + what) as c:
        c.archive(*members, A)
        c.list(['', 'after'], err=[NAMELESS])
        c.extract(AFTER, err=[NAMELESS], names=['after'])
with Case('8: a link without a name, and a file') as c:
    c.archive(S('', c.top + '/out'), F('', 'BAD'), F('target', ''),
              H('', '1', link='target'), A)
    c.list(['', '', 'target', '', 'after'], err=[NAMELESS] * 3)
    for option in (), ('-U',), ('--recursive-unlink',), ('--overwrite',):
        c.extract({'target': '', **AFTER}, err=[NAMELESS] * 3, more=option,
                  names=['target', 'after'])

for length in 511, 512, 513, 1024:
    for nul in b'\0', b'':
        with Case('9: a long name of %d bytes, NUL: %r' % (length, nul)) as c:
            name = ('n' * 99 + '/') * (length // 100)
            name = (name + 'e' * length)[:length]
            c.archive(L(name, nul), F('short', 'data'), A)
            c.list([name, 'after'])
            got = c.tar('-xf', '../a.tar')
            with open(c.top + '/x/' + name) as file:
                c.same('content', file.read(), 'data')
with Case('9: a block too many after a long name') as c:
    c.archive(L('n' * 512, b''), bytes(512), F('short', 'data'), A)
    err = ['A lone zero block at 3',
           'Data follows it; --ignore-zeros reads on']
    c.list([], 0, err)
    c.extract({}, 0, err)
with Case('9: a long name ends with a NUL') as c:
    c.archive(L('abc\0def/../../evil'), F('short', 'data'), A)
    c.list(['abc', 'after'])
    c.extract({'abc': 'data', **AFTER})
with Case('9: the second long name counts') as c:
    c.archive(L('one'), L('two'), F('short', 'data'), A)
    c.list(['two', 'after'])
    c.extract({'two': 'data', **AFTER})
with Case('9: a long name and no member') as c:
    c.archive(A, L('unused'))
    c.list(['after'])
    c.extract(AFTER)
with Case('9: fields that are full') as c:
    name, link, prefix = 'n' * 100, 'l' * 100, 'p' * 155
    c.archive(S(name, link, prefix=prefix), A)
    c.list([prefix + '/' + name, 'after'])
    c.extract({prefix: '/', prefix + '/' + name: '-> ' + link, **AFTER})

for type in '\0', '0':
    for letter in 'd', 'e':
        with Case('10: a long name without a slash, type %r, %s'
                  % (type, letter)) as c:
            name, field = letter * 99 + '/file.txt', 'd' * 99 + '/'
            c.archive(L(name), H(field, type, 3), pad(b'abc'), A)
            c.list([name, 'after'])
            c.extract({letter * 99: '/', name: 'abc', **AFTER})
with Case('10: two members, parents of one length') as c:
    names = [letter * 99 + '/file.txt' for letter in 'de']
    c.archive(*(L(name) + H('d' * 99 + '/', '\0', 3) + pad(b'abc')
                for name in names), A)
    c.list([*names, 'after'])
    c.extract({'d' * 99: '/', 'e' * 99: '/', names[0]: 'abc', names[1]: 'abc',
               **AFTER})
with Case('10: a path in an extended header') as c:
    c.archive(X(('path', 'realfile')), H('short/', size=3), pad(b'abc'),
              X(('path', 'realdir/')), H('short2'), A)
    c.list(['realfile', 'realdir/', 'after'])
    c.extract({'realfile': 'abc', 'realdir': '/', **AFTER})

finish()
