import { describe, expect, jest, test } from '@jest/globals';
import { LabError } from '../../harness/model/errors.ts';
import { recordPackets } from '../../harness/network/capture.ts';
import { openNftConsole } from '../../harness/network/nft-console.ts';
import { openFakeHost } from '../fakes/namespace.ts';

/** What an ended recording comes to, where tcpdump says this at its end. */
async function recordSaying(says: string) {
  using fake = openFakeHost(tcpdumpSaying(says));
  await using recording = await recordPackets(fake.host, '/dev/null');
  await recording.finish();
}

function tcpdumpSaying(says: string): string {
  return `trap 'echo "${says}" >&2; exit 0' INT; echo listening on >&2; while :; do sleep 0.01; done`;
}

test('a capture is whole where the kernel dropped nothing', async () => {
  await expect(recordSaying('0 packets dropped by kernel')).resolves.toBeUndefined();
});

test('where it dropped a frame another lab may do better, which ends no study', async () => {
  const recorded = recordSaying('1 packet dropped by kernel');
  await expect(recorded).rejects.toThrow(LabError);
  await expect(recorded).rejects.toThrow('a capture is incomplete (tcpdump ended with 0)');
});

describe('an nft', () => {
  test('that ends has the lab renewed', async () => {
    using fake = openFakeHost('echo killed >&2; exit 9');
    await using nft = openNftConsole(fake.host.namespace);
    const answer = nft.ask('list ruleset');
    await expect(answer).rejects.toThrow(LabError);
    await expect(answer).rejects.toThrow('nft ended with 9: killed');
  });

  test('that does not answer has it renewed as well', async () => {
    using fake = openFakeHost('exec sleep 60');
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
    await using nft = openNftConsole(fake.host.namespace);
    const answer = nft.ask('list ruleset');
    const isDeath = expect(answer).rejects.toThrow(LabError);
    await jest.advanceTimersByTimeAsync(30_000);
    jest.useRealTimers();
    await isDeath;
    await expect(answer).rejects.toThrow("nft did not answer 'list ruleset' within 30 s");
  });

  test('that refuses a command is a bug', async () => {
    using fake = openFakeHost('read -r command; echo Error: no such table >&2; exec sleep 9');
    await using nft = openNftConsole(fake.host.namespace);
    const answer = nft.ask('list nothing');
    await expect(answer).rejects.not.toThrow(LabError);
    await expect(answer).rejects.toThrow("nft refuses 'list nothing': Error: no such table");
  });
});
