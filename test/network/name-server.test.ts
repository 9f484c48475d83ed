import { expect, test } from '@jest/globals';
import { recordName } from '../../harness/model/arm.ts';
import { openNameServer, renderRecord } from '../../harness/network/name-server.ts';
import { programsIn } from '../../harness/system/process.ts';
import { openFakeHost } from '../fakes/namespace.ts';
import { temporaryFolder } from '../store/studies.ts';

test('an HTTPS record is asked for by its port, where that is not the scheme’s', () => {
  expect(recordName('www.example', 443)).toBe('www.example');
  expect(recordName('www.example', 8443)).toBe('_8443._https.www.example');
});

test('and names the host, with H3 before H2', () => {
  // Priority 1, two labels and the root, key 1 (alpn) of six bytes: h3 and h2.
  const host = `01${Buffer.from('a').toString('hex')}04${Buffer.from('test').toString('hex')}00`;
  expect(renderRecord('a.test')).toBe(`0001${host}00010006026833026832`);
});

/** A name server whose programs start, and then do nothing. */
async function openIdle(folder: string, script = 'echo ready; echo dnsmasq: started >&2; exec sleep 60') {
  using fake = openFakeHost(script, 'dnsmasq');
  const places = { domain: 'test', address: '10.77.0.1', elsewhere: [], published: [] };
  return await openNameServer({ ...places, host: fake.host, folder, distanceMs: 1 });
}

test.each([
  ['dnsmasq', 0, 'SIGKILL', 'the name server ended (SIGKILL)'],
  ['what holds its answers back', 1, 'SIGKILL', 'the name server ended (SIGKILL)'],
  ['what holds its answers back', 1, 'SIGSTOP', 'the name server was stopped'],
] as const)('a name server is at fault where %s (%d) has a %s', async (_, which, signal, fault) => {
  using folder = temporaryFolder();
  await using server = await openIdle(folder.path);
  expect(server.findFault()).toBeUndefined();
  process.kill(programsIn('fake')[which]!, signal);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(server.findFault()).toBe(fault);
});

test('one of whose programs ends at once did not start', async () => {
  using folder = temporaryFolder();
  const script = 'case $1 in perl) echo ready; exec sleep 60 ;; esac; echo no socket >&2; exit 2';
  await expect(openIdle(folder.path, script)).rejects.toThrow('the name server did not start (2): no socket');
});
