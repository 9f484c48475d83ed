# The first process of an enclosure: the kernel ends all others with it. It runs a program, and reaps the orphans of
# others meanwhile, as a machine's init does and Node does not.
#   perl init.pl PROGRAM ARGUMENT...
# Its standard input is the lifeline to what started it: a byte asks the program to stop, a second one ends everything,
# and so does the end of the input, which comes however the other side ended.
use strict;
use warnings;

my $program = fork // die "fork: $!\n";
if ($program == 0) {
    open STDIN, '<', '/dev/null' or die "/dev/null: $!\n";
    exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\n";
}

my $lifeline = fork // die "fork: $!\n";
if ($lifeline == 0) {
    sysread STDIN, my $first, 1 and kill 'TERM', $program;
    sysread STDIN, my $second, 1;
    exit 143;
}

while ((my $ended = wait) > 0) {
    exit(($? & 127) ? 128 + ($? & 127) : $? >> 8) if $ended == $program or $ended == $lifeline;
}
