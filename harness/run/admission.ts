/*
 * Labs that load side by side share the machine's cores. A load begins only where neither it nor those that load already
 * would lack more than some hundredths of a core, on average: slow links load side by side, quick ones and heavy pages mostly
 * by themselves. How many hundredths follows from what is seen, within bounds: each load that was disturbed lowers it, each
 * other raises it a little.
 *
 * Where the machine can have that (`system/give-way.ts`), quick ones come before slow ones, so that they hardly wait for them:
 * slow ones, which have time, load beside them.
 *
 *     first    slow ones              │ quick ones                     │ slow ones …
 *     lab 0    ███ 2 Mbit/s ███ █████ │ ·                              │ ██████
 *     lab 1    ██████ 218 ms ████████ │ ██████ as it does not disturb  │ █████████
 *     lab 2    ·  waits  ·            │ ███ ███ 50 Mbit/s ███ ███ ████ │ ·
 *
 * The two kinds come first in turn, for some loads each. If every quick load had all slow ones end before it, and let them
 * begin again after it, the machine would wait for the last of them most of the time. The others may pass those that come
 * first wherever they do not hold them up.
 *
 * Within a kind what is worth most for each core that it takes comes first. While labs whose loads exclude each other had equally
 * much of the processor, whatever their blocks told, one default study loaded a page over fibre fourteen times that is nearly as
 * quick by two protocols, and pages over Wi-Fi whose answers were open four to nine times. What is worth the same, as all first
 * blocks are, comes in turn, by what each lab has had of the processor: otherwise one with a quick link, which is ready again at
 * once, would keep the others waiting.
 */

import { sumOf } from '../stats/order.ts';

/** What a load, or anything else that takes the processor, needs. */
export interface Stay {
  /** Cores that it takes on average; infinitely many mean that it wants the machine to itself. */
  readonly cores: number;
  /** Cores that its page takes by itself while it is timed, which tell quick loads from slow ones; 0 where nothing is timed. */
  readonly timed: number;
  /** Cores that it wants while it is timed, and whose lack makes its load time longer; absent: as many as `timed`. */
  readonly wanted?: number;
  /** How many of them others may have to wait for: all but those that give way. */
  readonly pressing: number;
  /** How many of them a quick load may have to wait for, which comes before slow ones; absent: as many. */
  readonly pressingQuick?: number;
  /** How many times as many cores as others it may lack, since loads of its condition differ a lot anyway; absent: once. */
  readonly bears?: number;
  /** How long it is likely to take. */
  readonly forMs: number;
}

/** A stay that a lab asks for, by the lab's number; absent for what is done for all labs: none of them has had it. */
export interface AskedStay extends Stay {
  readonly lab?: number | undefined;
  /** What a second of it is worth; absent: it comes before all that goes by worth. */
  readonly worth?: number | undefined;
}

/** Lets in what the cores have room for. */
export interface Admission {
  /** Waits until there is room; the function that it resolves with ends the stay. */
  enter(stay: AskedStay): Promise<() => void>;
  /** The milliseconds of a core that all stays so far have asked for. */
  askedCoreMs(): number;
  /** Whether anything waits for room. */
  isFull(): boolean;
  /** Learns whether a load that it let in was disturbed. */
  learn(wasDisturbed: boolean): void;
}

/** The part of all cores that may be asked for at once. */
const ROOM = 0.95;
/**
 * The cores that a load may be likely to lack because of its neighbours, on average over its time: at first the most. With twice as
 * many more loads are counted, and no more conditions settle: quick loads beside each other took 5 to 12 % longer over cable and
 * fibre, and differed by 6 to 8 %. With these they take 2 to 7 % longer and differ by 3 to 5 %, so that fewer blocks tell their arms
 * apart. In turn within one hour, default studies settled 14, 16 and 16 conditions with these by 260, 288 and 330 loads, and two with
 * twice as many 13 and 15 by 296 and 355; 29 and 11 of those were disturbed, and 13, 6 and 8 of these.
 */
const LACKING = { least: 0.01, most: 0.03 } as const;
/** How much more may be lacking after a load that was not disturbed, and how much less after one that was. */
const AFTER = { calm: 1.01, disturbed: 0.87 } as const;
/** A load whose page keeps this share of all cores busy is a quick one. */
const QUICK_SHARE = 0.12;
/** While quick ones wait, slow ones come first for as long as this many of the longest take. */
const LOADS_OF_A_PHASE = 3;
/** Each kind goes on at least this long. */
const LEAST_PHASE_MS = 5_000;
/** A lab with a quick load has this long to ask for its next one before others are let in that would be in its way. */
const GRACE_MS = 500;

interface Inside extends Stay {
  readonly beganMs: number;
}

interface Waiting extends AskedStay {
  readonly begin: (leave: () => void) => void;
}

/** A stay that waits, and the moment from which on there is likely to be room for it. */
interface Held {
  readonly stay: Stay;
  readonly fromMs: number;
}

/** A while in which quick ones come first, or slow ones. */
interface Phase {
  readonly quick: boolean;
  /** How long it goes on once the other kind waits. */
  lastsMs: number;
  /** When the other kind began to wait. */
  waitedFromMs?: number | undefined;
}

