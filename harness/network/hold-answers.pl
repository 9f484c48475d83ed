#!/usr/bin/perl
# A name server that is further away: passes questions on to one that is here, and its answers back so much later.
#   perl hold-answers.pl ADDRESS PORT HERE_PORT MILLISECONDS     in the network namespace of whoever asks
# Ends with its standard input. It says "ready" once it listens.
use strict;
use warnings;
use Socket;
use Time::HiRes qw(time);

my ($address, $port, $here, $ms) = @ARGV;
socket my $asked, PF_INET, SOCK_DGRAM, 0 or die "socket: $!";
bind $asked, sockaddr_in($port, inet_aton($address)) or die "bind: $!";
my $server = sockaddr_in($here, inet_aton($address));
my (%asking, @answers);    # who asked what is under way, by the socket it was passed on by; and what is due when
$| = 1;
print "ready\n";

while (1) {
  my $wait = @answers ? $answers[0][0] - time : undef;
  my $readable = '';
  vec($readable, fileno $_, 1) = 1 for \*STDIN, $asked, map { $_->[0] } values %asking;
  select $readable, undef, undef, defined $wait && $wait < 0 ? 0 : $wait;
  if (vec($readable, fileno STDIN, 1)) { sysread STDIN, my $end, 1 or exit 0 }
  if (vec($readable, fileno $asked, 1)) {
    my $who = recv $asked, my $question, 65_535, 0;
    if (defined $who && socket my $on, PF_INET, SOCK_DGRAM, 0) {
      send $on, $question, 0, $server;
      $asking{fileno $on} = [$on, $who, time];
    }
  }
  for my $number (keys %asking) {
    my ($on, $who, $since) = @{$asking{$number}};
    if (vec($readable, $number, 1)) {
      push @answers, [$since + $ms / 1000, $who, $_] for grep { defined recv $on, $_, 65_535, 0 } my $answer = '';
    } elsif (time - $since < 5) { next }
    delete $asking{$number};
  }
  while (@answers && $answers[0][0] <= time) {
    my (undef, $who, $answer) = @{shift @answers};
    send $asked, $answer, 0, $who;
  }
}
