/** The items that others lack, each as many times as it is there more often; items with one name are the same. */
export function without<T>(items: readonly T[], others: readonly T[], nameOf: (item: T) => string): readonly T[] {
  const left = new Map<string, number>();
  for (const name of others.map(nameOf)) left.set(name, (left.get(name) ?? 0) + 1);
  return items.filter((item) => {
    const name = nameOf(item);
    const more = left.get(name) ?? 0;
    if (more > 0) left.set(name, more - 1);
    return more === 0;
  });
}
