import './page.css';
import type { PageData } from '../harness/report/page-data.ts';
import { fromPageJson } from '../harness/report/page-packing.ts';
import { followStudy } from './live.ts';
import { showReport } from './page.ts';

const root = document.getElementById('report')!;
showReport(fromPageJson<PageData>(document.getElementById('data')!.textContent ?? ''), root);
// Only a server says where to ask for more; a file on the disk asks nobody.
if (root.dataset.live !== undefined) followStudy(root);
