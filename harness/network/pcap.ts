/** One frame of a capture, as far as the lab needs it. */
export interface WireFrame {
  /** When this machine's kernel saw it, in milliseconds of its clock, which all the lab's hosts share. */
  readonly timeMs: number;
  /** Its length on the wire, without preamble and checksum. */
  readonly bytes: number;
  /** A host answers with ICMP what comes for a socket that is closed. */
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'other';
  readonly from: string;
  readonly to: string;
  readonly fromPort: number;
  readonly toPort: number;
  /** Bytes of TCP or UDP payload, whether captured or not. */
  readonly payloadBytes: number;
  /** The captured part of the payload. */
  readonly payload: Buffer;
}

const NANOSECOND_MAGIC = 0xa1b23c4d;
const FILE_HEADER_BYTES = 24;
const RECORD_HEADER_BYTES = 16;
const ETHERNET_BYTES = 14;

/** The protocols that the lab tells apart, by their number in an IP header. */
const PROTOCOLS: Readonly<Record<number, WireFrame['protocol']>> = { 1: 'icmp', 6: 'tcp', 17: 'udp' };

/** The frames of a capture in pcap's nanosecond format, IPv4 over Ethernet; a record cut short by the end is left out. */
export function parsePcap(file: Buffer): WireFrame[] {
  if (file.length < FILE_HEADER_BYTES || file.readUInt32LE(0) !== NANOSECOND_MAGIC)
    throw new Error('not a capture with nanoseconds in this machine’s byte order');
  const frames: WireFrame[] = [];
  let at = FILE_HEADER_BYTES;
  while (at + RECORD_HEADER_BYTES <= file.length) {
    const timeMs = file.readUInt32LE(at) * 1000 + file.readUInt32LE(at + 4) / 1e6;
    const captured = file.readUInt32LE(at + 8);
    const bytes = file.readUInt32LE(at + 12);
    const start = at + RECORD_HEADER_BYTES;
    at = start + captured;
    if (at > file.length) break;
    frames.push(parseFrame(timeMs, bytes, file.subarray(start, at)));
  }
  return frames;
}

function parseFrame(timeMs: number, bytes: number, data: Buffer): WireFrame {
  const nothing = { from: '', to: '', fromPort: 0, toPort: 0, payloadBytes: 0, payload: Buffer.alloc(0) };
  const other: WireFrame = { timeMs, bytes, protocol: 'other', ...nothing };
  if (data.length < ETHERNET_BYTES + 20 || data.readUInt16BE(12) !== 0x0800) return other;
  const ip = data.subarray(ETHERNET_BYTES);
  const ipHeader = (ip[0]! & 15) * 4;
  const protocol = PROTOCOLS[ip[9]!] ?? 'other';
  const from = ip.subarray(12, 16).join('.');
  const to = ip.subarray(16, 20).join('.');
  const segment = ip.subarray(ipHeader);
  const needed = protocol === 'tcp' ? 20 : 8;
  if (protocol === 'icmp') return { ...other, protocol, from, to };
  if (protocol === 'other' || segment.length < needed) return { ...other, from, to };
  const header = protocol === 'tcp' ? (segment[12]! >> 4) * 4 : 8;
  return {
    timeMs,
    bytes,
    protocol,
    from,
    to,
    fromPort: segment.readUInt16BE(0),
    toPort: segment.readUInt16BE(2),
    payloadBytes: ip.readUInt16BE(2) - ipHeader - header,
    payload: segment.subarray(header),
  };
}