/** How often it is looked whether others may begin, while what takes longer than it was likely to holds them up. */
const LOOK_AGAIN_MS = 5_000;

/**
 * When a stay is likely to end. One that takes longer than it was likely to takes about as long again as it has: loads over links
 * that lose many packets may take ten times as long as any forecast says.
 */
function endOf({ beganMs, forMs }: Inside, nowMs: number): number {
  const overdueMs = nowMs - beganMs - forMs;
  return overdueMs > 0 ? nowMs + overdueMs : beganMs + forMs;
}

/** Whether a load keeps a large enough share of the cores busy that hardly any other fits beside it. */
export function isQuick({ timed }: Pick<Stay, 'timed'>, cores: number): boolean {
  return timed >= QUICK_SHARE * cores;
}

/** Loads that take longer than this leave others time to begin after them. */
const LONG_MS = 10_000;

/**
 * Whether the loads of a block take one turn, and not one each: quick ones follow one another too closely for others to begin in
 * between. Beside a load that takes minutes a quick one has a turn of its own, or it would keep the machine to itself all that time.
 */
export function takeOneTurn(stays: readonly Pick<Stay, 'timed' | 'forMs'>[], cores: number): boolean {
  return stays.some((stay) => isQuick(stay, cores)) && stays.every(({ forMs }) => forMs < LONG_MS);
}

/**
 * Whether stays may be inside at once. A stay that is shorter than a load counts for its share of the load's time, and
 * what gives way does not count.
 */
export function fitTogether(stays: readonly Stay[], cores: number, mostLacking: number = LACKING.most): boolean {
  if (stays.length < 2) return true;
  if (sumOf(stays.map((each) => each.cores)) > ROOM * cores) return false;
  return stays.every((each) => {
    const others = stays.filter((other) => other !== each);
    const busy = sumOf(others.map((other) => pressingOn(each, other, cores) * Math.min(1, other.forMs / each.forMs)));
    return lacking(each.wanted ?? each.timed, busy, cores) <= mostLacking * (each.bears ?? 1);
  });
}

/** The cores of another that something may have to wait for. */
function pressingOn(own: Stay, other: Stay, cores: number): number {
  const comesFirst = isQuick(own, cores) && !isQuick(other, cores);
  return comesFirst ? (other.pressingQuick ?? other.pressing) : other.pressing;
}

/**
 * The cores that something lacks on average which takes some of them, beside others that take some, too: each is as likely
 * as any other to be wanted by the one, and by the others. On two cores, a load that keeps one of them busy wants both for a
 * quarter of its time, and then lacks one whenever the others have one.
 */
function lacking(own: number, others: number, cores: number): number {
  const [wanted, taken] = [own, others].map((busy) => chancesOf(Math.min(1, busy / cores), cores));
  return sumOf(
    wanted!.flatMap((chance, most) => taken!.map((other, gone) => chance * other * Math.max(0, most + gone - cores))),
  );
}

/** How likely it is that none, one, two and so on of all cores are busy, each with this chance. */
function chancesOf(chance: number, cores: number): readonly number[] {
  const step = (chances: readonly number[]) =>
    [...chances, 0].map((each, busy) => each * (1 - chance) + (chances[busy - 1] ?? 0) * chance);
  return Array.from({ length: cores }).reduce<readonly number[]>(step, [1]);
}

