/**
 * The order of two values of a field in a list: numbers by value, texts by their characters, others by their JSON.
 * @param empty where null and missing values come
 * @returns a negative number, zero or a positive number, as sorting takes it
 */
export function orderValues(a: unknown, b: unknown, empty: 'first' | 'last' = 'last'): number {
  const [some, other] = [a ?? undefined, b ?? undefined]
  if (some === other) return 0
  if (some === undefined) return empty === 'first' ? -1 : 1
  if (other === undefined) return empty === 'first' ? 1 : -1
  if (typeof some === 'number' && typeof other === 'number') return some - other
  const [one, two] = [plainText(some), plainText(other)]
  if (one === two) return 0
  return one < two ? -1 : 1
}

/** A text as it is, and any other value as its JSON. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
