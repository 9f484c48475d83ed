#!/bin/bash
# Plays a schedule of tc commands over and over by an absolute clock, so that lateness never adds up.
#   play-schedule.sh FILE PERIOD NODE     a line of FILE: the time in microseconds, and the command without its `tc`
coproc TC { exec tc -n "$3" -force -batch - 2>/dev/null; }
began=${EPOCHREALTIME/./}
while :; do
  while read -r at command; do
    wait=$((began + at - ${EPOCHREALTIME/./}))
    if ((wait > 0)); then
      printf -v seconds '%d.%06d' $((wait / 1000000)) $((wait % 1000000))
      read -rt "$seconds" -u "${TC[0]}" _ # It never answers: a sleep that starts no process.
    fi
    printf '%s\n' "$command" >&"${TC[1]}"
  done <"$1"
  began=$((began + $2))
done
