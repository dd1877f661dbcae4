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

export function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}

export function isFalse(value: unknown): boolean {
  return value === false || value === 'false'
}
