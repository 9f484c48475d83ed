import type { Origin } from '../model/arm.ts';
import type { ServerRecord } from '../model/capture.ts';
import type { Host } from '../model/lab.ts';
import type { ServerAbilities } from '../model/server.ts';
import type { GeneratedSite } from '../model/site.ts';
import type { Argv } from '../system/process.ts';
import type { Certificate } from './certificate.ts';

/**
 * All that is known of a kind of server: how it is found, told what to do, and asked what it did. One file each; whatever
 * runs servers knows no more of them than this.
 */
export interface Adapter extends ServerAbilities {
  readonly name: string;
  /** What it is, in a line. */
  readonly describes: string;
  /** Whether it leaves it to the plain server behind it to let time pass, to take uploads, or to find files. */
  readonly hasServerBehind: boolean;
  /** Where it is on this machine, or what stands in the way. */
  readonly find: () => FoundServer | Missing;
  /** Its configuration as text, by the files' names below its folder; the first one is what the study keeps. */
  readonly render: (settings: ServerSettings) => Readonly<Record<string, string>>;
  /** Writes what is the same for all its starts, such as the keys that outlive a restart. */
  readonly prepare?: (folder: string) => void;
  /** What starts it in the foreground. */
  readonly command: (program: Argv, folder: string) => Argv;
  /** How many processes it starts before it serves. */
  readonly workers: number;
  /** The signal that has it let requests end, close its connections, and exit. */
  readonly endSignal: NodeJS.Signals;
  /** The file that it logs requests to, below its folder; its standard output goes there too. */
  readonly accessLog: string;
  /** The file where it says what is wrong; absent: its standard error. */
  readonly errorLog?: string;
  /** Lines there that tell of nothing wrong. */
  readonly routine?: RegExp;
  readonly parseLog: (text: string) => ServerRecord[];
}

/** A server that is on this machine. */
export interface FoundServer {
  readonly argv: Argv;
  /** The server's version, as the report names it. */
  readonly version: string;
}

/** Why a server cannot be used here, and what would change that. */
export interface Missing {
  readonly missing: string;
}

/** What a server's configuration depends on. */
export interface ServerSettings {
  readonly host: Host;
  /** A folder of its own, for configuration and logs. */
  readonly folder: string;
  readonly certificate: Certificate;
  readonly sites: readonly GeneratedSite[];
  readonly origins: readonly Origin[];
  /** Where uploads and thoughts go: an address and a port that only this host's programs reach. */
  readonly backend: string;
  /** The plain server behind those that have one: it serves all sites in the clear, and lets time pass. */
  readonly behind: string;
  /** While this file is there, the pages themselves wait for the backend, which reads in it for how long. */
  readonly holdFile: string;
  /** Congestion control of QUIC; absent: the server's default. */
  readonly congestion?: string | undefined;
  /** Whether h3 responses carry Alt-Svc; only the test of why they must takes it away. */
  readonly altSvc?: boolean | undefined;
}
