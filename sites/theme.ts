/** The colours of a site. */
export interface Theme {
  readonly ink: string;
  readonly paper: string;
  readonly band: string;
  readonly accent: string;
}

/** What every page looks like: type, the bar at its top with a logo and links, the foot. */
export function renderTheme({ ink, paper, band, accent }: Theme): string {
  return `*{box-sizing:border-box}
body{margin:0;font:17px/1.55 Stroke,sans-serif;color:${ink};background:${paper}}
img{display:block;object-fit:cover}
a{color:inherit;text-decoration:none}
h1,h2,h3{font-weight:700;line-height:1.15;margin:0}
p{margin:0 0 14px}
.bar{display:flex;align-items:center;gap:28px;height:72px;padding:0 48px;background:${band};color:#fff}
.bar b{font-size:24px;margin-right:auto}
.bar i{opacity:.8}
.foot{padding:36px 48px;background:${band};color:#fff;font-weight:300}
.button{display:inline-block;padding:10px 22px;border-radius:4px;background:${accent};color:#fff;font-weight:700}
.light{font-weight:300}`;
}

export interface BarOptions {
  readonly name: string;
  readonly logo: string;
  readonly links: readonly string[];
}

/** The bar at the top of a page. */
export function renderBar({ name, logo, links }: BarOptions): string[] {
  return [
    '<header class="bar">',
    `<img src="${logo}" width="48" height="32" alt="">`,
    `<b>${name}</b>`,
    ...links.map((link) => `<a href="#${link.toLowerCase()}">${link}</a>`),
    '<i>Sign in</i>',
    '</header>',
  ];
}
