"""Maps of sparse members that are incomplete, unordered or nonsense.

Copyright (C) 2026 The reflink-tar authors.
SPDX-License-Identifier: GPL-3.0-or-later
"""

import os

from case import *

GNU = b'ustar  \0'
AFTER = {'after': 'after\n'}
# What is left of a member whose map is refused, as by GNU tar.
REFUSED = {'s': '', **AFTER}


def old(chunks, size, data=b''):
    """A member `s' of the old format."""
    at = [(386 + 12 * i, n if isinstance(n, bytes) else octal(12, n))
          for i, n in enumerate(n for chunk in chunks for n in chunk)]
    at.append((483, size if isinstance(size, bytes) else octal(12, size)))
    return H('s', 'S', len(data), magic=GNU, at=at) + pad(data)


def new(text, data=b'd' * 512, size=4096):
    """A member `s' of format 1.0, with TEXT for a map."""
    data = pad(raw(text)) + data
    return (X(('GNU.sparse.major', 1), ('GNU.sparse.minor', 0),
              ('GNU.sparse.name', 's'), ('GNU.sparse.realsize', size))
            + F('GNUSparseFile.1/s', data))


def size(c, name, wanted):
    c.same('size of ' + name, os.lstat(c.top + '/x/' + name).st_size, wanted)


def content(c, wanted):
    with open(c.top + '/x/s', 'rb') as file:
        c.same('the content is right', file.read() == wanted, True)


with Case('20: an old map without any entry') as c:
    c.archive(old((), 1 << 20), A)
    c.list(['s', 'after'])
    c.extract({'s': '1048576 bytes', **AFTER})
    c.sizes(['1048576', '6'])
with Case('20: a map 0.1 without a last entry') as c:
    c.archive(X(('GNU.sparse.size', 4096), ('GNU.sparse.numblocks', 1),
                ('GNU.sparse.name', 's'), ('GNU.sparse.map', '1024,512')),
              F('GNUSparseFile.1/s', 'd' * 512), A)
    c.list(['s', 'after'])
    c.extract({'s': '4096 bytes', **AFTER})
    content(c, bytes(1024) + b'd' * 512 + bytes(2560))
with Case('20: a map 1.0 without a last entry') as c:
    c.archive(new('1\n1024\n512\n'), A)
    c.list(['s', 'after'])
    c.extract({'s': '4096 bytes', **AFTER})
    content(c, bytes(1024) + b'd' * 512 + bytes(2560))

INVALID = ['s: invalid sparse archive member']
MALFORMED = ['s: malformed sparse archive member']
for what, chunks in (('unsorted', ((2048, 512), (0, 512))),
                     ('overlapping', ((0, 512), (256, 512)))):
    text = ''.join('%d\n%d\n' % chunk for chunk in chunks)
    pairs = [('GNU.sparse.map', text[:-1].replace('\n', ','))]
    listed = [('GNU.sparse.' + key, n) for chunk in chunks
              for key, n in zip(('offset', 'numbytes'), chunk)]
    head = [('GNU.sparse.size', 4096), ('GNU.sparse.numblocks', 2)]
    name = [('GNU.sparse.name', 's')]
    data = b'd' * 1024
    for version, member in (
            ('old', old(chunks, 4096, data)),
            ('0.0', X(*head, *listed) + F('s', data)),
            ('0.1', X(*head, *name, *pairs) + F('GNUSparseFile.1/s', data)),
            ('1.0', new('2\n' + text, data))):
        with Case('21: %s, format %s' % (what, version)) as c:
            c.archive(member, A)
            c.list(['s', 'after'], 2, INVALID)
            c.extract(REFUSED, 2, INVALID)

for what, value, member in (
        ('offset', -512, old(((B(-512), 512),), 4096, b'd' * 512)),
        ('length', -1, old(((1024, B(-1)),), 4096, b'd' * 512)),
        ('real size', -4096, old(((0, 512),), B(-4096), b'd' * 512))):
    with Case('23: a negative %s' % what) as c:
        c.archive(member, A)
        err = ['Archive value %d is out of off_t range 0..%d'
               % (value, (1 << 63) - 1), *INVALID]
        c.list(['s', 'after'], 2, err)
        c.extract(REFUSED, 2, err)
for text in '1\n-5\n512\n', '1\nabc\n512\n':
    with Case('23: a map 1.0 that is %r' % text) as c:
        c.archive(new(text), A)
        c.list(['s', 'after'], 2, MALFORMED)
        c.extract(REFUSED, 2, MALFORMED)

for first in 'size', 'realsize':
    with Case('25: %s comes first' % first) as c:
        pairs = [('size', 1024), ('GNU.sparse.realsize', 4096)]
        if first != 'size':
            pairs.reverse()
        c.archive(X(('GNU.sparse.major', 1), ('GNU.sparse.minor', 0),
                    ('GNU.sparse.name', 's'), *pairs),
                  H('GNUSparseFile.1/s'), pad(b'2\n0\n512\n4096\n0\n'),
                  b'd' * 512, A)
        c.list(['s', 'after'])
        c.extract({'s': '4096 bytes', **AFTER})
        c.sizes(['4096', '6'])
        content(c, b'd' * 512 + bytes(3584))

finish()
