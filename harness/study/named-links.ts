/** A link with a name: its specification, and where the numbers come from. */
export interface NamedLink {
  readonly spec: string;
  readonly source: string;
}

const KRAMER = 'Krämer, Megyesi, Molnár 2015: rates 2, 10, 50 Mbit/s; RTT 18, 218 ms; loss 0, 2 % in each direction';
const WEBPAGETEST = "WebPageTest's connectivity profile";

/**
 * With a queue of one round trip, 41 packets over 10 ms, a page over HTTP/1.1 lost 13 % of its packets, and one over HTTP/3
 * 10 %, on a line without other traffic. Lines that people have hold more than that.
 */
const QUEUE = 'queue: ours, 100 ms of the rate, as lines hold more than a short round trip';

const kramer: Record<string, NamedLink> = {};
for (const rate of [2, 10, 50])
  for (const rtt of [18, 218])
    for (const loss of [0, 2])
      kramer[`kramer-${rate}-${rtt}-${loss}`] = {
        spec: `rate=${rate}mbit,rtt=${rtt}ms,loss=${loss}%`,
        source: KRAMER,
      };

/** The links that have a name; any of them can be varied, as in `4g,loss=1%`. */
export const NAMED_LINKS: Readonly<Record<string, NamedLink>> = {
  fibre: {
    spec: 'down=50mbit,up=20mbit,rtt=10ms,queue=100ms',
    source: `ours: a page gains little beyond 50 Mbit/s, and two cores can shape that without deciding the result; ${QUEUE}`,
  },
  cable: {
    spec: 'down=20mbit,up=5mbit,rtt=28ms,queue=100ms',
    source: `RTT: ${WEBPAGETEST} Cable; rates: ours (its own are 5/1 Mbit/s); ${QUEUE}`,
  },
  dsl: {
    spec: 'down=10mbit,up=1mbit,rtt=50ms,queue=100ms',
    source: `RTT: ${WEBPAGETEST} DSL; rates: ours (its own are 1.5/0.384 Mbit/s); ${QUEUE}`,
  },
  '5g': {
    spec: 'down=50mbit,up=10mbit,rtt=40ms,jitter=4ms,queue=100ms',
    source: `ours: a mid-band cell that is shared with others; ${QUEUE}`,
  },
  '4g': { spec: 'rate=9mbit,rtt=170ms', source: `${WEBPAGETEST} 4G: 9/9 Mbit/s, RTT 170 ms` },
  '3g': { spec: 'down=1.6mbit,up=768kbit,rtt=300ms', source: `${WEBPAGETEST} 3G: 1.6/0.768 Mbit/s, RTT 300 ms` },
  '3g-slow': { spec: 'rate=400kbit,rtt=400ms', source: `${WEBPAGETEST} 3G Slow: 0.4/0.4 Mbit/s, RTT 400 ms` },
  'wifi-lossy': {
    spec: 'down=20mbit,up=10mbit,rtt=30ms,jitter=5ms,loss=0.3%,queue=100ms',
    source: `ours: a crowded radio channel behind a cable line, which loses three packets in a thousand; ${QUEUE}`,
  },
  'satellite-leo': {
    spec: 'down=50mbit,up=10mbit,rtt=50ms,jitter=5ms,loss=0.1%,queue=100ms',
    source: `RTT: Michel et al., A First Look at Starlink Performance, IMC 2022 (50 ms); jitter: Huston, Starlink, APNIC 2024 (round trips differ by 6.7 ms, here by 8); rates and loss: ours; ${QUEUE}`,
  },
  'satellite-geo': {
    spec: 'down=20mbit,up=3mbit,rtt=600ms',
    source: 'RTT: Michel et al., A First Look at Starlink Performance, IMC 2022 (600 ms at least); rates: ours',
  },
  train: {
    spec: 'down.trace=train-down,up.trace=train-up,rtt=70ms',
    source: "traces: ours, generated (a cell's rate along a line, with two tunnels); RTT: WebPageTest's profile LTE",
  },
  ...kramer,
};
