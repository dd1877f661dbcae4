import { readdirSync, readFileSync } from 'node:fs'

/** What a process holds at a time, which is in seconds since it was first looked at. */
export interface Sample {
  readonly seconds: number
  readonly mebibytes: number
  readonly descriptors: number
}

const MEBIBYTE_IN_KIB = 1024

/** What a process holds, by `/proc`. */
export function sampleOf(pid: number, seconds: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? []
  return {
    seconds,
    mebibytes: Number(kib) / MEBIBYTE_IN_KIB,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  }
}

/** How much a value grows in a minute: the median of the slopes between all pairs, which no single peak moves. */
export function slopePerMinute(samples: readonly Sample[], of: 'mebibytes' | 'descriptors'): number {
  const slopes = samples.flatMap((one, index) =>
    samples.slice(index + 1).map((other) => ((other[of] - one[of]) / (other.seconds - one.seconds)) * 60),
  )
  slopes.sort((a, b) => a - b)
  return slopes[Math.floor(slopes.length / 2)] ?? 0
}
