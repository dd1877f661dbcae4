import type { KnownAnswer } from '../../engine/known-answer.ts'
import { bytesOf } from '../../engine/known-answer.ts'
import { groupBy } from '../../grouping.ts'
import { isChanging } from '../../state/changes.ts'
import { factsOf } from './facts.ts'
import { timeRangeOf } from './time-range.ts'
import { jsonBodyOf } from './body-value.ts'

/** Answers that one value of the request decides, as a table does. */
interface Table {
  /** Where requests say the value, as `Facts` name it. */
  readonly place: string
  /** The value that one of the answers belongs to. */
  entryOf(answer: KnownAnswer): string
}

/** Fewer answers may be alike or unlike by chance. */
const MIN_ENTRIES = 3

/**
 * The table that a route's answers are: where requests that read differ in one place alone, or else where those that
 * agree in one place, and in no other, were answered alike; `undefined` where they are none.
 */
export function tableOf(answers: readonly KnownAnswer[], method: string): Table | undefined {
  const examples = answers.map((answer) => {
    const { when } = answer
    const body = when.body ?? jsonBodyOf(bytesOf(when), when.type ?? '')
    const facts = factsOf(when.url, body, { state: 'new' })
    return { answer, facts, text: essenceOf(answer, timeRangeOf(facts) !== undefined) }
  })
  if (answers.some(({ when }) => isChanging(when.method ?? method, when.url))) return undefined
  const places = new Set(examples.flatMap(({ facts }) => [...facts.keys()]))
  const tables = [...places].flatMap((place) => {
    const groups = groupBy(examples, ({ facts }) => String(facts.get(place) ?? ''))
    const areAlike = [...groups.values()].every((group) => group.every(({ text }) => text === group[0]?.text))
    return groups.size > 1 ? [{ place, groups, areAlike }] : []
  })
  const decided = tables.filter(
    ({ groups, areAlike }) =>
      areAlike && groups.size >= MIN_ENTRIES && (tables.length === 1 || groups.size < examples.length),
  )
  const [best] = decided.toSorted((a, b) => a.groups.size - b.groups.size)
  if (best === undefined) return undefined
  const values = new Map([...best.groups].flatMap(([value, own]) => own.map(({ answer }) => [answer, value])))
  return { place: best.place, entryOf: (answer) => values.get(answer) ?? '' }
}

// What an answer says, but for times, and for all numbers where the request names a range of time.
function essenceOf({ status, body, text, base64 }: KnownAnswer, isByTime: boolean): string {
  const said = JSON.stringify([status, body, text, base64])
  return said.replaceAll(
    isByTime ? /\[[\d.]+,"?-?[\d.e+]+"?\](,\[[\d.]+,"?-?[\d.e+]+"?\])*/g : /\d{10,}(\.\d+)?/g,
    '#',
  )
}
