import { DEVICE_NAMES } from '../model/device.ts';
import type { Option, Options } from '../model/option.ts';
import { KEPT, STUDY_OPTIONS } from '../study/study-options.ts';

/** What a command takes beside options: a word that says which. */
interface Operand {
  readonly name: string;
  readonly says: string;
  readonly isOptional?: true;
  readonly takes?: Option['takes'];
}

/** All that is said of a command. */
export interface CommandInfo {
  /** One sentence that fits a line beside the name. */
  readonly does: string;
  /** What else to know. */
  readonly more?: string;
  readonly operands: readonly Operand[];
  readonly options: Options;
  /** Command lines as a user types them, without `photofinish`. */
  readonly examples: readonly string[];
}

const DIR = { name: 'DIR', says: "The study's folder, as in reports/out/today.", takes: 'folder' } as const;

const BESIDE = {
  says: 'Begins at once although Photofinish measures something else on this machine, which disturbs both. Without it the command waits.',
  example: '--beside',
} as const;

const PORT = {
  value: 'PORT',
  valueIsOptional: true,
  default: 'off; without a PORT, one that is free',
} as const;

const ELSEWHERE = 'On several machines';
const INPUT = 'What is recorded';
const CHECKS = 'What is checked';
const OUTPUT = 'What is written';

/** The benches, of which `bench` runs one. */
export const BENCH_NAMES = [
  'link',
  'overhead',
  'observer',
  'launches',
  'labs',
  'decisions',
  'answers',
  'answers-2015',
  'scale',
  'report',
  'workers',
] as const;

/** What `list` can show. */
export const LIST_NAMES = ['studies', 'sites', 'links', 'servers', 'mixes'] as const;

/** The formats that `export` writes. */
export const FORMAT_NAMES = ['csv', 'parquet', 'json', 'har'] as const;

