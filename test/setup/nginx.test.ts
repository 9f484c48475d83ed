import { describe, expect, test } from '@jest/globals';
import { parseNginxBuild, unfitReasons } from '../../harness/setup/nginx.mjs';

const sid = `nginx version: nginx/1.30.6
built by gcc 16.2.0 (Debian 16.2.0-3)
built with OpenSSL 3.6.5 29 Sep 2026
TLS SNI support enabled
configure arguments: --with-cc-opt='-g -O2' --with-http_ssl_module --with-http_v2_module --with-http_v3_module
`;
const bookworm = `nginx version: nginx/1.22.1
built with OpenSSL 3.0.11 19 Sep 2023 (running with OpenSSL 3.0.15 3 Sep 2024)
TLS SNI support enabled
configure arguments: --with-cc-opt='-g -O2' --with-http_ssl_module --with-http_v2_module
`;

describe('nginx -V', () => {
  test.each([
    ['of sid', sid, { version: '1.30.6', http3: true, openssl: '3.6.5' }],
    ['of bookworm, which runs on a newer OpenSSL', bookworm, { version: '1.22.1', http3: false, openssl: '3.0.15' }],
    [
      'of a build with BoringSSL',
      'nginx version: nginx/1.31.0\nbuilt with BoringSSL\nconfigure arguments: --with-http_v3_module',
      { version: '1.31.0', http3: true, openssl: null },
    ],
    [
      'of a relative',
      'nginx version: openresty/1.27.1.1\nbuilt with OpenSSL 3.5.4 30 Sep 2025\nconfigure arguments: --with-http_v3_module',
      { version: null, http3: true, openssl: '3.5.4' },
    ],
    ['of another program', 'unknown option -V', { version: null, http3: false, openssl: null }],
  ])('%s', (_, text, expected) => {
    expect(parseNginxBuild(text)).toEqual(expected);
  });
});

describe('a build is', () => {
  const fit = { version: '1.29.1', http3: true, openssl: '3.5.1' };

  test.each([
    [fit, []],
    [{ ...fit, version: '1.29.0' }, ['is 1.29.0, older than 1.29.1']],
    [{ ...fit, http3: false }, ['is built without HTTP/3']],
    [{ ...fit, openssl: '3.5.0' }, ['runs on OpenSSL 3.5.0, older than 3.5.1']],
    [{ ...fit, openssl: null }, ['does not run on OpenSSL']],
    [{ version: null, http3: true, openssl: '3.6.0' }, ['does not run as an nginx']],
    [
      { version: '1.22.1', http3: false, openssl: '3.0.15' },
      ['is 1.22.1, older than 1.29.1', 'is built without HTTP/3', 'runs on OpenSSL 3.0.15, older than 3.5.1'],
    ],
  ])('%j: %j', (build, reasons) => {
    expect(unfitReasons(build)).toEqual(reasons);
  });
});
