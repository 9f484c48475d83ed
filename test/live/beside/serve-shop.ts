/* Serves the test shop at addresses that this host has, with certificates from a folder; says when it does. */
import { FAR_ADDRESSES, openShop } from '../../fakes/shop-site.ts';

const [folder] = process.argv.slice(2);
const certificateOf = (name: string) => ({
  certificate: `${folder}/${name}/certificate.pem`,
  key: `${folder}/${name}/leaf.key`,
});
await using _ = await openShop({ shop: certificateOf('shop'), fonts: certificateOf('fonts') }, FAR_ADDRESSES);
process.stdout.write('ready\n');
await new Promise(() => {});