/** Every command with its operands and options. The parser, the help and the shell completion read it. */
export const COMMANDS = {
  measure: {
    does: 'Runs or continues a study, and says which protocol to serve.',
    operands: [],
    options: {
      ...STUDY_OPTIONS,
      labs: {
        group: 'How much is measured',
        value: 'N|auto',
        says: 'How many labs load pages side by side, at most.',
        default: 'auto: as many as the memory has room for',
        example: '--labs 1',
        takes: ['auto'],
      },
      out: {
        group: KEPT,
        value: 'DIR',
        says: 'The folder of the study. If it holds an unfinished study, Photofinish continues that one.',
        default: 'reports/out/STUDY-TIME',
        example: '--out reports/out/today',
        takes: 'folder',
      },
      force: {
        group: KEPT,
        says: 'Continues a study although the study, browser, server or machine has changed. The report says so.',
        example: '--out reports/out/today --force',
      },
      beside: {
        group: KEPT,
        says: 'Begins at once although Photofinish measures or records something else on this machine, which disturbs both. Both reports say so. Without it a study waits.',
        example: '--site shop --beside',
      },
      live: {
        ...PORT,
        group: KEPT,
        says: 'Shows the report in the browser while it fills in, at an address of this machine only.',
        example: '--live 8080',
      },
      json: {
        group: KEPT,
        says: 'Writes one JSON event a line for programs, in place of the progress display.',
        example: '--json',
      },
      pcap: {
        group: KEPT,
        says: 'Keeps the packets of every load, and the TLS secrets that open them.',
        example: '--pcap',
      },
      netlog: {
        group: KEPT,
        says: "Keeps the browser's network log of every load.",
        example: '--netlog',
      },
      workers: {
        group: ELSEWHERE,
        value: 'REDIS_URL',
        says: 'Has other machines load the pages: those on which "npx photofinish worker REDIS_URL" runs. With $ as the address it is taken from PHOTOFINISH_REDIS_URL.',
        default: 'this machine loads them',
        example: '--workers redis://lab.example',
      },
      mixed: {
        group: ELSEWHERE,
        says: 'Takes workers, too, whose browser, servers or link have other versions. The report tells them apart.',
        example: '--workers redis://lab.example --mixed',
      },
    },
    examples: [
      'measure',
      'measure --site ./dist --link 4g --link cable --budget 10',
      'measure --site https://shop.example/ --link 4g --device mobile',
      'measure --out reports/out/today',
    ],
  },
  report: {
    does: 'Writes the report of a study again, or shows it in the browser.',
    more: 'The study may be unfinished, or being measured just now.',
    operands: [DIR],
    options: {
      serve: {
        ...PORT,
        group: OUTPUT,
        says: 'Shows the report in the browser until Ctrl-C, and follows a study that is being measured.',
        example: '--serve',
      },
    },
    examples: ['report reports/out/today', 'report reports/out/today --serve'],
  },
  export: {
    does: 'Writes what a study found as CSV, Parquet, JSON and HAR.',
    more: 'There are tables of answers, comparisons, blocks and page loads; columns.md explains every column.',
    operands: [DIR],
    options: {
      to: {
        group: OUTPUT,
        value: 'DIR',
        says: 'The folder to write into.',
        default: "the folder export in the study's folder",
        example: '--to ./tables',
        takes: 'folder',
      },
      format: {
        group: OUTPUT,
        value: 'FORMAT,FORMAT…',
        says: 'The formats: tables as csv, parquet and json, and each load as a HAR archive (har).',
        default: 'all of them',
        example: '--format csv,har',
        takes: FORMAT_NAMES,
      },
    },
    examples: ['export reports/out/today --format parquet'],
  },
  gate: {
    does: 'Holds a study against limits, for continuous integration.',
    more: 'It exits 1 if a limit is proven to be broken. At least one limit must be given.',
    operands: [DIR],
    options: {
      'max-regret': {
        group: CHECKS,
        value: 'PERCENT',
        says: 'Broken if, in any condition, pages take longer with the arm that is served than with the fastest, by more than this.',
        default: 'not checked',
        example: '--max-regret 5%',
      },
      'max-mix-regret': {
        group: CHECKS,
        value: 'PERCENT',
        says: "Broken if pages take longer with the served arm than with the fastest by more than this, on average over the study's --mix.",
        default: 'not checked',
        example: '--max-mix-regret 2%',
      },
      'max-plt': {
        group: CHECKS,
        value: 'ARM[:LINK][@SITE]=TIME',
        many: true,
        says: 'Broken if the median page load time of an arm is longer than this, in milliseconds, or in seconds with an s.',
        default: 'not checked',
        example: '--max-plt h3:4g@shop=2.5s',
      },
      'no-slower-than': {
        group: CHECKS,
        value: 'DIR',
        says: "Broken if an arm is slower than in the earlier study in this folder, by more than the study's rule allows (3 % by default).",
        default: 'not checked',
        example: '--no-slower-than studies/before',
        takes: 'folder',
      },
      serve: {
        group: CHECKS,
        value: 'ARM',
        says: 'The arm that your site serves.',
        default: 'the arm that the study advises to serve',
        example: '--serve h3',
      },
      strict: {
        group: CHECKS,
        says: 'The gate also fails if the study cannot prove that a limit is kept.',
        example: '--strict',
      },
      junit: {
        group: OUTPUT,
        value: 'FILE',
        says: 'Writes one JUnit test for every check.',
        default: 'no file',
        example: '--junit gate.xml',
        takes: 'file',
      },
      json: {
        group: OUTPUT,
        says: 'Writes JSON for programs, in place of the table.',
        example: '--json',
      },
    },
    examples: [
      'gate reports/out/now --serve h3 --max-regret 5%',
      'gate reports/out/now --no-slower-than reports/out/before',
    ],
  },
  record: {
    does: 'Records a page with all that it loads, so that it can be measured.',
    more: 'Its network is then replayed in the lab, once for every protocol.',
    operands: [
      {
        name: 'URL|HAR|NAME',
        says: 'The address of a page, or a HAR file with bodies; with --verify alone, the name of a recording.',
        takes: 'file',
      },
      { name: 'NAME', says: 'What the recording is called. It goes to sites/recorded/NAME.', isOptional: true },
    ],
    options: {
      device: {
        group: INPUT,
        value: 'DEVICE',
        says: 'desktop, or mobile.',
        default: 'desktop',
        example: '--device mobile',
        takes: DEVICE_NAMES,
      },
      wait: {
        group: INPUT,
        value: 'SECONDS',
        says: 'How long to stay on the page after the network is quiet.',
        default: '0',
        example: '--wait 5',
      },
      script: {
        group: INPUT,
        value: 'FILE',
        says: "What a visitor does once the page has loaded: a module whose default export is given Puppeteer's page.",
        default: 'the page is scrolled to its end',
        example: '--script accept-cookies.mjs',
        takes: 'file',
      },
      'keep-secrets': {
        group: INPUT,
        says: 'Keeps the values of cookies and Authorization headers, which are otherwise made unreadable.',
        example: '--keep-secrets',
      },
      insecure: { ...STUDY_OPTIONS.insecure, group: INPUT, example: '--insecure' },
      resolve: { ...STUDY_OPTIONS.resolve, group: INPUT },
      beside: { ...BESIDE, group: INPUT },
      replace: {
        group: INPUT,
        says: 'Overwrites a recording of the same name.',
        example: '--replace',
      },
      verify: {
        group: CHECKS,
        says: 'Replays the recording in a lab and compares it with the live page. Exits 1 if it is not good enough.',
        example: '--verify',
      },
      link: {
        group: CHECKS,
        value: 'NAME|SPEC',
        says: 'The connection that the page was recorded over, for --verify.',
        default: 'estimated from how the bytes came',
        example: '--link rate=50mbit,rtt=20ms',
        takes: 'link',
      },
    },
    examples: [
      'record http://localhost:3000/ mine --verify',
      'record archive.har mine',
      'record --verify mine --link rate=50mbit,rtt=20ms',
    ],
  },
  worker: {
    does: 'Loads pages for a study that another machine coordinates.',
    more: 'It takes blocks until Ctrl-C, of one study after the other. See harness/workers/README.md.',
    operands: [
      {
        name: 'REDIS_URL',
        says: 'The Redis or Valkey that measure --workers names, redis://… or rediss://…. With $ it is taken from PHOTOFINISH_REDIS_URL.',
      },
    ],
    options: {
      labs: {
        group: 'How much is measured',
        value: 'N|auto',
        says: 'How many labs load pages side by side, at most.',
        default: 'auto: as many as the memory has room for',
        example: '--labs 1',
        takes: ['auto'],
      },
      name: {
        group: ELSEWHERE,
        value: 'NAME',
        says: 'What the report calls this machine.',
        default: 'its host name',
        example: '--name rack-3',
      },
      beside: {
        group: ELSEWHERE,
        says: 'Takes part although Photofinish measures or records something else on this machine, which disturbs both.',
        example: '--beside',
      },
      trust: {
        group: ELSEWHERE,
        says: 'Takes studies, too, that load pages from elsewhere, or give the browser arguments. Only where all that may write to that Redis are trusted.',
        example: '--trust',
      },
    },
    examples: ['worker redis://lab.example', 'worker $ --labs 2'],
  },
  calibrate: {
    does: 'Checks that links do what they claim.',
    more: 'It exits 1 if one is out of tolerance.',
    operands: [],
    options: {
      link: {
        group: CHECKS,
        value: 'NAME|SPEC',
        many: true,
        says: 'A link to measure.',
        default: 'rate=10mbit,rtt=40ms',
        example: '--link 4g',
        takes: 'link',
      },
      scale: {
        group: CHECKS,
        value: 'N',
        says: 'Sends N times the usual number of probes.',
        default: '1',
        example: '--scale 4',
      },
      beside: { ...BESIDE, group: CHECKS },
    },
    examples: ['calibrate --link 4g --link rate=2mbit,rtt=218ms,loss=2%'],
  },
  list: {
    does: 'Shows the studies, sites, links, servers and mixes there are.',
    operands: [{ name: 'SECTION', says: 'One of the five; all without it.', isOptional: true, takes: LIST_NAMES }],
    options: {},
    examples: ['list links'],
  },
  doctor: {
    does: 'Says what this machine can do, and how to get what is missing.',
    operands: [],
    options: {},
    examples: ['doctor'],
  },
  bench: {
    does: 'Measures Photofinish itself.',
    operands: [{ name: 'WHAT', says: `One of ${BENCH_NAMES.join(', ')}.`, takes: BENCH_NAMES }],
    options: {},
    examples: ['bench link'],
  },
  completion: {
    does: 'Prints the completion of commands and names for bash or zsh.',
    operands: [{ name: 'SHELL', says: 'bash or zsh.', takes: ['bash', 'zsh'] }],
    options: {},
    examples: ['completion bash'],
  },
} as const satisfies Readonly<Record<string, CommandInfo>>;

export type CommandName = keyof typeof COMMANDS;

/** All commands under one type, for code that treats them alike. */
export const ALL_COMMANDS: Readonly<Record<CommandName, CommandInfo>> = COMMANDS;
