import { RECIPES } from '../../sites/recipes.ts';
import { type LaunchedBrowser, launchBrowser } from '../browser/launch.ts';
import { loadPage } from '../browser/load.ts';
import { ORIGINS } from '../model/arm.ts';
import type { Capture } from '../model/capture.ts';
import type { DirectionName, Link } from '../model/link.ts';
import type { GeneratedSite, Manifest } from '../model/site.ts';
import type { Arm } from '../model/study.ts';
import type { HostState } from '../network/network.ts';
import { openNginx, type Server } from '../server/nginx.ts';
import { generateSite } from '../site/generate.ts';
import { SCRATCH } from '../system/enclosure.ts';
import { PROJECT, readTools } from '../system/tools.ts';
import { type Calibration, calibrateLink, openLab } from './lab.ts';

/** All that a trial needs of the world. The real one is below; tests pass a false one. */
export interface Rig extends AsyncDisposable {
  /** Makes the link what is asked, and measures it where it has not been measured yet. */
  openLink(link: Link): Promise<Calibration>;
  /** The lab as its kernels say it is, and the link as it is set now. */
  describe(): Promise<LabState>;
  /** Has a site served on every arm's origin; resolves with what it consists of. */
  serve(site: string): Promise<Manifest>;
  /** Loads the page that is served, once. */
  load(arm: Arm, timeoutMs: number): Promise<Capture>;
}

/** What a lab was like while it was measured in. */
export interface LabState {
  readonly driver: string;
  readonly kernel: string;
  readonly realtime: boolean;
  readonly hosts: readonly HostState[];
  readonly link: Readonly<Record<DirectionName, string>>;
}

/** The site cache and the seed that generated sites come from. */
const SITES = `${PROJECT}.lab/sites`;
const SITE_SEED = 1;

/** A lab with a server and two browsers in it. */
export async function openRig(): Promise<Rig> {
  const tools = readTools();
  await using undo = new AsyncDisposableStack();
  const network = undo.use(await openLab());
  const [client, host] = [network.clients[0]!, network.servers[0]!];
  const calibrations = new Map<string, Calibration>();
  let current: {
    link?: string;
    site?: GeneratedSite;
    server?: Server;
    browsers?: Record<'tcp' | 'quic', LaunchedBrowser>;
  } = {};
  undo.defer(async () => {
    await closeAll(current);
  });
  const kept = undo.move();
  return {
    async openLink(link) {
      const known = calibrations.get(link.name);
      if (known && current.link === link.name) return known;
      const calibration = known ?? (await calibrateLink(network, link));
      if (known) await network.setLink(link);
      current.link = link.name;
      calibrations.set(link.name, calibration);
      return calibration;
    },
    async describe() {
      const { driver, kernel, realtime } = network.router;
      return { driver, kernel, realtime, hosts: await network.describeHosts(), link: await network.linkState() };
    },
    async serve(name) {
      if (current.site?.manifest.site === name) return current.site.manifest;
      await closeAll(current);
      const site = generateSite(name, RECIPES[name]!, SITE_SEED, SITES);
      const folder = `${SCRATCH}/${host.namespace}`;
      const server = await openNginx({
        argv: tools.nginx.argv,
        host,
        folder,
        root: site.root,
        origins: Object.values(ORIGINS),
      });
      const launch = (kind: 'tcp' | 'quic') =>
        launchBrowser({
          chromium: tools.chromium.path,
          host: client,
          folder: SCRATCH,
          kind,
          address: host.address,
          spki: server.spki,
          quicOrigins: [ORIGINS.h3],
        });
      const browsers = { tcp: await launch('tcp'), quic: await launch('quic') };
      current = { ...current, site, server, browsers };
      return site.manifest;
    },
    async load(arm, timeoutMs) {
      const { browser } = current.browsers![arm.protocol === 'h3' ? 'quic' : 'tcp'];
      return loadPage(browser, { url: `${ORIGINS[arm.protocol].url}${current.site!.manifest.document}`, timeoutMs });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function closeAll({
  server,
  browsers,
}: {
  server?: Server;
  browsers?: Record<string, LaunchedBrowser>;
}): Promise<void> {
  for (const each of Object.values(browsers ?? {})) await each[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
}
