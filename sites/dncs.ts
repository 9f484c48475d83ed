import { brochure } from './brochure.ts';
import { FONT_FILES, nameFiles } from './furnishing.ts';

// Khelifi, Chini, Malagò, "Performance evaluation of HTTP/3 + QUIC" (glonor/dncs-http3): three sites by name, weight and
// number of requests. The sites themselves are not ours to keep; these have their weight, their count and a usual mix.

/** 39 requests: the page, 4 stylesheets, 8 scripts, 3 fonts, 23 images. */
export const gameOfThrones = brochure({
  describes: '39 requests, 3 MB: a fan site of 23 images (dncs-http3)',
  name: 'Houses of the North',
  slogan: 'Families, castles and the long winter',
  links: ['Houses', 'Maps', 'Episodes', 'Cast', 'News'],
  theme: { ink: '#e9e6df', paper: '#17191c', band: '#0b0c0e', accent: '#9a2f2a' },
  bytes: 3_000_000,
  pageBytes: 16_000,
  stylesheets: { names: nameFiles('css', 'main bootstrap icons animate'), bytes: 172_000 },
  scriptsInHead: 3,
  scripts: { names: nameFiles('js', 'jquery bootstrap modernizr slider parallax lightbox menu main'), bytes: 430_000 },
  fonts: ['text.woff2', 'bold.woff2', 'light.woff2'],
  icons: 5,
  photos: 16,
  columns: 4,
});

/** 19 requests: the page, 2 stylesheets, 4 scripts, 2 fonts, 10 images. */
export const globalMaster = brochure({
  describes: '19 requests, 1 MB: the site of a course of studies (dncs-http3)',
  name: 'Global Master',
  slogan: 'Two years, three universities, one degree',
  links: ['Programme', 'Admission', 'Campus', 'Contact'],
  theme: { ink: '#23303a', paper: '#f4f6f7', band: '#123b5d', accent: '#d98324' },
  bytes: 1_000_000,
  pageBytes: 10_000,
  stylesheets: { names: nameFiles('css', 'style grid'), bytes: 64_000 },
  scriptsInHead: 1,
  scripts: { names: nameFiles('js', 'jquery plugins menu main'), bytes: 156_000 },
  fonts: ['text.woff2', 'bold.woff2'],
  icons: 2,
  photos: 6,
  columns: 3,
});

/** 56 requests: the page, 6 stylesheets, 12 scripts, 4 fonts, 33 images. */
export const eforladTravel = brochure({
  describes: '56 requests, 2 MB: a travel agency with 33 images (dncs-http3)',
  name: 'Eforlad Travel',
  slogan: 'Journeys for people who are in no hurry',
  links: ['Destinations', 'Tours', 'Hotels', 'Offers', 'Blog', 'Contact'],
  theme: { ink: '#2b2b2b', paper: '#faf7f2', band: '#0f6b6b', accent: '#e0653a' },
  bytes: 2_000_000,
  pageBytes: 22_000,
  stylesheets: { names: nameFiles('css', 'style bootstrap icons carousel datepicker responsive'), bytes: 190_000 },
  scriptsInHead: 4,
  scripts: {
    names: nameFiles(
      'js',
      'jquery migrate modernizr bootstrap carousel datepicker easing waypoints counter maps form main',
    ),
    bytes: 420_000,
  },
  fonts: FONT_FILES,
  icons: 7,
  photos: 24,
  columns: 4,
});
