#!/usr/bin/perl
# A name server that is further away: passes questions on to one that is here, and its answers back after a delay.
#   perl hold-answers.pl ADDRESS PORT HERE_PORT MILLISECONDS     in the network namespace of the client
# Ends with its standard input. It says "ready" once it listens, and then what each question asks for: "A www.example".
use strict;
use warnings;
use Socket;
use Time::HiRes qw(time);

my ($address, $port, $here, $ms) = @ARGV;
socket my $asked, PF_INET, SOCK_DGRAM, 0 or die "socket: $!";
bind $asked, sockaddr_in($port, inet_aton($address)) or die "bind: $!";
my $server = sockaddr_in($here, inet_aton($address));
my (%asking, @answers);    # the senders of open questions, by the sockets that pass them on; answers that are due
my %types = (1 => 'A', 28 => 'AAAA', 65 => 'HTTPS');
$| = 1;
print "ready\n";

# What a question asks for (RFC 1035, 4.1): behind twelve bytes of header the labels of a name, and the type.
sub asked_for {
  my ($question) = @_;
  my ($at, @labels) = 12;
  while ($at < length $question and my $length = ord substr $question, $at, 1) {
    push @labels, substr $question, $at + 1, $length;
    $at += 1 + $length;
  }
  my $type = unpack('n', substr $question, $at + 1, 2) // 0;
  return join(' ', $types{$type} // $type, join '.', @labels);
}

while (1) {
  my $wait = @answers ? $answers[0][0] - time : undef;
  my $readable = '';
  vec($readable, fileno $_, 1) = 1 for \*STDIN, $asked, map { $_->[0] } values %asking;
  select $readable, undef, undef, defined $wait && $wait < 0 ? 0 : $wait;
  if (vec($readable, fileno STDIN, 1)) { sysread STDIN, my $end, 1 or exit 0 }
  if (vec($readable, fileno $asked, 1)) {
    my $who = recv $asked, my $question, 65_535, 0;
    if (defined $who && socket my $on, PF_INET, SOCK_DGRAM, 0) {
      print asked_for($question), "\n";
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
