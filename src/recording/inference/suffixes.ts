import type { Sample } from './sample.ts'

const SUFFIX = /^(?=.)(.*[^.])(\.(?:json|xml))$/

/** Where most paths end in the form of the answer, ids are without it: `/orders/5.json`. */
export function withSuffixes(samples: readonly Sample[]): readonly Sample[] {
  const changed = samples.map((sample): Sample => {
    const [, last, suffix] = SUFFIX.exec(sample.segments.at(-1) ?? '') ?? []
    return last === undefined || suffix === undefined
      ? sample
      : { ...sample, segments: [...sample.segments.slice(0, -1), last], suffix }
  })
  const ending = changed.filter(({ suffix }) => suffix !== undefined)
  const areMost = ending.length * 2 > samples.length
  return areMost && new Set(ending.map(({ segments }) => segments.at(-1))).size > 1 ? changed : samples
}
