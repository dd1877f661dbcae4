/** A text of a path, query or form as the number or boolean it spells; a text that spells neither stays one. */
export function readScalar(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  // Leading zeros and long digits are codes and ids, which a number would change.
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text) ? Number(text) : text
}

/** The values of one place read as scalars, if all of them read as one type; else as the texts they are. */
export function readScalars(texts: readonly string[]): readonly (string | number | boolean)[] {
  const read = texts.map(readScalar)
  return new Set(read.map((value) => typeof value)).size === 1 ? read : texts
}
