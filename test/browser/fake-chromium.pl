#!/usr/bin/env perl
# Answers what Puppeteer and Photofinish ask a browser, over its pipe, and loads every page at once. A copy that is called
# `silent-at-METHOD` stops itself, as by SIGSTOP, when it is asked that; one that is called `deaf-at-METHOD` leaves only
# that without an answer. Who waits for it finds its process number in the file of the same name that ends in `.pid`.
use strict;
use warnings;

my ($how, $where) = $0 =~ /(silent|deaf)-at-([\w.]+)$/;
open(my $in, '<&=', 3) or die "no pipe to read from: $!";
open(my $out, '>&=', 4) or die "no pipe to write to: $!";
$/ = "\0";
my $sessions = 0;
my %page_of; # By the session of its tab.

sub say_it { syswrite($out, "{$_[0]" . ($_[1] ? qq(,"sessionId":"$_[1]") : '') . "}\0") }
sub event { my ($name, $params, $session) = @_; say_it(qq("method":"$name","params":{$params}), $session) }

# A target that its asker has a session of from now on.
sub attach {
  my ($type, $id, $session) = @_;
  my $own = 's' . ++$sessions;
  my $info = qq("targetId":"$id","type":"$type","title":"","url":"about:blank","attached":true,"browserContextId":"c1");
  event('Target.attachedToTarget', qq("sessionId":"$own","waitingForDebugger":false,"targetInfo":{$info}), $session);
  return $own;
}

my %results = (
  'Browser.getVersion' => '"product":"Chrome/156.0.0.0"',
  'Target.createBrowserContext' => '"browserContextId":"c1"',
  'Target.createTarget' => '"targetId":"t1"',
  'Page.getFrameTree' => '"frameTree":{"frame":{"id":"t1","url":"about:blank"}}',
  'Page.createIsolatedWorld' => '"executionContextId":1',
  'Runtime.evaluate' => '"result":{}',
);

while (my $asked = <$in>) {
  my ($method) = $asked =~ /"method":"([\w.]+)"/;
  my ($id) = $asked =~ /"id":(\d+)/;
  my ($session) = $asked =~ /"sessionId":"(s\d+)"/;
  if ($method eq $where) {
    open(my $note, '>', "$0.partial") or die "$0.partial: $!";
    print $note $$;
    close($note);
    rename("$0.partial", "$0.pid");
    next if $how eq 'deaf';
    kill('STOP', $$);
  }
  my $result = $results{$method} // '';
  if ($method eq 'Target.setDiscoverTargets') {
    event('Target.targetCreated', '"targetInfo":{"targetId":"b","type":"browser","title":"","url":"","attached":true}');
  }
  attach('page', 't0') if $method eq 'Target.setAutoAttach' && !$session;
  $page_of{attach('tab', 'tab')} = 't1' if $method eq 'Target.createTarget';
  attach('page', $page_of{$session}, $session) if $method eq 'Target.setAutoAttach' && $page_of{$session // ''};
  $result = '"sessionId":"' . attach('page', 't1', $session) . '"' if $method eq 'Target.attachToTarget';
  say_it(qq("id":$id,"result":{$result}), $session);
  if ($method eq 'Page.navigate') {
    event('Page.frameNavigated', '"frame":{"id":"t1","url":"https://a.test/"}', $session);
    event('Page.loadEventFired', '"timestamp":1', $session);
  }
  exit if $method eq 'Browser.close';
}
