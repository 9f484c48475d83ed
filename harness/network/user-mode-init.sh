#!/bin/sh
# The first process of the user-mode kernel: loads what a link needs, then runs the commands that come on the console.
# A command is a line of words without blanks in them; its answer is what it prints, then a line with its exit status.
#   user-mode-init.sh MODULES
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
stty raw -echo
# In an ordinary user's namespace the machine's files belong to nobody, whom a set-user-ID `mount` would become: started
# through the loader it stays who it is.
private_mount() { /lib64/ld-linux-x86-64.so.2 "$(command -v mount)" -t "$1" "$1" "$2"; }
private_mount proc /proc
private_mount sysfs /sys
private_mount tmpfs /run/netns
for module in drivers/net/veth net/sched/sch_netem net/sched/sch_htb net/sched/sch_plug net/sched/sch_ingress net/sched/cls_flower net/sched/act_mirred; do
  insmod "$1/$module.ko"
done
players=
set -f
printf '\036ready %s\n' "$(uname -r)"
while read -r line; do
  # shellcheck disable=SC2086
  set -- $line
  case $1 in
    play)
      shift
      "$@" >/dev/null 2>&1 &
      players="$players $!"
      ;;
    stop)
      [ -z "$players" ] || kill $players
      players=
      ;;
    *) "$@" 2>&1 ;;
  esac
  printf '\036%s\n' "$?"
done
