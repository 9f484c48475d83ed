/** What the work comes to; where that takes longer than the limit, what `late` says, or nothing. */
export async function within<T, Late = undefined>(
  limitMs: number,
  work: Promise<T>,
  late?: () => Late,
): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([work, isLate.then(late) as Promise<Late>]);
  } finally {
    clearTimeout(timer);
  }
}
