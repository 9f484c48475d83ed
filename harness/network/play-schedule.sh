#!/bin/bash
# Plays a schedule of tc commands over and over by an absolute clock, so that lateness never adds up.
#   play-schedule.sh FILE PERIOD     a line of FILE: the time in microseconds, and the command without its `tc`
exec {commands}> >(exec tc -force -batch - >/dev/null 2>&1)
exec {never}<> <(:) # Reading from it waits for the time-out: a sleep without a process.
began=${EPOCHREALTIME/./}
while :; do
  while read -r at command; do
    wait=$((began + at - ${EPOCHREALTIME/./}))
    if ((wait > 0)); then
      printf -v seconds '%d.%06d' $((wait / 1000000)) $((wait % 1000000))
      read -rt "$seconds" -u "$never" _
    fi
    printf '%s\n' "$command" >&"$commands"
  done <"$1"
  began=$((began + $2))
done
