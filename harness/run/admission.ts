/*
 * Labs that load side by side share the machine's cores. A load begins only where the cores have room for it, so that it
 * takes as long as it would take alone: slow links load side by side, quick ones and heavy pages by themselves.
 *
 *     waiting: first the lab that has had least        inside
 *     ┌──────┬───────┬───────┐            room?        ┌─────────────────────┐
 *     │ next │ later │ later │ ──────────────────────► │ sum of cores ≤ 60 % │
 *     └──────┴───────┴───────┘                         └─────────────────────┘
 *                 └── may pass the next one only where it will have left before the next one can begin
 *
 * Labs have the processor in turn, by what they have had of it: otherwise one with a quick link, which has the machine to
 * itself for each load and is ready again at once, would keep the others waiting most of the time.
 */

/** What a load, or anything else that takes the processor, needs. */
export interface Stay {
  /** Cores that it takes on average; half the room or more means that it wants the machine to itself. */
  readonly cores: number;
  /** How long it is likely to take. */
  readonly forMs: number;
}

/** A stay that a lab asks for, by the lab's number. */
export interface AskedStay extends Stay {
  readonly lab: number;
}

/** Lets in what the cores have room for. */
export interface Admission {
  /** Waits until there is room; the function that it resolves with ends the stay. */
  enter(stay: AskedStay): Promise<() => void>;
}

/** The part of all cores that may be asked for at once: needs are averages, and loads have moments of much more. */
const ROOM = 0.6;

interface Inside {
  readonly cores: number;
  readonly untilMs: number;
}

interface Waiting extends AskedStay {
  readonly begin: (inside: Inside) => void;
}

/** The cores that may be taken at once on a machine with this many. */
export function roomOf(cores: number): number {
  return ROOM * cores;
}

/** Whether something that takes this many cores wants the machine to itself. */
export function isAlone(wanted: number, cores: number): boolean {
  return wanted >= roomOf(cores) / 2;
}

/** An empty machine with this many cores; `nowMs` is a clock that never goes back. */
export function openAdmission(cores: number, nowMs: () => number = () => performance.now()): Admission {
  const room = roomOf(cores);
  const inside = new Set<Inside>();
  /** By lab: the milliseconds of a core that its stays took so far. */
  const had = new Map<number, number>();
  let waiting: readonly Waiting[] = [];
  const taken = () => [...inside].reduce((sum, each) => sum + each.cores, 0);
  const hasRoom = (wanted: number) => inside.size === 0 || taken() + wanted <= room;
  /** The moment from which on there is likely to be room for this many cores. */
  const roomFromMs = (wanted: number): number => {
    const leaving = [...inside].toSorted((a, b) => a.untilMs - b.untilMs);
    let left = taken();
    for (const each of leaving) {
      left -= each.cores;
      if (left + wanted <= room) return each.untilMs;
    }
    return nowMs();
  };
  const letIn = () => {
    let nextBeginsMs = Number.POSITIVE_INFINITY;
    const begun = new Set<Waiting>();
    // Those that have had as much come in the order in which they asked.
    for (const each of waiting.toSorted((a, b) => (had.get(a.lab) ?? 0) - (had.get(b.lab) ?? 0))) {
      const untilMs = nowMs() + each.forMs;
      if (hasRoom(each.cores) && untilMs <= nextBeginsMs) {
        const entered = { cores: each.cores, untilMs };
        inside.add(entered);
        begun.add(each);
        each.begin(entered);
      } else {
        // What comes later may go first only where that does not hold up the one that waits here.
        nextBeginsMs = Math.min(nextBeginsMs, roomFromMs(each.cores));
      }
    }
    waiting = waiting.filter((each) => !begun.has(each));
  };
  return {
    enter({ cores: wanted, forMs, lab }) {
      const need = isAlone(wanted, cores) ? room : wanted;
      return new Promise((resolve) => {
        const begin = (entered: Inside) => {
          const beganMs = nowMs();
          resolve(() => {
            inside.delete(entered);
            had.set(lab, (had.get(lab) ?? 0) + need * (nowMs() - beganMs));
            letIn();
          });
        };
        waiting = [...waiting, { cores: need, forMs, lab, begin }];
        letIn();
      });
    },
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
