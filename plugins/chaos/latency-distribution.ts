import type { LatencyShape, Spread } from '../../src/state/chaos-rule.ts'

type Named<Name> = Extract<Spread, { readonly distribution: Name }>

/** The fields that each distribution must have, all of them milliseconds. */
export const LATENCY_FIELDS: Readonly<Record<Spread['distribution'], readonly string[]>> = {
  fixed: ['ms'],
  uniform: ['min', 'max'],
  normal: ['mean', 'sd'],
  lognormal: ['p50', 'p99'],
}

/** Milliseconds of a latency, for draws in [0, 1); never below 0. */
export function drawLatency(shape: LatencyShape, draw: () => number): number {
  if (typeof shape === 'number') return shape
  const isHeld = shape.rate === undefined || draw() < shape.rate
  return isHeld ? Math.max(0, DRAWS[shape.distribution](shape as never, draw)) : 0
}

const DRAWS: {
  readonly [Name in Spread['distribution']]: (spread: Named<Name>, draw: () => number) => number
} = {
  fixed: ({ ms }) => ms,
  uniform: ({ min, max }, draw) => min + draw() * (max - min),
  normal: ({ mean, sd }, draw) => mean + sd * standardNormal(draw),
  lognormal: ({ p50, p99 }, draw) => p50 * Math.exp((Math.log(p99 / p50) / Z99) * standardNormal(draw)),
}

/** The 99th percentile of the standard normal distribution. */
const Z99 = 2.3263478740408408

// Box and Muller's transform; 1 - draw is never 0.
function standardNormal(draw: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
}
