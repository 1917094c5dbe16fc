#!/bin/sh
# seeds.sh TAR DIRECTORY: make inputs to begin fuzzing with, in DIRECTORY/TARGET.
# TAR makes the archives.
#
# Copyright (C) 2026 The reflink-tar authors.
# SPDX-License-Identifier: GPL-3.0-or-later

set -eu
tar=$1
mkdir -p "$2"
to=$(cd "$2" && pwd)
mkdir -p "$to/archive" "$to/names" "$to/transform" "$to/pax-option" \
  "$to/dumpdir" "$to/snapshot" \
  "$to/checkpoint"
work=$to/.work
rm -rf "$work"
mkdir "$work"
cd "$work"

long=$(printf '%0120d' 7)
mkdir d
echo text >d/file
head -c 1500 /dev/zero | tr '\0' x >d/more
ln -s file d/link
ln d/file d/hard
echo x >"d/$long"
ln -s "$long$long" d/far
truncate -s 100000 sparse
printf data | dd of=sparse bs=1 seek=50000 conv=notrunc 2>/dev/null
# More segments than a header has room for.
i=0
while test $i -lt 40; do
  printf x | dd of=holes bs=1 seek=$((i * 8192)) conv=notrunc 2>/dev/null
  i=$((i + 1))
done
cd "$work"
out=../archive
for format in v7 ustar oldgnu gnu posix; do
  "$tar" -b 1 -cf $out/$format --format=$format d/file d/more d/link d/hard
done
for format in gnu posix; do
  "$tar" -b 1 -cf $out/$format-long --format=$format d
  "$tar" -b 1 -cf $out/$format-label --format=$format -V label d/file
done
"$tar" -b 1 -cf $out/sparse-gnu --format=gnu -S sparse holes
for version in 0.0 0.1 1.0; do
  "$tar" -b 1 -cf $out/sparse-$version --format=posix -S \
    --sparse-version=$version sparse holes
done
"$tar" -b 1 -cf $out/pax --format=posix --pax-option=mtime=123.456,comment=x \
  --pax-option='path:=other,size:=5,SCHILY.xattr.user.a:=b' \
  --pax-option=LIBARCHIVE.creationtime:=7,SCHILY.acl.access:=user::rw- d/file
"$tar" -b 1 -cf $out/owner --owner=someone:3000000 --group=others:9999999 \
  --mtime=@-5.5 d/file

printf 'Ya\0Nb\0Dc\0\0' >../dumpdir/1
printf 'X/t\0Rx\0T\0Ry\0Tx\0R\0Ty\0Yfile\0\0' >../dumpdir/2
"$tar" -cf /dev/null -g ../snapshot/2 d
printf '1234567890 5\n+64769 1234 ./d\n+64769 1235 ./d/e\\n\n' >../snapshot/0
printf 'GNU tar-1.34-1\n12345 0\n1 12345 6 64769 1234 ./d\n' >../snapshot/1

out=../names
printf 'a\nb\\tc\\101\\\\\n\n-C\nd\n--add-file=x\n' >$out/lines
printf 'a\0b\n\0c\0' >$out/nuls
printf 'a\nb\0c\n' >$out/mixed

out=../transform
printf 's/a/b/g\0aaa' >$out/1
printf 's,\\(x\\)y*,\\U&\\E\\1\\l\\u,2gix;s/^/p/rSh\0xyxy/xyy' >$out/2
printf 'flags=r;s|[a-z]+|\\L&|x\0ABC/def' >$out/3
printf 's!\\!!\\\\!3\0a!b!c!d' >$out/4

out=../pax-option
printf 'exthdr.name=%%d/PaxHeaders/%%f,globexthdr.name=/tmp/%%n' >$out/1
printf 'delete=SCHILY.*,mtime:={2001-02-03 4:05},comment=a' >$out/2
printf 'atime:=1.5,globexthdr.mtime=7,exthdr.mtime={now},path=x' >$out/3

out=../checkpoint
printf 'ttyout=\\r%%{%%Y-%%m-%%d %%H:%%M:%%S}t%%d%%*\\t' >$out/1
printf 'echo="%%s at %%u, %%T%%{r,w,d}T %%c %%30*x"' >$out/2
printf 'sleep=10' >$out/3
printf 'wait=SIGUSR1' >$out/4
printf 'totals' >$out/5

rm -rf "$work"
