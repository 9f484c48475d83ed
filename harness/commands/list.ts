import { renderTable } from '../report/table.ts';
import { NAMED_LINKS } from '../study/named-links.ts';

/** `photofinish list`: what there is to measure with. */
export async function list(print: (line: string) => void): Promise<number> {
  print('Links (--link):');
  const links = Object.entries(NAMED_LINKS);
  print(
    renderTable<(typeof links)[number]>(
      [
        { title: 'name', text: ([name]) => name },
        { title: 'what it is', text: ([, link]) => link.spec },
        { title: 'where the numbers come from', text: ([, link]) => link.source },
      ],
      links,
    ),
  );
  return 0;
}
