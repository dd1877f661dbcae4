import { type Form, placeIn } from './places.ts'
import { itemsIn, type Moment } from './play.ts'

/** Members that count the changes of a whole tree. */
export interface Counters {
  readonly counters: ReadonlySet<string>
  /** How many there were before the first that was recorded. */
  readonly start: number
  /** How many there were after each request. */
  readonly countAt: readonly number[]
}

/** So many changes must have counted on. */
const MIN_COUNTED = 3

/** Members of items whose numbers go on by one with each change, and what they were. */
export function countersIn(form: Form, moments: readonly Moment[]): Counters {
  const made = moments.flatMap(({ done, step }) => {
    if (done === undefined) return []
    const [first] = itemsIn(form, step.answered)
    return first === undefined || placeIn(form, first.value) === undefined ? [] : [first.value]
  })
  const counters = new Set(
    Object.keys(made[0] ?? {}).filter((name) => {
      const values = made.map((each) => each[name])
      return (
        values.length >= MIN_COUNTED &&
        values.every((value, at) => at === 0 || value === Number(values[at - 1]) + 1)
      )
    }),
  )
  // What was made with an item counts likewise until that is changed.
  const [counter] = counters
  if (counter === undefined) return { counters, start: 0, countAt: [] }
  const start = Number(made[0]?.[counter]) - 1
  let now = start
  const countAt = moments.map(({ done }) => (done === undefined ? now : ++now))
  return { counters: new Set([...counters, ...alike(made, counter)]), start, countAt }
}

function alike(made: readonly Readonly<Record<string, unknown>>[], counter: string): readonly string[] {
  const [first] = made
  return Object.keys(first ?? {}).filter(
    (name) =>
      made.every((each) => typeof each[name] === 'number' && each[name] <= Number(each[counter])) &&
      made.filter((each) => each[name] === each[counter]).length >= MIN_COUNTED,
  )
}
