#!/bin/sh
# The first process of the user-mode kernel: loads what a link needs, then runs the commands that come on the console.
# A command is a line of words without blanks in them; its answer is what it prints, then a line with its exit status.
# `play` starts a player, `check` fails where one has ended, and `stop` ends them all.
#   user-mode-init.sh MODULES
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
set -f
if perl "${0%.sh}.pl" "$1" 2>&1; then
  read -r release </proc/sys/kernel/osrelease
  printf '\036ready %s\n' "$release"
else
  printf '\036unfit\n'
fi
players=
while read -r line; do
  # shellcheck disable=SC2086
  set -- $line
  case $1 in
    play)
      shift
      "$@" >/dev/null 2>&1 &
      players="$players $!"
      ;;
    check)
      [ -z "$players" ] || kill -0 $players 2>&1
      ;;
    stop)
      [ -z "$players" ] || kill $players
      players=
      ;;
    *) "$@" 2>&1 ;;
  esac
  printf '\036%s\n' "$?"
done
