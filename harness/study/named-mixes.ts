/** A page that numbers were taken from. */
export interface MixSource {
  /** What was taken from it. */
  readonly says: string;
  /** Its heading; where the copy that was read has none, the words of its address. */
  readonly title: string;
  readonly publisher: string;
  readonly date: string;
  readonly address: string;
}

/** Traffic with a name: shares of links, and how they follow from which numbers. */
export interface NamedMix {
  readonly describes: string;
  /** In percent, by the names of links. */
  readonly shares: Readonly<Record<string, number>>;
  /** What was reckoned from the sources, and what was assumed. */
  readonly derived: readonly string[];
  readonly sources: readonly MixSource[];
}

const RADIOS: MixSource = {
  says: '8.3 billion mobile subscriptions; mobile broadband 7.4 billion (88 %); 4G 5.2 billion (62 %); 5G close to 1.3 billion',
  title: 'India saw highest mobile subscriber addition in Q2: Ericsson report',
  publisher: 'Business Standard, on the Ericsson Mobility Report of August 2023',
  date: '2023-09-05',
  address:
    'https://www.business-standard.com/companies/news/india-saw-highest-mobile-subscriber-addition-in-q2-ericsson-report-123090501079_1.html',
};

/**
 * The mixes that have a name. No number is ours: each was found on the page that stands beside it, and what was made of
 * them is said. They count subscriptions and lines, since page loads by the kind of link are not published; and the
 * links are those of these names here: a country's own may be faster or slower.
 */
