import { isDeepStrictEqual } from 'node:util'
import { pick } from '../../collections/item-output.ts'
import { amountIn } from '../../collections/particular-fields.ts'
import { isObject, LINK, type Schema } from '../../engine/schema/schema.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { formOfMade, madeKind } from '../../shape/made-values.ts'
import { greatestOf } from '../../statistics.ts'
import { textOfAnswer } from './answer-text.ts'
import type { Effect } from './action-states.ts'
import type { Item } from './item-place.ts'
import type { Sample } from './sample.ts'

/** A value after a change, with what the request sent and what the item was. */
interface Made {
  readonly value: unknown
  readonly body: Item
  readonly before: Item | undefined
}

/** The models of fields that changes give what their bodies have under other names, or what the item has in other fields. */
export function valuesMade(
  effects: readonly Effect[],
  isOther: (name: string) => boolean,
): Record<string, Schema> {
  const [first] = effects
  const models = Object.keys(first?.after ?? {}).flatMap((name) => {
    const rows = effects.map(({ after = {}, before, sample: { body } }): Made => {
      const sent = isObject(body) ? body : {}
      return { value: after[name], before: before && pick(before, (each) => each !== name), body: sent }
    })
    const isSame = ({ before, after }: Effect): boolean =>
      before !== undefined && isDeepStrictEqual(before[name], after?.[name])
    const isSent = rows.every(
      ({ body, value }) => Object.hasOwn(body, name) && isDeepStrictEqual(body[name], value),
    )
    if (isOther(name) || isSent || effects.every(isSame)) return []
    const model = modelOf(rows)
    return model?.isLinked === true ? [[name, model.schema] as const] : []
  })
  return Object.fromEntries(models)
}

interface Found {
  readonly schema: Schema
  readonly isLinked: boolean
}

function modelOf(rows: readonly Made[]): Found | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  const { value } = first
  const linked = linkOf(rows)
  if (linked !== undefined) return { schema: { ...typeOf(rows), [LINK]: linked }, isLinked: true }
  if (rows.every((row) => isObject(row.value)) && Object.keys(value as Item).length > 0) {
    const names = Object.keys(value as Item)
    const isAlike = rows.every((row) =>
      isDeepStrictEqual(Object.keys(row.value as Item).toSorted(), names.toSorted()),
    )
    const parts = names.map(
      (name) => [name, modelOf(rows.map((row) => ({ ...row, value: (row.value as Item)[name] })))] as const,
    )
    if (
      isAlike &&
      parts.every(([, part]) => part !== undefined) &&
      parts.some(([, part]) => part?.isLinked)
    ) {
      const properties = Object.fromEntries(parts.map(([name, part]) => [name, part?.schema ?? {}]))
      return { schema: { type: 'object', properties, required: names }, isLinked: true }
    }
  }
  const values = rows.map((row) => row.value)
  const made = typeof value === 'string' && madeKind(value) !== undefined ? formOfMade(values) : undefined
  if (made !== undefined) return { schema: made, isLinked: false }
  return values.every((each) => isDeepStrictEqual(each, value))
    ? { schema: { const: value }, isLinked: false }
    : undefined
}

function linkOf(rows: readonly Made[]): Readonly<Record<string, unknown>> | undefined {
  if (!rows.some(({ value }) => isParticular(value))) return undefined
  const sent = nameIn(rows, ({ body }) => body)
  if (sent !== undefined) return { fromInput: sent }
  // States of items are the same by chance.
  const isWord = rows.every(({ value }) => typeof value === 'string' && WORD.test(value))
  const own = isWord ? undefined : nameIn(rows, ({ before }) => before)
  return own === undefined ? undefined : { fromItem: pointerTo([own]) }
}

const WORD = /^[a-z][a-z_-]*$/

// The member that has the value in all of them.
function nameIn(rows: readonly Made[], of: (row: Made) => Item | undefined): string | undefined {
  const isEqual = (row: Made, name: string): boolean => {
    const item = of(row) ?? {}
    return isDeepStrictEqual(Object.hasOwn(item, name) ? item[name] : undefined, row.value)
  }
  const names = Object.keys((rows[0] && of(rows[0])) ?? {})
  return names.find((name) => rows.every((row) => isEqual(row, name)))
}

/** Whether a value is not found in two places by chance. */
function isParticular(value: unknown): boolean {
  if (typeof value === 'string') return value.length > 2
  if (typeof value === 'number') return !Number.isInteger(value) || Math.abs(value) > 9
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function typeOf(rows: readonly Made[]): Schema {
  const types = new Set(
    rows.map(({ value }) =>
      value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as 'string'),
    ),
  )
  const [type] = types
  return types.size === 1 && type !== undefined ? { type } : { type: [...types] }
}

