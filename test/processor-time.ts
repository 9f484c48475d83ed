/** Begins to count the processor time of this process; the function returned says how many milliseconds it has used since. */
export function watchProcessorTime(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
