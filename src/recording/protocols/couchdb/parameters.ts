/** The value of a parameter: those of queries are JSON, those of bodies are as they are. */
export function valueOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** A parameter as a number; `undefined` for none. */
export function numberOf(value: unknown): number | undefined {
  const number = Number(value)
  return value === undefined || value === '' || Number.isNaN(number) ? undefined : number
}

/** The part of a list that `skip` and `limit` leave. */
export function partOf<Each>(
  list: readonly Each[],
  given: Readonly<Record<string, unknown>>,
): readonly Each[] {
  const skip = numberOf(given['skip']) ?? 0
  return list.slice(skip, skip + (numberOf(given['limit']) ?? Infinity))
}

export function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}

export function isFalse(value: unknown): boolean {
  return value === false || value === 'false'
}
