import { describe, expect, test } from '@jest/globals';
import { REMOTE, REMOTE_ABILITIES } from '../../harness/model/remote.ts';
import type { SiteFacts } from '../../harness/model/site.ts';
import type { Study } from '../../harness/model/study.ts';
import { setupsOf } from '../../harness/run/setups.ts';
import { type StudyFlags, studyFromFlags } from '../../harness/study/flags.ts';
import { planStudy } from '../../harness/study/plan.ts';
import { sourcesWith, whatIsSaidOf } from './asking.ts';

const SHOP = 'https://shop.example/';

const own = sourcesWith({ 'my.yaml': '' });
const sources = {
  ...own,
  servers: [...own.servers, REMOTE] as unknown as typeof own.servers,
  abilitiesOf: (server: string) => (server === REMOTE ? REMOTE_ABILITIES : own.abilitiesOf(server)),
};
const ask = (flags: StudyFlags) => studyFromFlags({ link: ['4g'], ...flags }, sources).study;

/** What is to be measured with what, of each grid. */
const grids = (flags: StudyFlags) => ask(flags).grids.map(({ sites, servers }) => [sites, servers]);

test.each<[StudyFlags, readonly unknown[]]>([
  [{ site: [SHOP] }, [[[SHOP], [REMOTE]]]],
  [{ site: [SHOP], server: [REMOTE] }, [[[SHOP], [REMOTE]]]],
  [{ site: ['HTTPS://Shop.example'] }, [[[SHOP], [REMOTE]]]],
  [{ site: ['http://shop.example:8080/a|b#top'] }, [[['http://shop.example:8080/a%7Cb'], [REMOTE]]]],
  [
    { site: ['app', SHOP] },
    [
      [['app'], ['nginx']],
      [[SHOP], [REMOTE]],
    ],
  ],
  [
    { site: [SHOP, 'app'], server: ['other', REMOTE] },
    [
      [['app'], ['other']],
      [[SHOP], [REMOTE]],
    ],
  ],
])('%j: what exists already is served by itself', (flags, expected) => {
  expect(grids(flags)).toEqual(expected);
});

test.each<[StudyFlags, RegExp]>([
  [{ site: [SHOP], server: ['nginx'] }, /^--server: nginx does not serve https:\/\/shop\.example\/. Expected: remote$/],
  [{ site: ['app'], server: [REMOTE] }, /^--server: remote serves no site of that name. Expected: an address/],
  [
    { site: ['app', SHOP], server: [REMOTE] },
    /^--server: remote does not serve "app". Expected: a server of the lab's/,
  ],
  [{ site: ['https://'] }, /^--site: "https:\/\/" is not valid. Expected: an address that a browser can load$/],
  [
    { site: [`${SHOP}${'x'.repeat(2_000)}`] },
    /^--site: "https:\/\/shop\.example\/x+…" has 2021 characters. Expected: an address of up to 2000$/,
  ],
  [{ site: ['https://[2001:db8::7]/'] }, /is not valid. Expected: an address that a browser can load$/],
  [{ site: [SHOP], visit: ['resumed'] }, /remote has no resumed visits. Expected: cold, discovered$/],
])('%j is refused in a line', (flags, says) => {
  expect(whatIsSaidOf(() => ask(flags))).toMatch(says);
});

const FACTS: SiteFacts = { objects: 3, bytes: 90_000, digest: SHOP, remote: { h1c: 'It is not in the clear' } };
const plan = (study: Study, facts: Partial<SiteFacts> = {}) => planStudy(study, () => ({ ...FACTS, ...facts }));

describe('a plan', () => {
  test('has a control that the lab serves, and that server alone', () => {
    const planned = plan(ask({ site: [SHOP] }));
    expect(planned.conditions.map(({ id }) => id)).toEqual([`${SHOP}|4g|remote|cold`]);
    expect(planned.control.condition).toMatchObject({ site: 'few-small', server: 'nginx' });
    expect(setupsOf(planned)).toEqual([{ name: 'nginx' }]);
  });

  test('starts the servers of the sites that have some', () => {
    const mixed = planStudy(ask({ site: [SHOP, 'app'], server: ['other', REMOTE] }), (site) =>
      site === SHOP ? FACTS : { objects: 3, bytes: 90_000, digest: '' },
    );
    expect(setupsOf(mixed)).toEqual([{ name: 'other' }]);
  });

  test('makes offers to who comes for the first time, and to who comes back', () => {
    const offered = plan(ask({ site: [SHOP], offers: 'h2,h3-altsvc' }));
    expect(offered.conditions.map(({ visit, link }) => `${link.name} ${visit}`)).toEqual(
      ['4g', '4g,udp=drop'].flatMap((link) => [`${link} first`, `${link} returning`]),
    );
  });

  const study = ask({ site: [SHOP] });
  test.each<[string, Study, Partial<SiteFacts>, RegExp]>([
    [
      'an arm that is not offered',
      study,
      { remote: { h3: 'https://shop.example does not offer HTTP/3 (no Alt-Svc)', h1c: 'It is not in the clear' } },
      /^https:\/\/shop\.example\/: https:\/\/shop\.example does not offer HTTP\/3 \(no Alt-Svc\). Expected: --arms h1,h2. To learn what HTTP\/3 would do: npx photofinish record https:\/\/shop\.example\/ mine, then npx photofinish measure --site mine$/,
    ],
    [
      'an offer that is not made',
      ask({ site: [SHOP], offers: 'h2,h3-altsvc' }),
      { remote: { h3: 'https://shop.example does not offer HTTP/3 (no Alt-Svc)', h1c: 'It is not in the clear' } },
      /does not offer HTTP\/3 \(no Alt-Svc\). Expected: an address whose server has HTTP\/2 and HTTP\/3. To learn what HTTP\/3 by Alt-Svc would do: npx photofinish record/,
    ],
    [
      'an arm of another server',
      { ...study, arms: [...study.arms, { name: 'caddy', protocol: 'h2', server: 'caddy' }] },
      {},
      /arm "caddy" has a server or something beside it/,
    ],
    [
      'a congestion control',
      { ...study, arms: [...study.arms, { name: 'h2-bbr', protocol: 'h2', congestion: 'bbr' }] },
      {},
      /arm "h2-bbr" has a congestion control, which is its servers' own. Expected: arms without congestion/,
    ],
    [
      'several visitors',
      { ...study, grids: study.grids.map((grid) => ({ ...grid, topology: 'crowd' as const, tabs: [2] })) },
      {},
      /loaded by one visitor at a time. Expected: topology direct or routed, without tabs/,
    ],
    ['an upload', { ...study, metric: 'upload' }, {}, /sends no file/],
  ])('%s is refused', (_, asked, facts, says) => {
    expect(whatIsSaidOf(() => plan(asked, facts))).toMatch(says);
  });
});
