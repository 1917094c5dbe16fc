"""Make and describe the directories that differential.py compares.

Copyright (C) 2026 The reflink-tar authors.
SPDX-License-Identifier: GPL-3.0-or-later
"""

import codecs
import datetime
import hashlib
import os
import re
import shlex
import shutil
import socket
import stat

USER = 65534
# What is made has whole, differing seconds from here on: 2001-02-03 04:05:06.
EPOCH = 981173106
BLOCK = 512
LARGE = 1 << 24
CHUNK = 1 << 16
RANGE = re.compile(r"\{(\d+)\.\.(\d+)\}")


def pattern(name, size):
    """SIZE bytes of text that depend on NAME."""
    line = b"%s 0123456789 abcdefghijklmnopqrstuvwxyz\n" % os.path.basename(name)
    return (line * (size // len(line) + 1))[:size]


def nanoseconds(text):
    """The time TEXT, @SECONDS[.FRACTION] or an ISO date in UTC, in ns."""
    if text.startswith("@"):
        whole, _, fraction = text[1:].partition(".")
        return int(whole) * 10**9 + int((fraction + "0" * 9)[:9])
    date, _, fraction = text.partition(".")
    moment = datetime.datetime.fromisoformat(date).replace(
        tzinfo=datetime.timezone.utc)
    return int(moment.timestamp()) * 10**9 + int((fraction + "0" * 9)[:9])


def unescape(word):
    """The bytes that WORD, with the escapes of C, stands for."""
    return codecs.escape_decode(word.encode("utf-8", "surrogateescape"))[0]


class Maker:
    """Makes things below the directory ROOT, owned by USER if that is set.
    TREES has the lists of things that `tree NAME' stands for."""

    def __init__(self, root, trees, user):
        self.root = os.fsencode(root)
        self.trees = trees
        self.user = user
        self.count = 0
        self.times = {}
        self.modes = {}

    def phase(self, lines):
        """Make what LINES say.  Modes and times are given last; the
        directories that things are made in keep theirs."""
        self.times = {}
        self.modes = {}
        for line in lines:
            self.line(line)
        for path in sorted(self.times, reverse=True):
            if os.path.lexists(path):
                os.utime(path, ns=self.times[path], follow_symlinks=False)
                if path in self.modes:
                    os.chmod(path, self.modes[path])

    def line(self, line):
        """Make what LINE says, for each number of a range {1..9} in it."""
        found = RANGE.search(line)
        if found:
            for i in range(int(found.group(1)), int(found.group(2)) + 1):
                self.line(line[:found.start()] + str(i) + line[found.end():])
            return
        kind, *words = shlex.split(line)
        plain = [w for w in words if not re.match(r"[a-z]+=", w)]
        options = dict(w.split("=", 1) for w in words if w not in plain)
        if kind == "tree":
            for each in self.trees[plain[0]]:
                self.line(each)
            return
        name = unescape(plain[0])
        path = os.path.join(self.root, name)
        self.parents(path)
        getattr(self, "make_" + kind)(path, name, plain[1:])
        self.attributes(path, options)

    def parents(self, path):
        """Make the directories that PATH is in."""
        parent = os.path.dirname(path)
        if not os.path.isdir(parent):
            self.parents(parent)
            os.mkdir(parent, 0o755)
            self.attributes(parent, {})
        elif parent not in self.times:
            info = os.stat(parent)
            self.times[parent] = (info.st_atime_ns, info.st_mtime_ns)

    def attributes(self, path, options):
        """Give PATH what OPTIONS say, and a time."""
        if not os.path.lexists(path):
            self.times.pop(path, None)
            return
        if "owner" in options:
            owner, group = options["owner"].split(":")
            os.chown(path, int(owner), int(group), follow_symlinks=False)
        elif self.user is not None:
            os.chown(path, self.user, self.user, follow_symlinks=False)
        if "mode" in options:
            self.modes[path] = int(options["mode"], 8)
        if "xattr" in options:
            for pair in options["xattr"].split(","):
                key, _, value = pair.partition("=")
                os.setxattr(path, key, unescape(value), follow_symlinks=False)
        self.count += 1
        mtime = (EPOCH + 60 * self.count) * 10**9
        if "mtime" in options:
            mtime = nanoseconds(options["mtime"])
        atime = nanoseconds(options["atime"]) if "atime" in options else mtime
        self.times[path] = (atime, mtime)

    @staticmethod
    def make_file(path, name, words):
        """file NAME [SIZE]"""
        with open(path, "wb") as file:
            file.write(pattern(name, int(words[0]) if words else 0))

    @staticmethod
    def make_text(path, _name, words):
        """text NAME WORD...: a file with those lines"""
        with open(path, "wb") as file:
            file.write(b"".join(unescape(w) + b"\n" for w in words))

    @staticmethod
    def make_data(path, _name, words):
        """data NAME WORD: a file with exactly that"""
        with open(path, "wb") as file:
            file.write(unescape(words[0]))

    @staticmethod
    def make_sparse(path, name, words):
        """sparse NAME SIZE [OFFSET:LENGTH]..."""
        with open(path, "wb") as file:
            file.truncate(int(words[0]))
            for word in words[1:]:
                offset, length = map(int, word.split(":"))
                file.seek(offset)
                file.write(pattern(name, length))

    @staticmethod
    def make_dir(path, _name, _words):
        """dir NAME"""
        os.makedirs(path, 0o755, exist_ok=True)

    @staticmethod
    def make_symlink(path, _name, words):
        """symlink NAME TARGET"""
        os.symlink(unescape(words[0]), path)

    def make_hardlink(self, path, _name, words):
        """hardlink NAME EXISTING"""
        old = os.path.join(self.root, unescape(words[0]))
        os.link(old, path, follow_symlinks=False)
        self.times.pop(old, None)

    @staticmethod
    def make_fifo(path, _name, _words):
        """fifo NAME"""
        os.mkfifo(path, 0o644)

    @staticmethod
    def make_char(path, _name, words):
        """char NAME MAJOR MINOR"""
        os.mknod(path, 0o644 | stat.S_IFCHR,
                 os.makedev(int(words[0]), int(words[1])))

    @staticmethod
    def make_block(path, _name, words):
        """block NAME MAJOR MINOR"""
        os.mknod(path, 0o644 | stat.S_IFBLK,
                 os.makedev(int(words[0]), int(words[1])))

    @staticmethod
    def make_socket(path, _name, _words):
        """socket NAME"""
        # Bound by a short name: a socket's address holds 108 bytes.
        where = os.open(os.path.dirname(path), os.O_PATH | os.O_DIRECTORY)
        end = socket.socket(socket.AF_UNIX)
        end.bind(b"/proc/self/fd/%d/%s" % (where, os.path.basename(path)))
        end.close()
        os.close(where)

    @staticmethod
    def make_change(_path, _name, _words):
        """change NAME: only give what is there attributes"""

    @staticmethod
    def make_remove(path, _name, _words):
        """remove NAME: with all that is in it"""
        remove(path)


def remove(path):
    """Remove PATH and all below, whatever its modes."""
    if not os.path.isdir(path) or os.path.islink(path):
        if os.path.lexists(path):
            os.unlink(path)
        return
    os.chmod(path, 0o700)
    with os.scandir(path) as entries:
        names = [entry.path for entry in entries
                 if entry.is_dir(follow_symlinks=False)]
    for name in names:
        remove(name)
    shutil.rmtree(path)


def checked(head):
    """The header HEAD with its checksum made right."""
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return head


def size_of(head):
    """How many bytes of data follow the header HEAD."""
    digits = bytes(head[124:136]).strip(b"\0 ")
    if head[156:157] in b"123456" or not re.fullmatch(rb"[0-7]+", digits):
        return 0
    return int(digits, 8)


def timeless(records, since):
    """The pax RECORDS with access and change times from SINCE on as `now':
    nobody can set a change time."""
    out = b""
    while records:
        length = int(records.split(b" ")[0])
        record, records = records[:length], records[length:]
        found = re.search(rb" ([ac]time)=(\d+)", record)
        if found and since // 10**9 <= int(found.group(2)):
            record = b"%d %s=now\n" % (len("10 ctime=now\n"), found.group(1))
        out += record
    return out


def dateless(head, since):
    """The header HEAD, of a label or a global header, without its time if that
    is from SINCE on."""
    digits = bytes(head[136:148]).strip(b"\0 ")
    if not re.fullmatch(rb"[0-7]+", digits) or int(digits, 8) < since // 10**9:
        return head
    head[136:148] = b"0" * 11 + b"\0"
    return checked(head)


def normal_archive(data, blank_devices, since):
    """The archive DATA, of format ustar or posix, with the times described
    above, without those of global headers, without the process number that sparse members have in their names,
    and, if BLANK_DEVICES, without device numbers in headers of types
    other than devices: so GNU tar writes them from 1.35 on."""
    out = b""
    at = 0
    while at + BLOCK <= len(data):
        head = bytearray(data[at:at + BLOCK])
        at += BLOCK
        if head[257:265] != b"ustar\x0000":
            out += head
            continue
        size = size_of(head)
        follows = data[at:at + -(-size // BLOCK) * BLOCK]
        at += len(follows)
        if blank_devices and head[156:157] not in b"34" \
                and head[329:345] == b"0000000\0" * 2:
            head[329:345] = bytes(16)
            head = checked(head)
        if b"GNUSparseFile." in head[:100]:
            name = re.sub(rb"(GNUSparseFile)\.\d+", rb"\1", head[:100])
            head[:100] = name.ljust(100, b"\0")
            head = checked(head)
        if head[156:157] == b"g":
            head = dateless(head, since)
        if head[156:157] == b"x":
            records = timeless(follows[:size], since)
            head[124:136] = b"%011o\0" % len(records)
            head = checked(head)
            follows = records + bytes(-len(records) % BLOCK)
        out += head + follows
    return out + data[at:]


def is_recent(digits, since):
    """Whether a time is from SINCE on."""
    digits = digits.strip(b"\0 ")
    return digits.isdigit() and since // 10**9 <= int(digits, 8)


def normal_dump(data, since):
    """The archive DATA, of format gnu, with the three times of incremental
    dumps blank where they are from SINCE on."""
    out = b""
    at = 0
    while at + BLOCK <= len(data):
        head = bytearray(data[at:at + BLOCK])
        at += BLOCK
        follows = b""
        if head[257:265] == b"ustar  \0":
            follows = data[at:at + -(-size_of(head) // BLOCK) * BLOCK]
            at += len(follows)
        if is_recent(bytes(head[345:357]), since) \
                or is_recent(bytes(head[357:369]), since):
            for field in 136, 345, 357:
                if is_recent(bytes(head[field:field + 12]), since):
                    head[field:field + 12] = bytes(12)
            head = checked(head)
        out += head + follows
    return out + data[at:]


def normal_snapshot(data, since):
    """The file DATA of --listed-incremental, sorted (its order depends on
    where the tree is), without inode numbers and recent times."""
    line, data = data.split(b"\n", 1)
    fields = data.split(b"\0")
    seconds = since // 10**9
    records = []
    start = b"now" if seconds <= int(fields[0]) else b"then"
    fields = fields[2:]
    while len(fields) > 1:
        record, fields = fields[:6], fields[6:]
        if seconds <= int(record[1]):
            record[1:3] = [b"now"]
        record[-2] = b"inode"
        end = fields.index(b"")
        records.append(b" ".join(record + fields[:end]))
        fields = fields[end + 2:]
    return b"\n".join([line, start] + sorted(records))


def normal(data, blank_devices, since):
    """The content DATA of a file, made comparable if it is an archive, or made
    for one."""
    if data[156:157] == b"V" and len(data) % BLOCK == 0:
        return bytes(dateless(bytearray(data[:BLOCK]), since)) + data[BLOCK:]
    try:
        if data[257:265] == b"ustar\x0000":
            return normal_archive(data, blank_devices, since)
        if data[257:265] == b"ustar  \0":
            return normal_dump(data, since)
        if data[:8] == b"GNU tar-" and b"-2\n" in data[:32]:
            return normal_snapshot(data, since)
        return data
    except (ValueError, IndexError):
        return data


def is_snapshot(path):
    """Whether PATH is a file of --listed-incremental."""
    if not os.access(path, os.R_OK):
        return False
    with open(path, "rb") as file:
        return file.read(8) == b"GNU tar-"


def checksum(path, blank_devices, since):
    """A checksum of the content of PATH; of a large file only data counts
    that is not zero, with where it is."""
    total = hashlib.sha1()
    if not os.access(path, os.R_OK):  # as another's
        return "unreadable"
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size < LARGE:
            total.update(normal(file.read(), blank_devices, since))
            return total.hexdigest()[:12]
        at = 0
        while at < size:
            try:
                at = os.lseek(file.fileno(), at, os.SEEK_DATA)
            except OSError:
                break
            at -= at % CHUNK
            data = os.pread(file.fileno(), CHUNK, at)
            if any(data):
                total.update(b"%d " % at + data)
            at += CHUNK
    return total.hexdigest()[:12]


def clean(data):
    """DATA as printable text in one line."""
    return data.decode("latin-1").encode("unicode_escape").decode().replace(
        r"\\", "\\")


class Describer:
    """Describes the tree ROOT in lines; times from SINCE (ns) on are `now'.
    LEAVE is a set of names to leave out, SHOW may have `atime'."""

    def __init__(self, root, since, leave, show, blank_devices):
        self.root = os.fsencode(root)
        self.since = since
        self.leave = leave
        self.show = show
        self.blank_devices = blank_devices
        self.first = {}
        self.closed = {}

    def open(self, path):
        """Make PATH, which may be closed to us, one that we can look at."""
        info = os.lstat(path)
        wanted = {stat.S_IFDIR: 0o500, stat.S_IFREG: 0o400}.get(
            stat.S_IFMT(info.st_mode), 0)
        if info.st_uid == os.geteuid() and ~info.st_mode & wanted:
            self.closed.setdefault(info.st_ino, info.st_mode)
            os.chmod(path, stat.S_IMODE(info.st_mode) | wanted)
        return info

    def lines(self):
        """A line for each thing, sorted by name."""
        return [line for name in sorted(self.names(b"."))
                for line in self.describe(name)]

    def names(self, name):
        """NAME and all below it."""
        yield name
        path = os.path.join(self.root, name)
        if not stat.S_ISDIR(self.open(path).st_mode):
            return
        with os.scandir(path) as entries:
            for entry in list(entries):
                below = entry.name if name == b"." else name + b"/" + entry.name
                if os.fsdecode(below) not in self.leave:
                    yield from self.names(below)

    def time(self, when):
        """WHEN (ns) as text."""
        if self.since <= when:
            return "now"
        return "%d.%09d" % divmod(when, 10**9)

    def describe(self, name):
        """The lines for NAME."""
        path = os.path.join(self.root, name)
        info = os.lstat(path)
        kind = stat.filemode(self.closed.get(info.st_ino, info.st_mode))
        words = [clean(name), kind, f"{info.st_uid}:{info.st_gid}",
                 self.time(info.st_mtime_ns)]
        if "atime" in self.show:
            words.append("read " + self.time(info.st_atime_ns))
        if stat.S_ISREG(info.st_mode):
            words += [f"size {info.st_size}",
                      checksum(path, self.blank_devices, self.since)]
            if is_snapshot(path):
                words[-2] = "size varies"  # with the times and numbers in it
        elif stat.S_ISLNK(info.st_mode):
            words.append("to " + clean(os.readlink(path)))
        elif stat.S_ISBLK(info.st_mode) or stat.S_ISCHR(info.st_mode):
            words.append("%d,%d" % (os.major(info.st_rdev),
                                    os.minor(info.st_rdev)))
        if not stat.S_ISDIR(info.st_mode) and info.st_nlink != 1:
            first = self.first.setdefault(info.st_ino, clean(name))
            words.append(f"links {info.st_nlink} like {first}")
        yield "tree: " + " ".join(words)
        for key in sorted(os.listxattr(path, follow_symlinks=False)):
            value = os.getxattr(path, key, follow_symlinks=False)
            yield f"tree: {clean(name)} has {key} {clean(value)}"
