import { describe, expect, test } from '@jest/globals';
import { parsePcap } from '../../harness/network/pcap.ts';

const ETHERNET_IPV4 = Buffer.concat([Buffer.alloc(12), Buffer.from([8, 0])]);
const ICMP = 1;
const TCP = 6;
const UDP = 17;

/** An IPv4 packet from 10.0.0.1 to 10.0.0.2, with a segment of that protocol. */
function packet(protocol: number, segment: Buffer): Buffer {
  const header = Buffer.alloc(20);
  header[0] = 0x45;
  header.writeUInt16BE(header.length + segment.length, 2);
  header[9] = protocol;
  header.set([10, 0, 0, 1, 10, 0, 0, 2], 12);
  return Buffer.concat([ETHERNET_IPV4, header, segment]);
}

function udp(payload: string): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt16BE(443, 0);
  header.writeUInt16BE(50_000, 2);
  return Buffer.concat([header, Buffer.from(payload)]);
}

function tcp(payload: string): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt16BE(443, 0);
  header.writeUInt16BE(50_000, 2);
  header[12] = 6 << 4;
  return Buffer.concat([header, Buffer.from(payload)]);
}

function capture(...frames: readonly Buffer[]): Buffer {
  const start = Buffer.alloc(24);
  start.writeUInt32LE(0xa1b23c4d, 0);
  const records = frames.map((frame, index) => {
    const header = Buffer.alloc(16);
    header.writeUInt32LE(7, 0);
    header.writeUInt32LE(index * 1_500_000, 4);
    header.writeUInt32LE(frame.length, 8);
    header.writeUInt32LE(frame.length, 12);
    return Buffer.concat([header, frame]);
  });
  return Buffer.concat([start, ...records]);
}

describe('a capture', () => {
  test('knows each frame’s protocol, ports and payload', () => {
    const [first, second] = parsePcap(capture(packet(TCP, tcp('hello')), packet(UDP, udp('datagram'))));
    expect(first).toMatchObject({ timeMs: 7000, protocol: 'tcp', from: '10.0.0.1', to: '10.0.0.2', payloadBytes: 5 });
    expect(first!.payload.toString()).toBe('hello');
    expect(second).toMatchObject({ timeMs: 7001.5, protocol: 'udp', fromPort: 443, toPort: 50_000, payloadBytes: 8 });
    expect(second!.payload.toString()).toBe('datagram');
  });

  test('tells the answer of a closed socket, by ICMP, from what is neither', () => {
    const unreachable = packet(ICMP, Buffer.concat([Buffer.from([3, 3]), Buffer.alloc(6), udp('late')]));
    const arp = Buffer.concat([Buffer.alloc(12), Buffer.from([8, 6]), Buffer.alloc(28)]);
    const frames = parsePcap(capture(unreachable, arp, packet(TCP, Buffer.alloc(12))));
    expect(frames.map(({ protocol, from }) => [protocol, from])).toEqual([
      ['icmp', '10.0.0.1'],
      ['other', ''],
      ['other', '10.0.0.1'],
    ]);
  });

  test('is read up to a record that its end cuts short', () => {
    const whole = capture(packet(UDP, udp('first')), packet(UDP, udp('second')));
    expect(parsePcap(whole.subarray(0, whole.length - 1))).toHaveLength(1);
    expect(() => parsePcap(Buffer.alloc(24))).toThrow('not a capture');
  });
});
