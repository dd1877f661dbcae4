import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import type { InferredRoute } from './infer-route.ts'
import { learnIds } from './learn-ids.ts'
import { pathOf, type Sample } from './sample.ts'

/** Fewer that are made do not count on by more than chance. */
const MIN_MADE = 3

/**
 * The fields in which a server numbers what it makes, beside its id, with the number that it begins with: whole numbers
 * that nobody sent, and that count on by one in the order of making, in every collection from the same one.
 * @param view a route that makes items, as if items were all that is sent and answered
 */
export function numberedFields(
  { samples }: Pick<InferredRoute, 'samples'>,
  idField: string | undefined,
): Readonly<Record<string, number | string>> {
  const made = samples.filter(({ status, response }) => status < 300 && isObject(response))
  const runs = [...groupBy(made, pathOf).values()].map((own) => own.toSorted((a, b) => a.index - b.index))
  const [[first] = []] = runs
  if (made.length < MIN_TEXTS || first === undefined) return {}
  const fields = Object.entries(first.response as Readonly<Record<string, unknown>>).filter(
    ([name]) => name !== idField,
  )
  const whole = [made.toSorted((a, b) => a.index - b.index)]
  return Object.fromEntries([
    ...fields.filter(
      (field): field is [string, number] => made.length >= MIN_MADE && isNumbering(field[0], field[1], runs),
    ),
    ...fields.flatMap(([name]): [string, string][] => {
      const template = [runs, whole].map((each) => countedText(name, each)).find((each) => each !== undefined)
      return template === undefined ? [] : [[name, template]]
    }),
  ])
}

/** Texts with a number that has noughts before it are not so by chance. */
const MIN_TEXTS = 2

// The template of texts that nobody sent, in which nothing but a number differs, which counts on.
function countedText(name: string, runs: readonly (readonly Sample[])[]): string | undefined {
  const texts = runs.map((run) =>
    run.flatMap(({ response, body }): readonly string[] => {
      const value = isObject(response) && !(isObject(body) && Object.hasOwn(body, name)) ? response[name] : ''
      return typeof value === 'string' ? [value] : ['']
    }),
  )
  if (!texts.some((run) => run.length > 1) || texts.flat().includes('')) return undefined
  const template = learnIds(texts, [])
  const isCounted = template !== undefined && /^[^{}]*\{\d+\}[^{}]*$/.test(template)
  return isCounted && (texts.flat().length >= MIN_MADE || /\{0\d+\}/.test(template)) ? template : undefined
}

// Some may be passed over, such as that of what was refused.
function isNumbering(name: string, start: unknown, runs: readonly (readonly Sample[])[]): boolean {
  if (!Number.isInteger(start)) return false
  const numbers = runs.map((run) =>
    run.map(({ response }) => (isObject(response) ? response[name] : undefined)),
  )
  const isMade = runs.flat().every(({ body }) => !isObject(body) || !Object.hasOwn(body, name))
  if (!isMade || !numbers.flat().every((each) => Number.isInteger(each))) return false
  const steps = (numbers as readonly (readonly number[])[]).flatMap((run) =>
    run.slice(1).map((each, at) => each - (run[at] ?? 0)),
  )
  return (
    numbers.every(([each]) => each === start) &&
    steps.length > 0 &&
    steps.every((step) => step > 0) &&
    steps.filter((step) => step === 1).length * 2 >= steps.length
  )
}
