#!/usr/bin/perl
# Boots the user-mode kernel of a link: replaces itself by the program that it is given.
#
#   perl boot-kernel.pl PROGRAM ARGUMENT...
#
# Debian's user-mode kernel keeps the extended registers of its processes (NT_X86_XSTATE) in 2.7 kB. A processor with AMX has
# 11 kB of them and takes no part of them back: the kernel panicked with its first process ("ptrace set fp regs failed, errno
# = 14"). Where it cannot ask for them, it keeps the registers of SSE alone. So this filter of system calls refuses what it
# asks, on every processor, since a link is to be the same on all of them. What is in the registers of AVX does not outlive a
# page fault then, and programs in the link do not use them (WITHOUT_AVX in user-mode-router.ts).
use strict;
use warnings;
use Config;

use constant { PRCTL => 157, PTRACE => 101, SECCOMP => 317, AUDIT_ARCH_X86_64 => 0xc000003e };
use constant { PR_SET_NO_NEW_PRIVS => 38, SET_MODE_FILTER => 1, FLAG_SPEC_ALLOW => 4 };
use constant { PTRACE_GETREGSET => 0x4204, NT_X86_XSTATE => 0x202 };
use constant { LOAD => 0x20, UNLESS => 0x15, RETURN => 0x06, ALLOW => 0x7fff0000, FAIL_WITH_EIO => 0x00050005 };
# Where the kernel shows a filter what is called: its number, the architecture, and the first and third argument.
use constant { NUMBER => 0, ARCHITECTURE => 4, REQUEST => 16, REGISTERS => 32 };

my @fails = (
  [ARCHITECTURE, AUDIT_ARCH_X86_64], [NUMBER, PTRACE], [REQUEST, PTRACE_GETREGSET], [REGISTERS, NT_X86_XSTATE],
);
my @filter;
for my $index (0 .. $#fails) {
  my ($place, $is) = @{ $fails[$index] };
  push @filter, pack('S C C L', LOAD, 0, 0, $place), pack('S C C L', UNLESS, 0, 2 * ($#fails - $index) + 1, $is);
}
push @filter, pack('S C C L', RETURN, 0, 0, FAIL_WITH_EIO), pack('S C C L', RETURN, 0, 0, ALLOW);

if ($Config{archname} =~ /^x86_64/) {
  my $code = join '', @filter;
  my $program = pack 'S x![P] P', scalar @filter, $code;
  syscall(PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 or die "no new privileges: $!";
  syscall(SECCOMP, SET_MODE_FILTER, FLAG_SPEC_ALLOW, $program) == 0 or die "seccomp: $!";
}
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!";
