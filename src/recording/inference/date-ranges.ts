import { isObject } from '../../engine/schema/schema.ts'
import { leavesOf } from './leaves.ts'
import type { Sample } from './sample.ts'

/** A field of the answers whose dates always lie between two values of the request. */
export interface DateRange {
  readonly field: string
  readonly start: string
  readonly end: string
  readonly exchanges: number
}

const LEAST_EXCHANGES = 3
const START = /^(.*?)(start|from|since|after|begin|min)(.*)$/i
const ENDS: Readonly<Record<string, string>> = {
  start: 'end',
  from: 'to',
  since: 'until',
  after: 'before',
  begin: 'end',
  min: 'max',
}
const DATE = /^\d{4}-\d\d-\d\d(T.*)?$/

/** Finds fields that lie within a pair of input fields such as `start_date` and `end_date` in every exchange. */
export function findDateRanges(samples: readonly Sample[]): readonly DateRange[] {
  const inputs = samples.map((sample) => ({ ...(isObject(sample.body) ? sample.body : {}), ...sample.query }))
  const names = new Set(inputs.flatMap((input) => Object.keys(input)))
  return [...names].flatMap((start) => {
    const end = partnerOf(start, names)
    return end === undefined ? [] : fieldsWithin(samples, inputs, start, end)
  })
}

function partnerOf(start: string, names: ReadonlySet<string>): string | undefined {
  const [, before = '', word, after = ''] = START.exec(start) ?? []
  const end = word === undefined ? undefined : ENDS[word.toLowerCase()]
  if (end === undefined) return undefined
  const spelt = [end, end.charAt(0).toUpperCase() + end.slice(1), end.toUpperCase()]
  return spelt.map((each) => before + each + after).find((name) => name !== start && names.has(name))
}

function fieldsWithin(
  samples: readonly Sample[],
  inputs: readonly Readonly<Record<string, unknown>>[],
  start: string,
  end: string,
): DateRange[] {
  const found = new Map<string, { exchanges: number; isBroken: boolean }>()
  const ranges = new Set<string>()
  for (const [index, { response }] of samples.entries()) {
    const [low, high] = [moment(inputs[index]?.[start]), moment(inputs[index]?.[end], true)]
    if (low === undefined || high === undefined) continue
    ranges.add(`${low} ${high}`)
    for (const [field, dates] of datesOf(response)) {
      const known = found.get(field) ?? { exchanges: 0, isBroken: false }
      found.set(field, known)
      known.exchanges++
      known.isBroken ||= !dates.every((date) => date >= low && date <= high)
    }
  }
  return [...found].flatMap(([field, { exchanges, isBroken }]) =>
    isBroken || exchanges < LEAST_EXCHANGES || ranges.size < 2 ? [] : [{ field, start, end, exchanges }],
  )
}

// A day alone means its first moment, or its last where it ends a range.
function moment(value: unknown, isEnd = false): number | undefined {
  if (typeof value !== 'string' || !DATE.test(value)) return undefined
  const time = Date.parse(value)
  if (Number.isNaN(time)) return undefined
  return isEnd && value.length === 10 ? time + 86_399_999 : time
}

function datesOf(response: unknown): readonly (readonly [string, readonly number[]])[] {
  return [...leavesOf(response)].flatMap(([field, values]): [string, number[]][] => {
    const dates = values.flatMap((value) => moment(value) ?? [])
    return dates.length === 0 ? [] : [[field, dates]]
  })
}
