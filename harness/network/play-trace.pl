#!/usr/bin/perl
# Plays a trace over and over by an absolute clock, so that lateness never adds up: changes the rate of the token bucket
# 2:1 on a device, and holds back all that waits in its plug 3: while nothing is delivered.
#   perl play-trace.pl FILE PERIOD BUCKET DEVICE     in the network namespace of the device
# A line of FILE is a time in microseconds and a rate in kbit/s; the bucket holds what comes in BUCKET microseconds.
# It speaks to the kernel itself: what `tc` takes for a change costs a user-mode kernel as much as 50 packets.
use strict;
use warnings;
use Config;

use constant { AF_NETLINK => 16, SOCK_RAW => 3, NETLINK_ROUTE => 0 };
use constant { RTM_NEWQDISC => 36, RTM_NEWTCLASS => 40, NLM_F_REQUEST => 1, TCA_KIND => 1, TCA_OPTIONS => 2 };
use constant { CLOCK_MONOTONIC => 1, CLOCK_GETTIME => $Config{archname} =~ /^x86_64/ ? 228 : 113 };
use constant { TCA_HTB_PARMS => 1, TC_LINKLAYER_ETHERNET => 1, TCQ_PLUG_BUFFER => 0, TCQ_PLUG_RELEASE_INDEFINITE => 2 };
use constant { FRAME_BYTES => 1514, TICKS_PER_US => 1000 / 64 };

my ($file, $period, $holds, $device) = @ARGV;
open my $lines, '<', $file or die "$file: $!";
my @steps = map { [split] } <$lines>;
open my $found, '<', "/sys/class/net/$device/ifindex" or die "$device: $!";
my $index = 0 + <$found>;
socket my $kernel, AF_NETLINK, SOCK_RAW, NETLINK_ROUTE or die "netlink: $!";
my $refusal = '';
vec($refusal, fileno $kernel, 1) = 1;

sub attribute { my ($type, $data) = @_; return pack 'S S a* x!4', 4 + length $data, $type, $data }

sub message {
  my ($type, $parent, $handle, $kind, $options) = @_;
  my $body = pack 'C x3 l L L L', 0, $index, $handle, $parent, 0;
  $body .= attribute(TCA_KIND, "$kind\0") . attribute(TCA_OPTIONS, $options);
  return pack 'L S S L L a*', 16 + length $body, $type, NLM_F_REQUEST, 0, 0, $body;
}

sub rate {
  my ($kbps) = @_;
  my $rate = pack 'C C S s S L', 0, TC_LINKLAYER_ETHERNET, 0, -1, 0, $kbps * 125;
  my $ticks = $holds * TICKS_PER_US;
  my $bucket = pack 'a* a* L L L L L', $rate, $rate, $ticks, $ticks, FRAME_BYTES, 0, 0;
  return message(RTM_NEWTCLASS, 0x20000, 0x20001, 'htb', attribute(TCA_HTB_PARMS, $bucket));
}

sub plug { return message(RTM_NEWQDISC, 0x20001, 0x30000, 'plug', pack 'l L', @_, 0) }

# Time::HiRes is not among what every Debian has.
sub seconds {
  my $time = "\0" x 16;
  syscall(CLOCK_GETTIME, CLOCK_MONOTONIC, $time) == 0 or die "clock: $!";
  my ($s, $ns) = unpack 'q q', $time;
  return $s + $ns / 1e9;
}

# A change of the bucket alone does not make the kernel look at the queue again; to open the plug does.
sub change { my ($kbps) = @_; return $kbps > 0 ? rate($kbps) . plug(TCQ_PLUG_RELEASE_INDEFINITE) : plug(TCQ_PLUG_BUFFER) }

for (my $began = seconds(); ; $began += $period / 1e6) {
  for my $step (@steps) {
    my ($at, $kbps) = @$step;
    my $wait = $began + $at / 1e6 - seconds();
    # The kernel answers only to refuse.
    die "refused: $device" if select my $heard = $refusal, undef, undef, $wait > 0 ? $wait : 0;
    defined send $kernel, change($kbps), 0 or die "netlink: $!";
  }
}
