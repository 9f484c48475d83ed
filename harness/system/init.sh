# The first process of a process namespace: runs a command and reaps the orphans of others meanwhile, as a machine's init
# does and Node does not.
"$@"
exit $?
