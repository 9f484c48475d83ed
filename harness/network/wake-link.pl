#!/usr/bin/perl
# Wakes the user-mode kernel of a link while packets pass it.
#
#   perl wake-link.pl PID DEVICE NAMESPACE...     the namespaces of the hosts at its ends
#
# A tap raises its signal a moment before it has the frame ready (tun_net_xmit: kill_fasync, then sk_data_ready). A kernel
# that is quick to look finds nothing, and hears no more until the next frame: one lone packet in some hundreds was as late as
# that. So the signal is raised again every two milliseconds while packets pass, and twice more after the last of them.
# Then this program sleeps until the next packet, and the kernel with it: a link at rest takes no processor.
#
# The kernel may lose the signal of its timer: one that comes while it handles another is dropped (Linux 6.1,
# unblock_signals: "Do not reenter the handler"). It then waits for a timer that no longer runs, and asks for it again and
# again, before all other programs of a core, until a packet comes. So a link at rest has that signal once a second.
use strict;
use warnings;
use Config;

use constant { AF_PACKET => 17, SOCK_RAW => 3, ETH_P_ALL => 3, SOL_SOCKET => 1, SO_RCVBUF => 8, SO_ATTACH_FILTER => 26 };
use constant { SIOCGIFINDEX => 0x8933, MSG_DONTWAIT => 0x40, SETNS => $Config{archname} =~ /^x86_64/ ? 308 : 268 };
use constant { PASSING_MS => 2, QUIET_MS => [8, 32], REST_S => 1 };

my ($pid, $device, @namespaces) = @ARGV;
my $all = unpack 'S', pack('n', ETH_P_ALL);
# Nothing of a packet is wanted but that it passed: the filter keeps one byte of each.
my $keep_one = pack 'S C C L', 0x06, 0, 0, 1;

sub watch {
  my ($namespace) = @_;
  open my $place, '<', "/run/netns/$namespace" or die "$namespace: $!";
  syscall(SETNS, fileno $place, 0) == 0 or die "setns $namespace: $!";
  socket my $packets, AF_PACKET, SOCK_RAW, $all or die "packet socket: $!";
  # Room for a packet or two: the kernel drops what more there is, which costs less than to read it here.
  setsockopt $packets, SOL_SOCKET, SO_RCVBUF, pack('i', 0) or die "buffer: $!";
  setsockopt $packets, SOL_SOCKET, SO_ATTACH_FILTER, pack('S x![P] P', 1, $keep_one) or die "filter: $!";
  my $request = pack 'a16 x16', $device;
  ioctl $packets, SIOCGIFINDEX, $request or die "$device: $!";
  bind $packets, pack('S S i S C C a8', AF_PACKET, $all, unpack('x16 i', $request), 0, 0, 0, '') or die "bind: $!";
  return $packets;
}

my @watched = map { watch($_) } @namespaces;
my $any = '';
vec($any, fileno $_, 1) = 1 for @watched;

# Waits for a packet, at most for that time; true where one passed.
sub wait_for_packet {
  my ($seconds) = @_;
  return select(my $ready = $any, undef, undef, $seconds) > 0;
}

# Forgets one packet of each end; what is left is found the next time.
sub forget_packets {
  recv $_, my $packet, 1, MSG_DONTWAIT for @watched;
}

sub wake_up { kill IO => $pid or exit }
sub ring_timer { kill ALRM => $pid or exit }

for (;;) {
  ring_timer() until wait_for_packet(REST_S);
  # The next packet raises the signal as well, so that a frame which was overlooked waits no longer than for that.
  do {
    forget_packets();
    select undef, undef, undef, PASSING_MS / 1000;
    wake_up();
  } while (wait_for_packet(0));
  for my $ms (@{+QUIET_MS}) {
    last if wait_for_packet($ms / 1000);
    wake_up();
  }
}