/** An empty machine with this many cores; `nowMs` is a clock that never goes back. */
export function openAdmission(cores: number, nowMs: () => number = () => performance.now()): Admission {
  const inside = new Set<Inside>();
  /** By lab: the milliseconds of a core that its stays took so far. */
  const had = new Map<number, number>();
  let waiting: readonly Waiting[] = [];
  let phase: Phase = { quick: false, lastsMs: LEAST_PHASE_MS };
  /** The quick stay that left last, for as long as its lab may ask again. */
  let lastQuick: Stay | undefined;
  let asked = { coreMs: 0, untilMs: nowMs() };
  let mostLacking: number = LACKING.most;
  let looksAgain = false;

  const isQuickOne = (stay: Stay) => isQuick(stay, cores);
  const hadBy = ({ lab }: AskedStay) => (lab === undefined ? 0 : (had.get(lab) ?? 0));
  /** A stay that has the machine to itself takes all of it. */
  const takenBy = (stay: Stay) => Math.min(stay.cores, cores);
  const worthOf = (stay: AskedStay) => (stay.worth ?? Number.POSITIVE_INFINITY) / takenBy(stay);
  const inTurn = (quick: boolean) =>
    waiting
      .filter((each) => isQuickOne(each) === quick)
      // Labs that have had equally much come in the order in which they asked.
      .toSorted((a, b) => (worthOf(a) === worthOf(b) ? hadBy(a) - hadBy(b) : worthOf(b) - worthOf(a)));
  /** Counts what was asked for since something entered or left last. */
  const count = () => {
    asked = { coreMs: asked.coreMs + sumOf([...inside].map(takenBy)) * (nowMs() - asked.untilMs), untilMs: nowMs() };
    return asked.coreMs;
  };
  /** What is overdue counts for as long as it is likely to be there. */
  const asLikely = (own: Inside): Inside => ({ ...own, forMs: endOf(own, nowMs()) - own.beganMs });
  const hasRoom = (each: Stay, beside: readonly Inside[] = [...inside], and: readonly Stay[] = []) =>
    fitTogether([...beside.map(asLikely), ...and, each], cores, mostLacking);
  const hold = (stay: Stay): Held => {
    const now = nowMs();
    const leaving = [...inside].toSorted((a, b) => endOf(a, now) - endOf(b, now));
    const left = [0, ...leaving.keys()].findIndex((_, gone) => hasRoom(stay, leaving.slice(gone)));
    const last = leaving[left - 1];
    return { stay, fromMs: last ? endOf(last, now) : now };
  };
  /** Whether what waits could not begin when it is likely to, were this let in before. */
  const holdsUp = (each: Stay, { stay, fromMs }: Held) =>
    nowMs() + each.forMs > fromMs &&
    !hasRoom(
      stay,
      [...inside].filter((own) => endOf(own, nowMs()) > fromMs),
      [each],
    );
  /**
   * The other kind comes first once it has waited for as long as this phase may last, and then for as long as it waited. It
   * comes first at once where there is room for it and nothing of this kind waits.
   */
  const changePhase = () => {
    const [own, [other]] = [inTurn(phase.quick), inTurn(!phase.quick)];
    if (!other) {
      phase.waitedFromMs = undefined;
      return;
    }
    if (phase.waitedFromMs === undefined) {
      phase.waitedFromMs = nowMs();
      const slow = [...inside, ...waiting].filter((each) => !isQuickOne(each));
      const longestMs = Math.max(0, ...slow.map(({ forMs }) => forMs));
      if (!phase.quick) phase.lastsMs = Math.max(LEAST_PHASE_MS, LOADS_OF_A_PHASE * longestMs);
    }
    const waitedMs = nowMs() - phase.waitedFromMs;
    const isLeft =
      own.length === 0 && !comesNext() && (!phase.quick || ![...inside].some(isQuickOne)) && hasRoom(other);
    if (waitedMs >= phase.lastsMs || isLeft)
      phase = { quick: !phase.quick, lastsMs: Math.max(LEAST_PHASE_MS, waitedMs) };
  };
  const proceed = (): void => {
    changePhase();
    const [held, next] = [[] as Held[], comesNext()];
    for (const each of [...inTurn(phase.quick), ...inTurn(!phase.quick)]) {
      const inItsWay = isQuickOne(each) || !next ? held : [next, ...held];
      if (hasRoom(each) && !inItsWay.some((other) => holdsUp(each, other))) letIn(each);
      else held.push(hold(each));
    }
    lookAgain();
  };
  const lookAgain = () => {
    if (looksAgain || waiting.length === 0 || inside.size === 0) return;
    looksAgain = true;
    setTimeout(() => {
      looksAgain = false;
      // What is overdue is expected to end later and later, so that more and more may begin before it does.
      if ([...inside].some(({ beganMs, forMs }) => beganMs + forMs < nowMs())) proceed();
      else lookAgain();
    }, LOOK_AGAIN_MS).unref();
  };
  /** What is likely to ask again in a moment, while quick ones come first. */
  const comesNext = (): Held | undefined => (phase.quick && lastQuick ? hold(lastQuick) : undefined);
  const awaitNext = (left: Stay) => {
    lastQuick = left;
    setTimeout(() => {
      if (lastQuick !== left) return; // Another has left since.
      lastQuick = undefined;
      proceed();
    }, GRACE_MS);
  };
  const letIn = (each: Waiting) => {
    count();
    waiting = waiting.filter((other) => other !== each);
    const beganMs = nowMs();
    const entered = { ...each, beganMs };
    inside.add(entered);
    each.begin(() => {
      count();
      inside.delete(entered);
      if (isQuickOne(each)) awaitNext(each);
      if (each.lab !== undefined) had.set(each.lab, hadBy(each) + takenBy(each) * (nowMs() - beganMs));
      proceed();
    });
  };
  return {
    askedCoreMs: count,
    isFull: () => waiting.length > 0,
    learn(wasDisturbed) {
      const next = mostLacking * (wasDisturbed ? AFTER.disturbed : AFTER.calm);
      mostLacking = Math.min(LACKING.most, Math.max(LACKING.least, next));
    },
    enter: (stay) =>
      new Promise((resolve) => {
        waiting = [...waiting, { ...stay, begin: resolve }];
        proceed();
      }),
  };
}

/** Does something once there is room for it; the room is free again when that is done, or says so before. */
export async function admitted<T>(
  admission: Admission,
  stay: AskedStay,
  work: (onCoresFree: () => void) => Promise<T>,
): Promise<T> {
  let leave: (() => void) | undefined = await admission.enter(stay);
  const leaveOnce = () => {
    leave?.();
    leave = undefined;
  };
  try {
    return await work(leaveOnce);
  } finally {
    leaveOnce();
  }
}
