import type { Recipe, SiteFacts } from '../harness/model/site.ts';

/**
 * What a recipe's first words say of its site's size, which a test holds to the site itself: making all sites takes a
 * quarter of a minute, and a forecast of how long a study takes need not wait for that.
 */
export function toldSize({ describes }: Recipe): Omit<SiteFacts, 'digest'> {
  const [, requests, amount, unit] = /^(\d+) requests?, ([\d.]+) (KB|MB)/.exec(describes)!;
  const sent = /\buploads \w+ of (\d+) B\b/.exec(describes)?.[1];
  return {
    objects: Number(requests),
    bytes: Number(amount) * (unit === 'MB' ? 1e6 : 1e3),
    uploadBytes: sent === undefined ? undefined : Number(sent),
  };
}
