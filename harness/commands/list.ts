import { RECIPES } from '../../sites/recipes.ts';
import { renderTable } from '../report/table.ts';
import { NAMED_LINKS } from '../study/named-links.ts';

/** `photofinish list`: what there is to measure with. */
export async function list(print: (line: string) => void): Promise<number> {
  print('Sites (--site):');
  const sites = Object.entries(RECIPES);
  print(
    renderTable<(typeof sites)[number]>(
      [
        { title: 'name', text: ([name]) => name },
        { title: 'what it is', text: ([, recipe]) => recipe.describes },
      ],
      sites,
    ),
  );
  print('\nLinks (--link):');
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
