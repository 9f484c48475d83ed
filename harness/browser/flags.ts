import { LAB_DOMAIN, type Origin } from '../model/arm.ts';

/**
 * The kinds of browsers: `tcp` never speaks QUIC, `quic` nothing else to the origins under test, and `discovering` may,
 * if it is told. `offered` is as visitors have it: it may, if it is told, and looks names up, which may tell it too.
 */
export type BrowserKind = 'tcp' | 'quic' | 'discovering' | 'offered';

export interface FlagOptions {
  readonly kind: BrowserKind;
  /** Whether it is the headless shell, which is headless by itself. */
  readonly isShell?: boolean;
  /** Where every name of the lab's own leads; absent: nowhere. */
  readonly address?: string | undefined;
  /**
   * Digests of the keys to accept, over TCP and QUIC, with a comma between them; empty where certificates must be
   * valid.
   */
  readonly spki: string;
  /** Where QUIC is forced, as a browser names it; of one that discovers, only to have certificates accepted. */
  readonly quicOrigins: readonly Pick<Origin, 'host' | 'port'>[];
  /** Names that lead elsewhere, or where no other does. */
  readonly mapped?: readonly ResolvedName[] | undefined;
  /** A folder that no other launch has. */
  readonly profile: string;
  /** Arguments that an arm asks for besides. */
  readonly more?: readonly string[];
  /** Where it writes the secrets of its connections, and what its network stack does. */
  readonly keyLog?: string | undefined;
  readonly netLog?: string | undefined;
}

/** Chromium's own resolver, which asks for HTTPS records too; the system's does not. */
const OWN_RESOLVER = 'AsyncDns';

/** What a browser does of its own accord, which would send packets or take the processor from the page. */
const DISABLED_FEATURES: readonly string[] = [
  'Translate',
  'OptimizationHints',
  'MediaRouter',
  'DialMediaRouteProvider',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'InterestFeedContentSuggestions',
  'HttpsUpgrades',
  OWN_RESOLVER,
  // The address bar's suggestions are pages themselves, which Chromium 156 loads again with each context: 0.3 s of a
  // core, while the page under test loads. So does the rest of its own surface, and a renderer in reserve.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'PreloadTopChromeWebUI',
  'SpareRendererForSitePerProcess',
];

/**
 * Ten packets, as near to the nine segments of the hosts' TCP as there is. Left alone Chromium opens with 32: an upload of
 * 2 MB over 218 ms is two round trips shorter by that alone.
 */
const INITIAL_WINDOW = '--quic-client-connection-options=IW10';

/** What every browser here is started with: nothing of the machine's own configuration takes part, and no packet but a page's. */
function renderCommon(profile: string, { looksUp = false, isShell = false } = {}): string[] {
  return [
    // The shell is headless by itself, and lets pages open windows unasked, which Chromium does not.
    isShell ? '--block-new-web-contents' : '--headless=new',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-gpu',
    '--hide-scrollbars',
    '--mute-audio',
    '--password-store=basic',
    '--use-mock-keychain',
    // No packet that is not the page's: everything that a browser does of its own accord is off.
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-component-extensions-with-background-pages',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-sync',
    '--disable-client-side-phishing-detection',
    `--disable-features=${DISABLED_FEATURES.filter((name) => !(looksUp && name === OWN_RESOLVER)).join(',')}`,
    ...(looksUp ? [`--enable-features=${OWN_RESOLVER}`] : []),
    '--metrics-recording-only',
    // Some builds choose at random what they try out.
    '--disable-field-trial-config',
    // What it thinks of the network has it fetch lazy images from further away, hold back requests and wait for scripts.
    // Chromium 156 learns nothing from addresses as private as a lab's; whatever another one does, it starts with this.
    '--force-effective-connection-type=4G',
    '--no-pings',
    '--safebrowsing-disable-auto-update',
    '--disable-breakpad',
    // A page in the background must not be slowed down; headless pages are sometimes taken for that.
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-hang-monitor',
  ];
}

