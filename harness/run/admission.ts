/*
 * Labs that load side by side share the machine's cores. A load begins only where the cores have room for it, so that it
 * takes as long as it would take alone: slow links side by side, quick ones and heavy pages by themselves.
 */

/** Lets in whoever the cores have room for. */
export interface Admission {
  /** Waits until there is room for so many cores; who comes first is let in first. The call that it brings ends the stay. */
  enter(cores: number): Promise<() => void>;
}

/** Of all cores, what may be asked for at once: needs are averages, and loads have moments of much more. */
const ROOM = 0.6;

/** A machine with so many cores. What needs half the room or more is let in alone. */
export function openAdmission(cores: number): Admission {
  const room = ROOM * cores;
  const waiting: { readonly need: number; readonly begin: () => void }[] = [];
  let inside = 0;
  let taken = 0;
  const letIn = () => {
    for (let [next] = waiting; next && (inside === 0 || taken + next.need <= room); [next] = waiting) {
      waiting.shift();
      inside += 1;
      taken += next.need;
      next.begin();
    }
  };
  return {
    enter(wanted) {
      const need = wanted >= room / 2 ? room : wanted;
      const leave = () => {
        inside -= 1;
        taken -= need;
        letIn();
      };
      return new Promise((resolve) => {
        waiting.push({ need, begin: () => resolve(leave) });
        letIn();
      });
    },
  };
}

/** Does something once there is room for it; the room is free when that is done, or says so. */
export async function admitted<T>(
  admission: Admission,
  cores: number,
  work: (onCoresFree: () => void) => Promise<T>,
): Promise<T> {
  let leave: (() => void) | undefined = await admission.enter(cores);
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