export const NAMED_MIXES: Readonly<Record<string, NamedMix>> = {
  global: {
    describes: 'visitors from all over the world, on computers and phones',
    shares: { fibre: 60.4, cable: 9, dsl: 9.9, '5g': 3.6, '4g': 14.5, '3g': 2.5 },
    derived: [
      'computers (58.7 %) and phones on Wi-Fi (half of 41.3 %) have the fixed lines: FTTH/B as fibre, copper and FTTC as dsl; wireless, satellite and others are left out',
      'the other half of the phones have the radio of the mix mobile',
      'that half is ours: in 46 of 95 countries phones were on Wi-Fi for more than half of the time, so in the middle of them about that',
    ],
    sources: [
      {
        says: "mobile devices' share of total traffic: 41.3 %",
        title: 'Mobile share of total internet traffic seems to be declining',
        publisher: 'Telecoms.com, on the Cloudflare Radar Year in Review 2024',
        date: '2024-12-10',
        address:
          'https://www.telecoms.com/digital-ecosystem/mobile-share-of-total-internet-traffic-seems-to-be-declining',
      },
      {
        says: 'smartphone users spent more than 50 % of their time connected to Wi-Fi in 46 of 95 countries',
        title: 'Wi-Fi accounts for over 50% of mobile data connections in 46 countries – OpenSignal',
        publisher: 'Total Telecom, on The Global State of Mobile Networks of OpenSignal',
        date: 'data of May to July 2016',
        address:
          'https://totaltele.com/wi-fi-accounts-for-over-50-of-mobile-data-connections-in-46-countries-opensignal',
      },
      {
        says: 'lines in the third quarter of 2025: FTTP/H/B 73.09 %, cable 10.83 %, hybrid fibre (FTTC etc.) 8.21 %, copper 3.82 %, wireless 3.15 %, satellite 0.52 %',
        title: 'Original article ISPreview UK',
        publisher: 'UK Fibre Connectivity Forum, on figures of Point Topic',
        date: 'data of the third quarter of 2025',
        address: 'https://www.ukfcf.org.uk/?p=12320',
      },
      RADIOS,
    ],
  },
  'europe-desktop': {
    describes: 'visitors from Germany, France, Italy and Spain on computers at fixed lines',
    shares: { fibre: 44, cable: 10, dsl: 46 },
    derived: [
      'millions of lines, fibre + cable + dsl: Germany 4.3 + 8.6 + 24.5, France 21.4 + 0.8 + 10.2 (what is neither fibre nor cable), Italy 5.2 + 0 + 12.7 (copper and FTTC; FWA left out)',
      'Spain 15.3 + 1.5 + 1.0 (17.8 in all; cable is what has 100 Mbit/s without fibre)',
      'no figure for all of Europe was found',
      'VDSL counts as dsl, and is often faster than the link of that name',
    ],
    sources: [
      {
        says: 'end of 2023: 38.4 million lines, DSL 24.5, HFC about 8.6, FTTH/B about 4.3 million',
        title: 'Bundesnetzagentur: Rund 4,3 Millionen aktiver Glasfaseranschlüsse',
        publisher: 'tarif4you.de, on the Jahresbericht Telekommunikation 2023 of the Bundesnetzagentur',
        date: 'data of the end of 2023',
        address: 'https://www2.tarif4you.de/news/n22961.html',
      },
      {
        says: 'end of 2023: 21.4 million subscriptions over fibre, 66 % of all',
        title: 'Point sur le marché du haut et très haut débit internet en 2023',
        publisher: 'Axiome Associés, on the observatory of Arcep',
        date: 'data of the end of 2023',
        address: 'https://axiomeassocies.fr/article/point-sur-le-marche-du-haut-et-tres-haut-debit-internet-en-2023/',
      },
      {
        says: 'March 2023: a little more than 800 000 over coaxial cable of 100 Mbit/s or more',
        title: 'Où en est le déploiement de la fibre en France : 81 % des locaux éligibles à la fibre optique',
        publisher: 'Next INpact, on the observatory of Arcep',
        date: 'data of March 2023',
        address:
          'https://www.nextinpact.com/article/71858/ou-en-est-deploiement-fibre-en-france-81-locaux-eligibles-a-fibre-optique',
      },
      {
        says: 'end of June 2024: 20.24 million lines, copper 3.2, FTTC 9.5, FTTH 5.2, FWA 2.3 million',
        title: 'Osservatorio AGCOM: linee FTTH in leggero aumento',
        publisher: 'Punto Informatico, on the observatory of AGCOM',
        date: '2024-10',
        address: 'https://www.punto-informatico.it/osservatorio-agcom-linee-ftth-in-leggero-aumento/',
      },
      {
        says: '2023: nearly 86 % of active lines over fibre; 94.3 % (16.8 million) with 100 Mbit/s or more',
        title: 'Los accesos de FTTH aumentaron y la velocidad de conexión a Internet mejoró en 2023, según la CNMC',
        publisher: 'CASADOMO, on the Informe Económico Sectorial of the CNMC',
        date: '2024-07-26',
        address:
          'https://casadomo.com/2024/07/26/accesos-ftth-aumentaron-velocidad-conexion-internet-mejoro-2023-segun-cnmc/amp',
      },
    ],
  },
  mobile: {
    describes: 'visitors from all over the world on phones that are not on Wi-Fi',
    shares: { '5g': 18, '4g': 70, '3g': 12 },
    derived: [
      'of 7.4 billion subscriptions of mobile broadband 5G has 1.3, 4G 5.2, and 3G the other 0.9; what has no mobile broadband is left out',
    ],
    sources: [RADIOS],
  },
  'mobile-india': {
    describes: 'visitors from India on phones that are not on Wi-Fi',
    shares: { '5g': 30, '4g': 70 },
    derived: [
      'by subscriptions, 23 to 54; the other 23 % (2G and 3G) are left out, since nearly no data goes over them, and so is Wi-Fi, on which phones there spend a tenth of their time',
    ],
    sources: [
      {
        says: 'end of 2024: 5G 23 % of mobile subscriptions (270 million), 4G 54 %',
        title: 'India leads in 5G growth with 270 million users expected by end of 2024',
        publisher: 'Business Standard, on the Ericsson Mobility Report of November 2024',
        date: '2024-11-26',
        address:
          'https://www.business-standard.com/amp/industry/news/india-leads-in-5g-growth-with-270-million-users-expected-by-end-of-2024-124112600688_1.html',
      },
      {
        says: '4G and 5G subscribers together account for almost 100 % of the mobile data traffic',
        title: 'On average an Indian used 19.5 GB data per month in 2022: report',
        publisher: 'ANI, on the Mobile Broadband India Traffic Index of Nokia',
        date: '2023-02-16',
        address:
          'https://www.aninews.in/news/business/business/on-average-an-indian-used-195-gb-data-per-month-in-2022-report20230216161047/',
      },
      {
        says: 'smartphone users spent 9.9 % of their time on Wi-Fi, from 18 to 24 May 2020',
        title: 'Indian Users Now Spend Less Time on Wi-Fi',
        publisher: 'TelecomTalk, on Opensignal',
        date: 'data of May 2020',
        address: 'https://telecomtalk.info/india-users-less-wifi-consumption/276676/',
      },
    ],
  },
};
