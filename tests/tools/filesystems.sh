#! /bin/sh
# Make, mount and clean up the filesystems that the tests run on.

# Copyright (C) 2026 The reflink-tar authors.
# SPDX-License-Identifier: GPL-3.0-or-later

# Everything lives under one directory DIR, which this program creates:
#
#   DIR/NAME                    a mounted filesystem, for each NAME below
#   DIR/NAME.skip               or one line saying why it is not there
#   DIR/reflink-tar-NAME.img    its image, sparse
#   DIR/reflink-tar-owner       process id and start time of the run it is for
#
# The owner file is what makes DIR ours: without it nothing is unmounted or
# removed.  It also tells a killed run from a running one.

set -u
PATH=$PATH:/usr/sbin:/sbin

usage ()
{
  cat <<'END'
Usage: filesystems.sh up [--owner=PID] DIR [NAME]...
       filesystems.sh down DIR
       filesystems.sh with DIR [NAME]... -- COMMAND [ARG]...
       filesystems.sh sweep PARENT
       filesystems.sh names

up     make and mount the filesystems NAME... (all by default) under DIR for
       the process PID (the caller by default); clean up first if DIR was
       left by a process that is gone
down   unmount and remove them, and DIR if it is then empty
with   up, run COMMAND, down, also when interrupted; COMMAND's exit status
sweep  down for every PARENT/DIR whose process is gone
names  list the names known

Images are as large as FILESYSTEMS_IMAGE_SIZE says (16G; sparse files).
END
}

# A small XFS behaves badly near ENOSPC, so be generous: the files are sparse.
image_size=${FILESYSTEMS_IMAGE_SIZE:-16G}

# NAME:KIND:OPTIONS.  A KIND is a function make_KIND, called with the name and
# the options.  The order matters where one stands on another.
table='
xfs:xfs:-m reflink=1,rmapbt=0
xfs-rmapbt:xfs:-m reflink=1,rmapbt=1
xfs-1k:xfs:-m reflink=1 -b size=1024
xfs-16k:xfs:-m reflink=1 -b size=16384
xfs-noreflink:xfs:-m reflink=0
btrfs:btrfs:
ext4:ext4:
tmpfs:tmpfs:-o size=8G
overlay:overlay:
bind:bind:
'

die ()
{
  echo "filesystems.sh: $*" >&2
  exit 1
}

names ()
{
  echo "$table" | sed -n 's/:.*//p'
}

# start_time PID: print when the process started, in clock ticks since boot
# (field 22 of proc(5)'s stat; the command's name may hold blanks).
start_time ()
{
  sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20
}

# owner_lives: whether the run that DIR is for still goes on.
owner_lives ()
{
  read -r owner_pid owner_start < "$dir/reflink-tar-owner" || return 1
  test -n "$owner_start" && test "$(start_time "$owner_pid")" = "$owner_start"
}

