export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** The least of some numbers; infinity of none. */
export function leastOf(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Infinity)
}

/** The greatest of some numbers; minus infinity of none. */
export function greatestOf(values: readonly number[]): number {
  return values.reduce((greatest, value) => Math.max(greatest, value), -Infinity)
}

export function averageOf(values: readonly number[]): number {
  return sumOf(values) / values.length
}

export function varianceOf(values: readonly number[]): number {
  const average = averageOf(values)
  return averageOf(values.map((value) => (value - average) ** 2))
}

/** The φ-quantile, between the two values around it. */
export function quantileOf(values: readonly number[], share: number): number {
  if (share < 0) return -Infinity
  if (share > 1) return Infinity
  const sorted = values.toSorted((a, b) => a - b)
  const rank = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(rank)] ?? NaN, sorted[Math.ceil(rank)] ?? NaN]
  return low + (high - low) * (rank - Math.floor(rank))
}
