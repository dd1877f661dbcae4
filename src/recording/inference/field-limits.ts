import { remembered } from '../../engine/lazy.ts'
import { isObject, propertiesOf, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { compareTexts, countEach, groupBy } from '../../grouping.ts'
import { textOfAnswer } from './answer-text.ts'
import { fieldIssues, isInvalid } from './field-issues.ts'
import type { FieldIssue } from './refused-values.ts'
import type { Sample } from './sample.ts'

/** What answers say of a field of which only some texts are taken. */
interface Chosen {
  /** Whether they say so in as many words. */
  readonly isSaid: boolean
  /** The lists of texts that they have, without those that were refused. */
  readonly lists: readonly (readonly string[])[]
  /** The texts that were refused. */
  readonly refused: readonly unknown[]
}

/** The fields of which answers say that only some texts are taken. */
export function chosenFields(samples: readonly Sample[]): ReadonlyMap<string, Chosen> {
  const chosen = groupBy(
    issuesIn(samples).filter(({ type }) => type === 'enum'),
    ({ field }) => field,
  )
  return new Map(
    [...chosen].map(([field, own]) => {
      const refused = [...new Set(own.map(({ value }) => value))]
      const lists = own
        .flatMap(({ answer }) => listsIn(answer))
        .filter((list) => !list.some((each) => refused.includes(each)))
      return [field, { isSaid: own.some(({ answer }) => SAYS_CHOICE.test(answer)), lists, refused }]
    }),
  )
}

const SAYS_CHOICE =
  /\b(one of|included|inclusion|in the list|enum|allowed|choices?|options?|chosen|invalid|unknown|unsupported|unrecogni[sz]ed|illegal|not( an?)? (valid|known|supported)|no such)\b/i
const SEPARATOR = String.raw`\s*(?:,(?:\s*(?:or|and)\b)?|\||\b(?:or|and)\b)\s*`
const QUOTED = /"[^"]*"|'[^']*'|`[^`]*`|‘[^‘’]*’|“[^“”]*”/g
const BARE = /[\w/+-]+(?:\.[\w/+-]+)*/g
const LISTS = [
  { item: QUOTED, list: listOf(`${QUOTED.source}|None|null`) },
  { item: BARE, list: listOf(BARE.source) },
]
const MAX_ANSWER = 10_000

function listOf(item: string): RegExp {
  return new RegExp(`(?:${item})(?:${SEPARATOR}(?:${item}))+`, 'g')
}

// The texts of lists such as `'a', 'b' or 'c'`, `"a" | "b"` and `a, b, c`.
function listsIn(answer: string): readonly (readonly string[])[] {
  const text = answer
    .slice(0, MAX_ANSWER)
    .replaceAll('\\"', '"')
    .replaceAll(/&(?:#x27|#39|apos);/gi, "'")
    .replaceAll(/&(?:quot|#34);/gi, '"')
  return LISTS.flatMap(({ item, list }) =>
    [...text.matchAll(list)].map(([whole]) =>
      [...whole.matchAll(item)].map(([each]) => each.replaceAll(/^["'`‘“]|["'`’”]$/g, '')),
    ),
  )
}

/** More different texts are hardly all that there are. */
const MAX_CHOICES = 8

/**
 * The model of a field of which some texts are refused. Only some are taken where an answer lists them, or says that there
 * are such and those that were taken came again and again; else only what was refused is known to be.
 */
export function chosenFrom(
  model: SchemaOrBoolean,
  values: readonly unknown[],
  { isSaid = false, lists = [], refused = [] }: Partial<Chosen> = {},
): SchemaOrBoolean {
  if (!isObject(model)) return model
  const texts = values.filter((value): value is string => typeof value === 'string' && value !== '')
  const times = countEach(texts)
  const choices = [...times.keys()].toSorted(compareTexts)
  const listed = lists.find((list) => choices.length > 0 && choices.every((each) => list.includes(each)))
  if (listed !== undefined) return { type: 'string', enum: [...new Set(listed)] }
  const isRepeated = choices.filter((each) => (times.get(each) ?? 0) > 1).length > 1
  const isChoice = choices.length <= MAX_CHOICES && texts.length >= choices.length * 2
  if (isSaid && isRepeated && isChoice) return { type: 'string', enum: choices }
  const others = refused.filter((each) => !values.includes(each))
  return others.length === 0 ? model : { ...model, not: { enum: others } }
}

/** Whether of a field of an input no more is known than which values of it are refused. */
export function isOpenField(input: SchemaOrBoolean | undefined, field: string): boolean {
  const parts = isObject(input) ? propertiesOf(input) : []
  return parts.some(
    ([name, part]) => isOpenField(part, field) || (name === field && isObject(part) && isObject(part['not'])),
  )
}

/** What answers say is taken at least and at most, as keywords of JSON Schema. */
const BOUNDS: readonly (readonly [
  FieldIssue['type'],
  'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems',
])[] = [
  ['greater_than_equal', 'minimum'],
  ['less_than_equal', 'maximum'],
  ['string_too_short', 'minLength'],
  ['string_too_long', 'maxLength'],
  ['too_short', 'minItems'],
]

/** What is wrong at the other end of a range. */
export const OTHERS: Partial<Record<FieldIssue['type'], FieldIssue['type']>> = {
  greater_than_equal: 'less_than_equal',
  less_than_equal: 'greater_than_equal',
  string_too_short: 'string_too_long',
  string_too_long: 'string_too_short',
}

/** The least and the greatest number or length of each field, and what its texts are, that answers say are taken, as keywords of JSON Schema. */
export function boundedFields(samples: readonly Sample[]): ReadonlyMap<string, Schema> {
  return new Map(
    [...groupBy(issuesIn(samples), ({ field }) => field)].flatMap(([field, own]): [string, Schema][] => {
      const bounds = BOUNDS.flatMap(([type, keyword]): [string, unknown][] => {
        const said = own.flatMap(({ type: of, bound, between }) => {
          if (of === type) return bound ?? []
          return between === undefined || OTHERS[of] !== type
            ? []
            : between[keyword.startsWith('min') ? 0 : 1]
        })
        // All that was refused is refused again.
        const bound = keyword.startsWith('min') ? Math.max(...said) : Math.min(...said)
        return said.length === 0 ? [] : [[keyword, bound]]
      })
      const format = own.find((each) => each.format !== undefined)?.format
      if (format !== undefined) bounds.push(['format', format])
      const pattern = own.find((each) => each.pattern !== undefined)?.pattern
      if (pattern !== undefined) bounds.push(['pattern', pattern])
      return bounds.length === 0 ? [] : [[field, Object.fromEntries(bounds)]]
    }),
  )
}

/** Whether answers say that a field is not taken which no request had that succeeded, and which no item has. */
export function isClosed(samples: readonly Sample[]): boolean {
  const shown = new Set(
    samples.flatMap(({ status, response }) =>
      status < 300 && isObject(response) ? Object.keys(response) : [],
    ),
  )
  return issuesIn(samples).some(({ type, field }) => type === 'extra_forbidden' && !shown.has(field))
}

// To compare a refused request with all others takes long, and all that is learned of a path is learned of the same.
const issuesIn = remembered(
  (samples: readonly Sample[]) =>
    samples.filter(isInvalid).flatMap((sample) => {
      const answer = textOfAnswer(sample.response)
      return fieldIssues(sample, samples).map((issue) => ({ ...issue, answer }))
    }),
  new WeakMap<readonly Sample[], readonly (FieldIssue & { readonly answer: string })[]>(),
)
