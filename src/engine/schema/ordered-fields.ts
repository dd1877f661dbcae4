import { kindOf, textOf } from './keywords.ts'
import { wordsIn } from './name-words.ts'
import type { Fold } from './merge.ts'
import { SAID, typesOf, type SchemaOrBoolean } from './schema.ts'

/** Fields of one object of which the first is never more than any other, such as `created_at` and `updated_at`. */
export type OrderedFields = readonly [low: string, ...highs: string[]]

const PAIRS: readonly (readonly [low: RegExp, high: RegExp])[] = [
  [
    /^(create|created|creation|inserted|opened|submitted|registered|issued)$/,
    /^(updated?|modified|modification|changed|edited|closed|deleted?|completed|finished|resolved|archived|merged|expire[ds]?|expiration)$/,
  ],
  [/^(starts?|started|begins?|began|from|since)$/, /^(ends?|ended|finish|finished|to|until|till)$/],
  [/^(min|minimum|lower|least)$/, /^(max|maximum|upper|most)$/],
]
const MOMENT = /^(at|on|date|time|timestamp|last)$/

/** Finds the fields of an object whose values have an order, by their names; all of one kind, and none with bounds of its own. */
export function orderedFieldsOf(
  fields: readonly (readonly [name: string, schema: SchemaOrBoolean])[],
  fold: Fold,
): readonly OrderedFields[] {
  const taken = new Set<string>()
  const named = fields.flatMap(([name, schema]) => {
    const words = wordsIn(name)
    const kind = words.some((word) => PAIRS.flat().some((one) => one.test(word)))
      ? kindIn(schema, fold)
      : undefined
    return kind === undefined ? [] : [{ name, words, kind }]
  })
  return PAIRS.flatMap(([lowWord, highWord]) =>
    named.flatMap((low): OrderedFields[] => {
      const rest = restOf(low.words, lowWord)
      if (rest === undefined || taken.has(low.name)) return []
      const highs = named.filter(
        (high) => high.kind === low.kind && !taken.has(high.name) && restOf(high.words, highWord) === rest,
      )
      if (highs.length === 0) return []
      for (const { name } of [low, ...highs]) taken.add(name)
      return [[low.name, ...highs.map(({ name }) => name)]]
    }),
  )
}

/**
 * Brings values in order: the first takes the least of them, and what had that takes the first's. Where a description says
 * some of them, those stay, and the others follow.
 * @param isSaid which of them it says
 */
export function ordered(values: readonly unknown[], isSaid: readonly boolean[] = []): readonly unknown[] {
  if (isSaid.includes(true)) return withSaid(values, isSaid)
  const [low] = values
  let least = 0
  for (let index = 1; index < values.length; index++) if (isLess(values[index], values[least])) least = index
  if (least === 0) return values
  return values.map((value, index) =>
    index === 0 ? inFormOf(value, values[least]) : index === least ? inFormOf(value, low) : value,
  )
}

// A day in the place of a moment is its first one, and a moment in the place of a day its day.
function inFormOf(before: unknown, value: unknown): unknown {
  if (typeof before !== 'string' || typeof value !== 'string' || !DATE.test(before)) return value
  if (before.length === DAY_LENGTH) return value.slice(0, DAY_LENGTH)
  return value.length === DAY_LENGTH ? `${value}T00:00:00Z` : value
}

function withSaid(values: readonly unknown[], isSaid: readonly boolean[]): readonly unknown[] {
  const said = values.slice(1).filter((_, index) => isSaid[index + 1])
  const least = said.find((value) => said.every((other) => !isLess(other, value)))
  const low = isSaid[0] !== true && least !== undefined && isLess(least, values[0]) ? least : values[0]
  return values.map((value, index) =>
    index === 0 || (isSaid[index] !== true && isLess(value, low)) ? inFormOf(value, low) : value,
  )
}

function isLess(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one < other
  return (
    typeof one === 'string' && typeof other === 'string' && DATE.test(one) && DATE.test(other) && one < other
  )
}

const DATE = /^\d{4}-\d\d-\d\d/
const DAY_LENGTH = 10

// What a name has besides the word of the pair; that it is a moment says no more.
function restOf(words: readonly string[], word: RegExp): string | undefined {
  const at = words.findIndex((each) => word.test(each))
  if (at < 0) return undefined
  return words.filter((each, index) => index !== at && !MOMENT.test(each)).join(' ')
}

// What values are compared as; nothing where a value could not stand in the place of another.
function kindIn(schema: SchemaOrBoolean, fold: Fold): string | undefined {
  const folded = fold(schema)
  if (typeof folded === 'boolean') return undefined
  if (Object.keys(folded).some((keyword) => !PLAIN.has(keyword))) return undefined
  const kind = kindOf(folded)
  if (!['string', 'integer', 'number'].includes(kind)) return undefined
  const types = typesOf(folded).filter((type) => type !== 'null')
  const format = textOf(folded, 'format') ?? ''
  return types.length > 1 ? undefined : `${kind} ${format === 'date' ? 'date-time' : format}`
}

const PLAIN = new Set([
  ...['type', 'format', 'title', 'description', 'readOnly', 'writeOnly', 'deprecated', 'nullable', 'xml'],
  SAID,
])
