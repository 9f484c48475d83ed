import { describe, expect, test } from '@jest/globals';
import { debianArchitecture, foreignLibraries, privateCommand } from '../../harness/setup/private-command.mjs';
import { readStamp, renderAptState, renderStatus } from '../../harness/setup/private-packages.mjs';

describe('a private program', () => {
  test.each([
    ['x64', '/lab/nginx/usr/lib/x86_64-linux-gnu', 'ld-linux-x86-64.so.2'],
    ['arm64', '/lab/nginx/usr/lib/aarch64-linux-gnu', 'ld-linux-aarch64.so.1'],
  ])('on %s starts through its own loader', (arch, libraries, loader) => {
    expect(privateCommand('/lab/nginx', arch, 'usr/sbin/nginx')).toEqual([
      `${libraries}/${loader}`,
      '--inhibit-cache',
      '--library-path',
      libraries,
      '/lab/nginx/usr/sbin/nginx',
    ]);
  });

  test('there is none for other architectures', () => {
    expect(() => debianArchitecture('riscv64')).toThrow(/riscv64/);
  });

  test('takes no library from elsewhere', () => {
    const list = `	linux-vdso.so.1 (0x00007f386e86c000)
	libssl.so.3 => /lab/nginx/usr/lib/x86_64-linux-gnu/libssl.so.3 (0x00007f386e3eb000)
	libpcre2-8.so.0 => /lib/x86_64-linux-gnu/libpcre2-8.so.0 (0x00007f386e508000)
	libz.so.1 => /lab/nginx-other/libz.so.1 (0x00007f386e3cb000)
	libcrypt.so.1 => not found
	/lib64/ld-linux-x86-64.so.2 => /lab/nginx/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 (0x00007f386e86e000)
`;
    expect(foreignLibraries(list, '/lab/nginx')).toEqual(['libpcre2-8.so.0', 'libz.so.1', 'libcrypt.so.1']);
  });
});

describe("apt's private state", () => {
  const files = renderAptState({
    state: '/lab/apt/nginx',
    mirror: 'http://mirror.example/debian',
    keyring: '/keys.gpg',
    suite: 'sid',
    architecture: 'amd64',
  });

  test('has one signed source', () => {
    expect(files['debian.sources']).toBe(`Types: deb
URIs: http://mirror.example/debian
Suites: sid
Components: main
Architectures: amd64
Targets: Packages
Signed-By: /keys.gpg
`);
  });

  test('has nothing installed but what is spared', () => {
    expect(renderStatus([], 'amd64')).toBe('');
    expect(renderStatus(['perl', 'adduser'], 'arm64')).toBe(`Package: perl
Status: install ok installed
Architecture: arm64
Multi-Arch: allowed
Version: 999:0

Package: adduser
Status: install ok installed
Architecture: arm64
Multi-Arch: allowed
Version: 999:0
`);
  });

  test.each([
    'APT::Get::AllowUnauthenticated',
    'Acquire::AllowInsecureRepositories',
    'Acquire::AllowDowngradeToInsecureRepositories',
    'Acquire::AllowWeakRepositories',
  ])('forbids %s, whatever the machine says', (option) => {
    expect(files['apt.conf']).toContain(`${option} "false";`);
  });

  test('touches nothing of the machine', () => {
    const paths = [...files['apt.conf'].matchAll(/^Dir::\S+ "(.*)";$/gm)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => path !== '/dev/null' && !path?.startsWith('/lab/apt/nginx'))).toEqual([]);
  });
});

test('a folder that was not finished has no stamp', () => {
  expect(readStamp('/nowhere')).toBeNull();
});
