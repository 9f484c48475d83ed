# Exits with 0 where an address answers an ICMP echo within a second:
#   perl ping.pl ADDRESS
use strict;
use Socket;

my $address = inet_aton(shift) or die;
socket(my $socket, PF_INET, SOCK_RAW, 1) or die "socket: $!";
my ($id, $data) = ($$ & 0xffff, 'photofinish-ping');
my $sum = unpack('%32n*', pack('CCnnn', 8, 0, 0, $id, 1) . $data);
$sum = ($sum & 0xffff) + ($sum >> 16) while $sum >> 16;
send($socket, pack('CCnnn', 8, 0, ~$sum & 0xffff, $id, 1) . $data, 0, pack_sockaddr_in(0, $address)) or exit 1;
my $until = time + 2;
while (time < $until) {
    vec(my $ready = '', fileno($socket), 1) = 1;
    select($ready, undef, undef, 1) or exit 1;
    recv($socket, my $packet, 1500, 0);
    my ($type, $answered) = unpack('x20 C x3 n', $packet);
    exit 0 if $type == 0 && $answered == $id;
}
exit 1;
