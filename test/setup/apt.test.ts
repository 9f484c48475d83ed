import { describe, expect, test } from '@jest/globals';
import { parsePolicy, parseStatus } from '../../harness/setup/apt.mjs';

test.each([
  ['pmstatus:chromium:45.5:Unpacking chromium (amd64)', 'Unpacking chromium, 46 %'],
  ['pmstatus:libc6:amd64:12.0000:Installed libc6:amd64', 'Installed libc6:amd64, 12 %'],
  ['dlstatus:3:93.3333:Retrieving file 3 of 13', 'Retrieving file 3 of 13, 93 %'],
  ['pmstatus:dpkg-exec:50:Running dpkg', 'Running dpkg, 50 %'],
  ['Waiting for cache lock: Could not get lock /var/lib/dpkg/lock-frontend.', 'waiting for another apt-get'],
  ['Unpacking chromium (156.0) ...', null],
  ['', null],
])('the line %j shows %j', (line, expected) => {
  expect(parseStatus(line)).toBe(expected);
});

describe('apt-cache policy', () => {
  test('tells what can be installed', () => {
    const text = `chromium:
  Installed: (none)
  Candidate: 156.0.8078.79-1~deb12u1
  Version table:
     156.0.8078.79-1~deb12u1 500
        500 http://mirror.example/debian bookworm/main amd64 Packages
ethtool:
  Installed: (none)
  Candidate: (none)
  Version table:
tcpdump:
  Installed: 4.99.3-1
  Candidate: 4.99.3-1
`;
    expect([...parsePolicy(text)]).toEqual(['chromium', 'tcpdump']);
    expect(parsePolicy('').size).toBe(0);
  });
});
