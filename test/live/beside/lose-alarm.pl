# Has a process lose the next signal of its timer, as if it had dropped that itself, and wakes it by another:
#   perl lose-alarm.pl PID
use strict;
use warnings;

use constant { PTRACE => 101, ATTACH => 16, CONTINUE => 7, DETACH => 17, WAIT4 => 61, ANY_CHILD => 0x40000000, ALARM => 14 };

alarm 10;
my $pid = $ARGV[0] + 0;
my $status = pack 'L', 0;

# What Perl's own waitpid says of a process that has stopped is 0.
sub signal_of_stop {
  syscall(WAIT4, $pid, $status, ANY_CHILD, 0) == $pid or die "wait: $!";
  return (unpack('L', $status) >> 8) & 255;
}

syscall(PTRACE, ATTACH, $pid, 0, 0) == 0 or die "attach: $!";
signal_of_stop();
my $signal = 0;
until ($signal == ALARM) {
  syscall(PTRACE, CONTINUE, $pid, 0, $signal) == 0 or die "continue: $!";
  $signal = signal_of_stop();
}
syscall(PTRACE, DETACH, $pid, 0, 0) == 0 or die "detach: $!";
kill IO => $pid;
