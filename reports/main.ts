import './page.css';
import type { PageData } from '../harness/report/page-data.ts';
import { fromPageJson } from '../harness/report/page-packing.ts';
import { followOnPage } from './live.ts';
import { showReport } from './page.ts';

const root = document.getElementById('report')!;
const data = fromPageJson<PageData>(document.getElementById('data')!.textContent ?? '');
showReport(data, root);
// Only a server says of which version its data is; a file on the disk has no server to ask.
const { live } = root.dataset;
if (live !== undefined) followOnPage({ data, version: live }, (next) => showReport(next, root));
