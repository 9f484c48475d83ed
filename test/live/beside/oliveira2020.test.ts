import { expect } from '@jest/globals';
import { labTest } from '../lab.ts';
import { FULL_FRAME_BYTES, type Load, repeat } from '../repeat.ts';

/**
 * What TCP lays around the payload on its way down. Where the link loses nothing a queue of one round trip overflows all the
 * same, and how far depends on how quick the machine is: so without what is sent again.
 */
function laidAroundPercent({ bytesDown, payloadBytes, retransmittedSegments }: Load): number {
  return 100 * ((bytesDown - retransmittedSegments! * FULL_FRAME_BYTES) / payloadBytes - 1);
}

labTest(
  'oliveira2020: TCP and QUIC lay around a file what their frames have, and no transfer is faster than its bits',
  async () => {
    const { summary, loads } = await repeat('oliveira2020', 1);
    expect(summary.loads).toMatchObject({ failed: 0, counted: 8 });
    for (const tcp of loads.filter(({ arm }) => arm.startsWith('tcp'))) {
      const ofQuic = tcp.arm.replace('tcp', 'quic');
      const quic = loads.find(({ arm, condition }) => arm === ofQuic && condition === tcp.condition)!;
      // 66 bytes around 1,448, and a handshake.
      const around = laidAroundPercent(tcp);
      expect([tcp.condition, around, around > 4.5 && around < 6]).toEqual([tcp.condition, around, true]);
      // nginx sends datagrams of 1,200 bytes and less, each in a frame of its own.
      const frameBytes = quic.bytesDown / quic.packetsDown;
      expect([quic.condition, frameBytes, frameBytes > 1_000 && frameBytes < 1_260]).toEqual([
        quic.condition,
        frameBytes,
        true,
      ]);
    }
    for (const { pltMs } of loads) expect(pltMs).toBeGreaterThan((2_000_000 * 8) / 40_000);
  },
  900_000,
);
