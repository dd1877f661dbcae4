import { createChecker } from '../../../engine/schema/checker.ts'
import { kindOf, textOf } from '../../../engine/schema/keywords.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import { lifeEventOf, namesWhoEnded, type LifeEvent } from '../../../engine/schema/moment-names.ts'
import { saidOf } from '../../../engine/schema/said.ts'
import { createResolver, isObject, type Entries, type Schema } from '../../../engine/schema/schema.ts'
import type { Item } from '../../../state/store.ts'
import { setAt } from './change-at.ts'
import type { ItemModel } from './item-model.ts'
import { fieldModelsOf, type FieldModels } from './item-shape.ts'

/** Writes into items when they were made and changed, in the fields that are called so. */
export interface ItemMoments {
  /** The fields of a new item that say when it was made, or changed; those of what it replaces stay. */
  ofNew(now: number, replaced: Item | undefined): Item
  /** The names of fields that say when or by whom an item ended, which a new one has not. */
  readonly ends: readonly string[]
  /** Writes what lies deeper into a new item, such as `metadata.created_at`, but for what was sent. */
  writeNew(item: Entries, now: number, sent: Item, replaced: Item | undefined): void
  /** Writes into an item when it was changed, unless that was sent. */
  writeChanged(item: Entries, now: number, sent: Item): void
  /** Whether an item that replaces another keeps some of its moments. */
  readonly keeps: boolean
}

interface MomentField {
  readonly path: readonly string[]
  readonly event: LifeEvent
  readonly form: (now: number) => unknown
}

/** Parts of items that are about them, and may have their moments. */
const HOLDERS = ['attributes', 'metadata', 'meta']

/** The moments of the items of a shape. */
export function createItemMoments(shape: FieldModels, model: Pick<ItemModel, 'fits'>): ItemMoments {
  const inner = HOLDERS.filter((name) => shape.fields.has(name)).flatMap((name) =>
    momentsIn(fieldModelsOf(shape.modelOf(name)), [name]),
  )
  const fields = momentsIn(shape, [])
  const lasting = fields.filter(({ event }) => event !== 'ended')
  const write = (
    item: Entries,
    { path, form }: MomentField,
    now: number,
    { sent, replaced }: { readonly sent: Item; readonly replaced?: Item | undefined },
  ): void => {
    if (memberAt(sent, path) !== undefined) return
    const before = memberAt(item, path)
    const [name = '', ...rest] = path
    // What lies within an item may be of another as well.
    if (rest.length > 0 && isObject(item[name])) item[name] = { ...item[name] }
    setAt(item, path, (current) => memberAt(replaced, path) ?? form(now) ?? current)
    if (!model.fits(item)) setAt(item, path, () => before)
  }
  return {
    keeps: [...fields, ...inner].some(({ event }) => event === 'made'),
    ends: [
      ...fields.filter(({ event }) => event === 'ended').map(({ path: [name = ''] }) => name),
      ...[...shape.fields.keys()].filter(namesWhoEnded),
    ],
    ofNew(now, replaced) {
      const known = lasting.map(({ path: [name = ''], event, form }): [string, unknown] => [
        name,
        (event === 'made' ? replaced?.[name] : undefined) ?? form(now),
      ])
      return Object.fromEntries(known.filter(([, value]) => value !== undefined))
    },
    writeNew(item, now, sent, replaced) {
      for (const field of inner)
        if (field.event !== 'ended')
          write(item, field, now, { sent, replaced: field.event === 'made' ? replaced : undefined })
    },
    writeChanged(item, now, sent) {
      for (const field of [...fields, ...inner])
        if (field.event === 'changed') write(item, field, now, { sent })
    },
  }
}

function momentsIn({ fields, modelOf }: FieldModels, above: readonly string[]): MomentField[] {
  return [...fields.keys()].flatMap((name): MomentField[] => {
    const life = lifeEventOf(name)
    const form = life && formOf(modelOf(name), life.isAlone)
    return form === undefined ? [] : [{ path: [...above, name], event: life?.event ?? 'made', form }]
  })
}

/** How a field has a moment; `undefined` where it has none. @param isAlone whether its name may mean something else */
function formOf(model: Schema, isAlone: boolean): MomentField['form'] | undefined {
  const kind = kindOf(model)
  const format = textOf(model, 'format') ?? ''
  const checker = createChecker(model)
  const said = saidOf(model, createResolver(model))[0]
  const fitting = (...forms: readonly ((now: number) => unknown)[]): MomentField['form'] => {
    return (now) => forms.map((form) => form(now)).find((value) => checker.fits(value))
  }
  if (kind === 'integer' || kind === 'number') {
    if (isAlone && !/time|date/.test(format) && !isEpoch(said)) return undefined
    return isEpoch(said) && said > MIN_MS ? fitting(Math.floor) : fitting(seconds, Math.floor)
  }
  if (kind !== 'string' || model['enum'] !== undefined || model['const'] !== undefined) return undefined
  if (format === 'date') return fitting(day)
  if (format === 'date-time') return fitting(iso, isoSeconds)
  if (format !== '' || (said === undefined && isAlone)) return undefined
  if (said === undefined) return fitting(iso, isoSeconds, day)
  if (typeof said !== 'string' || !ISO.test(said)) return undefined
  return said.length === DAY_LENGTH ? fitting(day) : fitting(iso, isoSeconds)
}

const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/
const DAY_LENGTH = 10
const MIN_SECONDS = 1e8
const MIN_MS = 1e11

function isEpoch(said: unknown): said is number {
  return typeof said === 'number' && said > MIN_SECONDS
}

const seconds = (now: number): number => Math.floor(now / 1000)
const iso = (now: number): string => new Date(now).toISOString()
const isoSeconds = (now: number): string => `${iso(now).slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`
const day = (now: number): string => iso(now).slice(0, DAY_LENGTH)