/** One action, with a number of the item before and after it. */
interface Counted {
  readonly body: Item
  readonly before: number
  readonly after: number
}

/** Fields to which actions add a number, and what none of them is brought below. */
interface Amounts {
  readonly adds: Readonly<Record<string, number | string>>
  readonly least: Readonly<Record<string, number>>
  /** Whether a request would have brought one below that. */
  isShort(sample: Sample): boolean
}

/** What is known of the item of a request before it and after it. */
export interface NumbersSeen {
  before(sample: Sample): Item | undefined
  after(sample: Sample): Item
}

/** Finds the numbers that actions add to fields of items: those of a member of their bodies, or always the same. */
export function amountsOf(
  fine: readonly Sample[],
  refused: readonly Sample[],
  { before, after }: NumbersSeen,
): Amounts | undefined {
  const adds: Record<string, number | string> = {}
  const least: Record<string, number> = {}
  const rows = fine.map((sample) => ({
    body: bodyOf(sample),
    before: before(sample) ?? {},
    after: after(sample),
  }))
  for (const name of new Set(rows.flatMap((row) => Object.keys(row.before)))) {
    const own = rows.flatMap((row): Counted[] => {
      const [from, to] = [row.before[name], row.after[name]]
      return typeof from !== 'number' || typeof to !== 'number' || Object.hasOwn(row.body, name)
        ? []
        : [{ body: row.body, before: from, after: to }]
    })
    const by = own.length === 0 ? undefined : amountOf(own)
    if (by === undefined) continue
    adds[name] = by
    const isShort = refused.some(
      (sample) =>
        isBelow(sample, before(sample)?.[name], by) && !saysBound(sample, before(sample) ?? {}, own, by),
    )
    if (isShort && own.every((row) => row.after >= 0)) least[name] = 0
  }
  if (Object.keys(adds).length === 0) return undefined
  const isShort: Amounts['isShort'] = (sample) =>
    Object.keys(least).some((name) => isBelow(sample, before(sample)?.[name], adds[name] ?? 0))
  return { adds, least, isShort }
}

function isBelow(sample: Sample, before: unknown, by: number | string): boolean {
  const amount = amountIn(sample.body, by)
  return typeof before === 'number' && amount !== undefined && before + amount < 0
}

// Refused for an amount that is never taken, which the answer says: no number of the item, but one between.
function saysBound(sample: Sample, item: Item, taken: readonly Counted[], by: number | string): boolean {
  const amounts = taken.map(({ body }) => Math.abs(amountIn(body, by) ?? 0))
  const own = Math.abs(amountIn(bodyOf(sample), by) ?? 0)
  const said = (textOfAnswer(sample.response).match(NUMBER) ?? []).map(Number)
  const numbers = new Set(Object.values(item))
  return (
    said.some((each) => each < own && each >= greatestOf(amounts)) && !said.some((each) => numbers.has(each))
  )
}

const NUMBER = /(?<![\w.-])\d{1,15}(?:\.\d{1,9})?(?![\w.-])/g

function bodyOf({ body }: Sample): Item {
  return isObject(body) ? body : {}
}

function amountOf(rows: readonly Counted[]): number | string | undefined {
  const names = Object.keys(rows[0]?.body ?? {})
  const able = names.flatMap((name) => [name, `-${name}`])
  const isRight = (by: number | string): boolean =>
    rows.every(({ body, before, after }) => {
      const amount = amountIn(body, by)
      return amount !== undefined && Math.abs(before + amount - after) < 1e-9
    })
  const named = able.find(isRight)
  if (named !== undefined) return isSure(rows, named) ? named : undefined
  const [{ before, after } = { before: 0, after: 0 }] = rows
  // Two actions with the same result may have set it.
  const isCounted = before !== after && new Set(rows.map((row) => row.after)).size > 1
  return isCounted && isRight(after - before) ? after - before : undefined
}

// What is added to nothing may as well be set, unless the amount is called so; and a number goes up or down by one for many reasons.
function isSure(rows: readonly Counted[], by: string): boolean {
  const changed = rows.filter(({ before, after }) => before !== after)
  const isSet = !by.startsWith('-') && changed.every(({ before }) => before === 0) && !ADDED.test(by)
  const isOne = changed.every(({ body }) => Math.abs(amountIn(body, by) ?? 0) === 1)
  const isOnly = changed.every(
    ({ body }) => Object.values(body).filter((value) => typeof value === 'number').length === 1,
  )
  return changed.length > 0 && !isSet && (!isOne || isOnly)
}

/** How bodies call what is added or taken away. */
const ADDED = /delta|amount|qty|quantit|count|add|inc|dec|by$|diff|change|units|points|number|deposit|step/i
