/** The probability that a value is at most x. */
export type Distribution = (x: number) => number

const Z99 = 2.3263478740408408

/** The lognormal distribution with this median and 99th percentile. */
export function lognormal(p50: number, p99: number): Distribution {
  const sigma = Math.log(p99 / p50) / Z99
  return (x) => normal(Math.log(x / p50) / sigma)
}

/** The standard normal distribution (Abramowitz and Stegun, 26.2.17: exact to 7.5e-8). */
export function normal(x: number): number {
  if (x < 0) return 1 - normal(-x)
  const t = 1 / (1 + 0.2316419 * x)
  const factors = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = factors.reduceRight((total, factor) => (total + factor) * t, 0)
  return 1 - (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum
}

/** Kolmogorov and Smirnov's distance between samples and a distribution. */
export function distanceOf(samples: readonly number[], distribution: Distribution): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return Math.max(
    ...sorted.map((x, index) => {
      const p = distribution(x)
      return Math.max(p - index / sorted.length, (index + 1) / sorted.length - p)
    }),
  )
}
