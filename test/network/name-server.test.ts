import { expect, test } from '@jest/globals';
import { recordName } from '../../harness/model/arm.ts';
import { renderRecord } from '../../harness/network/name-server.ts';

test('an HTTPS record is asked for by its port, where that is not the scheme’s', () => {
  expect(recordName('www.example', 443)).toBe('www.example');
  expect(recordName('www.example', 8443)).toBe('_8443._https.www.example');
});

test('and names the host, with H3 before H2', () => {
  // Priority 1, two labels and the root, key 1 (alpn) of six bytes: h3 and h2.
  const host = `01${Buffer.from('a').toString('hex')}04${Buffer.from('test').toString('hex')}00`;
  expect(renderRecord('a.test')).toBe(`0001${host}00010006026833026832`);
});
