#!/bin/sh
# Runs a program where nothing of this machine is but its programs: in own namespaces without a network, on a file system of
# system folders that are only read, and of the folder of the run. `sandbox.ts` enters the namespaces and calls this.
#
#   sandbox.sh FOLDER UID GUARD PROGRAM ARGUMENTS…      FOLDER becomes /play, and GUARD sets the limits of the program
set -eu
# A worker keeps its files from others; what is made here is for the run.
umask 022
folder=$1
uid=$2
guard=$3
shift 3

root=$folder/root
mount -t tmpfs -o size=16m,mode=755,nosuid,nodev tmpfs "$root"
cd "$root"
mkdir usr etc proc dev tmp play old
cp "$guard" guard.py

# Read-only, and without set-uid programs.
bind() {
  mount --rbind "$1" "$2"
  mount -o remount,ro,bind,nosuid,nodev "$2"
}
bind /usr usr
for one in bin sbin lib lib32 lib64 libx32; do
  if [ -L "/$one" ]; then
    cp -P "/$one" "$one"
  elif [ -d "/$one" ]; then
    mkdir "$one"
    bind "/$one" "$one"
  fi
done
# Of the configuration only what programs need to start.
for one in ld.so.cache ld.so.conf ld.so.conf.d localtime alternatives python3; do
  if [ -e "/etc/$one" ]; then
    cp -RP "/etc/$one" "etc/$one"
  fi
done
printf 'root:x:0:0::/:/bin/sh\nplay:x:%s:%s::/play/home:/bin/sh\n' "$uid" "$uid" >etc/passwd
printf 'root:x:0:\nplay:x:%s:\n' "$uid" >etc/group
printf '127.0.0.1 localhost\n' >etc/hosts
printf 'hosts: files\npasswd: files\ngroup: files\n' >etc/nsswitch.conf

mount -t proc -o nosuid,nodev,noexec proc proc
for one in null zero random urandom full; do
  touch "dev/$one"
  mount --bind "/dev/$one" "dev/$one"
done
ln -s /proc/self/fd dev/fd
mkdir dev/shm
mount -t tmpfs -o size=64m,nr_inodes=4096,mode=1777,nosuid,nodev,noexec tmpfs dev/shm
mount -t tmpfs -o size=256m,nr_inodes=65536,mode=1777,nosuid,nodev tmpfs tmp
# A copy in memory, whose size is limited: nothing that a run writes reaches a disk.
mount -t tmpfs -o size=256m,nr_inodes=65536,mode=755,nosuid,nodev tmpfs play
for one in "$folder/play/"*; do
  if [ "$one" != "$folder/play/hosts" ]; then cp -RP --preserve=mode "$one" play/; fi
done
if [ "$uid" != 0 ]; then chown -Rh "$uid:$uid" play; fi
# The sockets of its hosts, in the folder itself. They are connected to, not written.
mkdir play/hosts
mount --bind "$folder/play/hosts" play/hosts
mount -o remount,bind,ro,nosuid,nodev,noexec play/hosts

pivot_root . old
cd /
umount -l /old
rmdir /old
mount -o remount,bind,ro,nosuid,nodev /

# Without root, the user of the namespace is the worker's own, who has no rights here.
identity=
if [ "$uid" != 0 ]; then identity="--reuid $uid --regid $uid --clear-groups"; fi
exec /usr/bin/python3 -I -S -B /guard.py setpriv $identity --no-new-privs --inh-caps=-all --bounding-set=-all -- \
  env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/play/home LANG=C.UTF-8 LC_ALL=C.UTF-8 TERM=dumb "$@"
