/** What `photofinish` says by itself, on a machine that is ready and on one that is not: the way to a first answer. */
export const WELCOME = `Photofinish measures which HTTP protocol a page should be served with (HTTP/1.1,
HTTP/2 or HTTP/3), to visitors on different connections.

A first answer, in about five minutes (four pages over five connections):
  npx photofinish measure

Your own page, as a folder or as it is served today:
  npx photofinish measure --site ./dist --link 4g --link cable
  npx photofinish measure --site https://shop.example/ --link 4g`;

/** What follows on a machine where nothing is installed yet. */
export const BEFORE_SETUP = `
The first command installs what is missing: Chromium, nginx and network tools
(Debian, as root or with sudo; a few minutes). To install only: npm run setup
Afterwards, to see all commands and options: npx photofinish --help`;