/** Chromium's arguments, all of them, for a browser in a lab. */
export function renderFlags(options: FlagOptions): string[] {
  const {
    kind,
    isShell = false,
    address,
    spki,
    quicOrigins,
    mapped = [],
    profile,
    more = [],
    keyLog,
    netLog,
  } = options;
  const looksUp = kind === 'offered';
  const own = address === undefined ? [] : [looksUp ? `EXCLUDE *.${LAB_DOMAIN}` : `MAP *.${LAB_DOMAIN} ${address}`];
  const rules = [...mapped.map(renderRule), ...own];
  const told = quicOrigins.length > 0 ? [forceQuic(quicOrigins)] : [];
  const speaks = {
    tcp: ['--disable-quic'],
    quic: ['--enable-quic', INITIAL_WINDOW, forceQuic(quicOrigins)],
    discovering: ['--enable-quic', INITIAL_WINDOW, ...told],
    offered: ['--enable-quic', INITIAL_WINDOW, ...told],
  };
  return [
    ...renderCommon(profile, { looksUp, isShell }),
    `--host-resolver-rules=${[...rules, 'MAP * ~NOTFOUND'].join(', ')}`,
    ...trustKeys(spki),
    ...speaks[kind],
    ...more,
    ...(keyLog === undefined ? [] : [`--ssl-key-log-file=${keyLog}`]),
    ...(netLog === undefined ? [] : [`--log-net-log=${netLog}`]),
  ];
}

/** How a page is looked at that is not the lab's. */
export interface RecordingFlagOptions {
  readonly profile: string;
  /** Where it writes what its network stack does. */
  readonly netLog: string;
  /** Whether secrets and contents are in there too. */
  readonly logsContents: boolean;
  /** Where names lead, in place of what the resolver says. */
  readonly resolved: readonly ResolvedName[];
  /** Whether certificates that are not valid are accepted, over TCP. */
  readonly insecure: boolean;
  /** The transports that it may come over; absent: those that the browser chooses. */
  readonly over?: RecordedOver | undefined;
  /** Digests of keys that are accepted without a trusted signature, with a comma between them. */
  readonly spki?: string | undefined;
}

/** TCP alone, or the origins on which QUIC is forced. */
export type RecordedOver = 'tcp' | { readonly quic: readonly Pick<Origin, 'host' | 'port'>[] };

/** A name, or `*` for all, with a port, and the address that it is found at, with another port or without. */
export interface ResolvedName {
  readonly host: string;
  readonly port: number;
  readonly address: string;
}

function renderRule({ host, port, address }: ResolvedName): string {
  return `MAP ${host}:${port} ${address}`;
}

/** The arguments of a browser that records. */
export function renderRecordingFlags(options: RecordingFlagOptions): string[] {
  const { profile, netLog, logsContents, resolved, insecure, spki = '', over } = options;
  const rules = resolved.map(renderRule);
  return [
    ...renderCommon(profile),
    ...(rules.length > 0 ? [`--host-resolver-rules=${rules.join(', ')}`] : []),
    ...(insecure ? ['--ignore-certificate-errors'] : []),
    ...trustKeys(spki),
    ...renderOver(over),
    `--log-net-log=${netLog}`,
    ...(logsContents ? ['--net-log-capture-mode=Everything'] : []),
  ];
}

function renderOver(over: RecordedOver | undefined): string[] {
  if (over === undefined) return ['--enable-quic'];
  if (over === 'tcp') return ['--disable-quic'];
  return ['--enable-quic', ...(over.quic.length > 0 ? [forceQuic(over.quic)] : [])];
}

function forceQuic(origins: readonly Pick<Origin, 'host' | 'port'>[]): string {
  return `--origin-to-force-quic-on=${[...new Set(origins.map(({ host, port }) => `${host}:${port}`))].join(',')}`;
}

function trustKeys(spki: string): string[] {
  return spki === '' ? [] : [`--ignore-certificate-errors-spki-list=${spki}`];
}
