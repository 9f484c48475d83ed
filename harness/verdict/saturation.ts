/** A core that is as busy as this decides by itself how long a load takes. */
const SATURATED_SHARE = 0.95;
/** The kernel's clock of what a core does ticks every 10 ms: in less than twenty ticks one of them is 5 %. */
const TELLING_MS = 200;

/** Whether a core was so busy that it decided what took so long. */
export function isSaturated(coreBusyShare: number, lastedMs: number): boolean {
  return coreBusyShare >= SATURATED_SHARE && lastedMs >= TELLING_MS;
}