# mounts_below: print the mount points under DIR, the last mounted first.
# mountinfo writes blank, tab, newline and backslash as octal escapes.
mounts_below ()
{
  cut -d ' ' -f 5 /proc/self/mountinfo | while IFS= read -r escaped; do
    point=$(printf '%b' "$(echo "$escaped" | sed 's/\\/\\0/g')")
    case $point in
      "$dir"/*) echo "$point" ;;
    esac
  done | sed '1!G;h;$!d'
}

# unmount POINT: a process that was killed may take a moment to let go.
unmount ()
{
  tries=0
  until umount "$1" 2>/dev/null; do
    tries=$((tries + 1))
    if test $tries -eq 20; then
      umount -l "$1"
      return
    fi
    sleep 0.1
  done
}

down ()
{
  test -f "$dir/reflink-tar-owner" || return 0
  mounts_below | while IFS= read -r point; do
    unmount "$point"
  done
  test -z "$(mounts_below)" || die "cannot unmount what is under $dir"

  for image in "$dir"/reflink-tar-*.img; do
    test -f "$image" || continue
    losetup -n -O NAME -j "$image" 2>/dev/null | while read -r device; do
      losetup -d "$device"
    done
    rm -f "$image"
  done
  for name in $(names); do
    rm -f "$dir/$name.skip"
    test ! -d "$dir/$name" || rmdir "$dir/$name"
  done
  rm -f "$dir/reflink-tar-owner"
  rmdir "$dir" 2>/dev/null
  return 0
}

# skip NAME REASON...: NAME cannot be had.
skip ()
{
  skip_name=$1
  shift
  rmdir "$dir/$skip_name" 2>/dev/null
  rm -f "$dir/reflink-tar-$skip_name.img"
  echo "$*" > "$dir/$skip_name.skip"
}

# loop_device IMAGE: attach it and print the device.  Outside of devtmpfs the
# kernel has more loop devices than /dev has nodes.  Somebody else may take
# the free one first; then try the next.
loop_device ()
{
  for _ in 1 2 3 4 5; do
    device=$(losetup -f) || return 1
    test -b "$device" || mknod -m 600 "$device" b 7 "${device#/dev/loop}" ||
      return 1
    losetup "$device" "$1" 2>/dev/null && {
      echo "$device"
      return 0
    }
  done
  return 1
}

# mount_image NAME TYPE: mount the image made for NAME, or skip.
mount_image ()
{
  device=$(loop_device "$dir/reflink-tar-$1.img" 2>/dev/null) || {
    skip "$1" "no loop device can be set up"
    return 1
  }
  mkdir -p "$dir/$1"
  if why=$(mount -t "$2" "$device" "$dir/$1" 2>&1); then
    # It is busy, so this makes it go away with the mount.
    losetup -d "$device"
  else
    losetup -d "$device"
    skip "$1" "the kernel refuses to mount it: $why"
    return 1
  fi
}

# make_image NAME TYPE MKFS [OPTION]...
make_image ()
{
  name=$1 type=$2 mkfs=$3
  shift 3
  command -v "$mkfs" >/dev/null || {
    skip "$name" "$mkfs is not installed"
    return 1
  }
  rm -f "$dir/reflink-tar-$name.img"
  truncate -s $image_size "$dir/reflink-tar-$name.img" || {
    skip "$name" "no sparse file of $image_size can be made in $dir"
    return 1
  }
  why=$("$mkfs" "$@" "$dir/reflink-tar-$name.img" 2>&1) || {
    skip "$name" "$mkfs $* failed: $(echo "$why" | head -n 1)"
    return 1
  }
  mount_image "$name" "$type"
}

make_xfs ()
{
  # The options are several words.
  # shellcheck disable=SC2086
  make_image "$1" xfs mkfs.xfs -q $2
}

make_btrfs ()
{
  make_image "$1" btrfs mkfs.btrfs -q || return 1
  for sub in sub-a sub-b; do
    btrfs -q subvolume create "$dir/$1/$sub" >/dev/null ||
      echo "filesystems.sh: no Btrfs subvolume $sub" >&2
  done
}

make_ext4 ()
{
  make_image "$1" ext4 mkfs.ext4 -q -F -E lazy_itable_init=1
}

make_tmpfs ()
{
  mkdir -p "$dir/$1"
  # shellcheck disable=SC2086
  why=$(mount -t tmpfs $2 tmpfs "$dir/$1" 2>&1) ||
    skip "$1" "the kernel refuses to mount it: $why"
}

# on_xfs NAME: whether the filesystem that NAME stands on is there.
on_xfs ()
{
  test -d "$dir/xfs" && return 0
  skip "$1" "it needs xfs: $(cat "$dir/xfs.skip" 2>/dev/null)"
  return 1
}

# Both layers are on DIR/xfs; the directories are for tests that put a file
# below the overlay.
make_overlay ()
{
  on_xfs "$1" || return 1
  under=$dir/xfs/overlay
  mkdir -p "$under/lower" "$under/upper" "$under/work" "$dir/$1"
  # A comma or colon in DIR would end the option: name the layers from there.
  why=$(cd "$under" &&
          mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work \
                overlay "$dir/$1" 2>&1) ||
    skip "$1" "the kernel refuses to mount it: $why"
}

# Another way to see DIR/xfs/bound.
make_bind ()
{
  on_xfs "$1" || return 1
  mkdir -p "$dir/xfs/bound" "$dir/$1"
  why=$(mount --bind "$dir/xfs/bound" "$dir/$1" 2>&1) ||
    skip "$1" "no bind mount: $why"
}

# wanted NAME: whether it is asked for, or one asked for stands on it.
wanted ()
{
  case $only in
    '  ') return 0 ;;
    *" $1 "*) return 0 ;;
    *' overlay '* | *' bind '*) test "$1" = xfs ;;
    *) return 1 ;;
  esac
}

# up OWNER [NAME]...
up ()
{
  owner=$1
  shift
  only=" $* "
  for name; do
    names | grep -qxF -e "$name" || die "no such filesystem: $name"
  done

  if test -f "$dir/reflink-tar-owner"; then
    ! owner_lives || die "$dir is in use by process $owner_pid"
    down
  fi
  mkdir -p "$dir" || exit
  dir=$(cd "$dir" && pwd -P) || exit
  echo "$owner $(start_time "$owner")" > "$dir/reflink-tar-owner" || exit

  no_root=
  test "$(id -u)" -eq 0 || no_root='only root can mount filesystems'
  while IFS=: read -r name kind options; do
    test -n "$name" && wanted "$name" || continue
    rm -f "$dir/$name.skip"
    if test -n "$no_root"; then
      skip "$name" "$no_root"
    else
      "make_$kind" "$name" "$options"
    fi
  done <<END
$table
END
  return 0
}

# with_them [NAME]... -- COMMAND [ARG]...
with_them ()
{
  wanted_names=
  while test $# -gt 0 && test "$1" != --; do
    wanted_names="$wanted_names $1"
    shift
  done
  test $# -gt 1 || die "no command after --"
  shift

  trap down EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  # shellcheck disable=SC2086
  up $$ $wanted_names
  # In the background, so that a signal is acted upon at once.  There the
  # shell would make /dev/null its standard input.
  exec 3<&0
  "$@" <&3 3<&- &
  child=$!
  trap 'kill -TERM $child 2>/dev/null; exit 129' HUP
  trap 'kill -TERM $child 2>/dev/null; exit 130' INT
  trap 'kill -TERM $child 2>/dev/null; exit 143' TERM
  wait $child
}

sweep ()
{
  for owner_file in "$1"/*/reflink-tar-owner; do
    test -f "$owner_file" || continue
    dir=$(cd "$(dirname "$owner_file")" && pwd -P) || continue
    owner_lives || down
  done
}

# set_dir DIR: make it absolute and free of links, as mountinfo has it.
set_dir ()
{
  dir=$1
  case $dir in
    '') die "no directory" ;;
    /*) ;;
    *) dir=$(pwd)/$dir ;;
  esac
  test ! -d "$dir" || dir=$(cd "$dir" && pwd -P) || exit
}

test $# -gt 0 || {
  usage >&2
  exit 1
}
command=$1
shift
owner=$PPID
case ${1-} in
  --owner=*)
    owner=${1#--owner=}
    shift
    ;;
esac
case $command in
  up | down | with)
    set_dir "${1-}"
    shift
    ;;
esac
case $command in
  up) up "$owner" "$@" ;;
  down) down ;;
  with) with_them "$@" ;;
  sweep) sweep "${1:?the parent directory is missing}" ;;
  names) names ;;
  *)
    usage >&2
    exit 1
    ;;
esac
