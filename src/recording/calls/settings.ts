import type { CallRule, ObjectType } from '../../engine/call-model.ts'
import { pointerBelow } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { isReading } from './call.ts'
import { valueAt } from './envelope.ts'
import { fieldsOf } from './list-rule.ts'
import type { Item } from './objects.ts'
import type { CallSample } from './call-sample.ts'
import { isScalar } from '../inference/values.ts'

/** Settings that one call reads and another one changes: an object without an id, of which there is one, or one value. */
interface Settings {
  readonly type: string
  readonly object: ObjectType
  readonly calls: readonly (readonly [name: string, rule: CallRule])[]
}

/** The member with the id that such objects have here, and it. */
const ID = '#'
const ONLY = 'only'

const VERBS = new Set([
  'get',
  'set',
  'read',
  'show',
  'fetch',
  'describe',
  'change',
  'update',
  'modify',
  'configure',
])
const CHANGES = /(^|[^a-z])(set|change|update|modify|configure)(?![a-z])/i

/** What is left of a name without its verb: `getGlobalOption` and `changeGlobalOption` are about the same. */
export function stemOf(name: string): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^A-Za-z\d]+/)
  return words
    .map((word) => word.toLowerCase())
    .filter((word) => !VERBS.has(word))
    .join('')
}

/** Finds the settings among calls, in order, that have no rule. */
export function settingsIn(calls: readonly CallSample[]): readonly Settings[] {
  const fine = calls.filter(({ outcome }) => outcome.error === undefined)
  const byName = [...groupBy(fine, ({ call }) => call.name)]
  return byName.flatMap(([getter, reads]): Settings[] => {
    if (!isReading(getter)) return []
    const [setter, writes = []] =
      byName.find(([name]) => CHANGES.test(spaced(name)) && stemOf(name) === stemOf(getter)) ?? []
    const one = setter === undefined ? undefined : oneSetting(fine, getter, setter)
    if (one !== undefined) return [one]
    const given = new Set(writes.flatMap(({ call }) => Object.keys(call.args)))
    const at = settingsPlace(
      reads.map(({ value }) => value),
      given,
    )
    if (setter === undefined || given.size === 0 || at === undefined) return []
    const [whole] = reads.toSorted((a, b) => sizeAt(b.value, at) - sizeAt(a.value, at))
    const item = beginningOf(fine, getter, setter, at)
    const shows = Object.keys(item)
    const shown = reads.map(({ call, value }) => ({ call, shown: [valueAt(value, at) as Item] }))
    const fields = fieldsOf(shown, new Set(shows))
    const type = stemOf(getter)
    const common = { type, only: ONLY }
    return [
      {
        type,
        object: { id: ID, items: [{ [ID]: ONLY, ...item }], links: {}, defaults: {} },
        calls: [
          [
            getter,
            {
              does: 'read',
              ...common,
              result: whole?.value,
              at,
              shows,
              ...(fields !== undefined && { fields }),
            },
          ],
          [setter, { does: 'change', ...common, result: writes[0]?.value }],
        ],
      },
    ]
  })
}

// The one value that a call is given, which results of the other one are from then on.
function oneSetting(calls: readonly CallSample[], getter: string, setter: string): Settings | undefined {
  const writes = calls.filter(({ call }) => call.name === setter)
  const reads = calls.filter(({ call }) => call.name === getter)
  const [member, ...others] = new Set(writes.flatMap(({ call }) => Object.keys(call.args)))
  if (member === undefined || others.length > 0) return undefined
  let now: unknown
  let isShown = false
  for (const { call, value } of calls) {
    const given = call.args[member]
    if (call.name === setter && isScalar(given)) now = given
    else if (call.name === setter) return undefined
    else if (call.name !== getter) continue
    else if (now !== undefined && value !== now) return undefined
    else if (now !== undefined) isShown = true
  }
  const [first] = reads
  if (!isShown || reads.some(({ value }) => typeof value === 'object' && value !== null)) return undefined
  const type = stemOf(getter)
  const common = { type, only: ONLY }
  return {
    type,
    object: { id: ID, items: [{ [ID]: ONLY, [member]: first?.value ?? null }], links: {}, defaults: {} },
    calls: [
      [getter, { does: 'read', ...common, result: first?.value ?? null, at: '', member }],
      [setter, { does: 'change', ...common, result: writes[0]?.value }],
    ],
  }
}

function spaced(name: string): string {
  return name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
}

// Where results have an object with all that is given, in one of them.
function settingsPlace(values: readonly unknown[], given: ReadonlySet<string>): string | undefined {
  const within = (value: unknown, pointer: string): string | undefined => {
    if (!isObject(value)) return undefined
    if ([...given].every((name) => Object.hasOwn(value, name))) return pointer
    return Object.entries(value)
      .map(([name, part]) => within(part, pointerBelow(pointer, name)))
      .find((found) => found !== undefined)
  }
  const at = values.map((value) => within(value, '')).find((found) => found !== undefined)
  return at !== undefined && values.every((value) => isObject(valueAt(value, at))) ? at : undefined
}

function sizeAt(value: unknown, at: string): number {
  return Object.keys(valueAt(value, at) as object).length
}

// As they were before any call changed them, as far as that was read.
function beginningOf(calls: readonly CallSample[], getter: string, setter: string, at: string): Item {
  const item: Record<string, unknown> = {}
  const changed = new Set<string>()
  for (const { call, value } of calls) {
    if (call.name === setter) for (const name of Object.keys(call.args)) changed.add(name)
    else if (call.name === getter)
      for (const [name, part] of Object.entries(valueAt(value, at) as Item))
        if (!Object.hasOwn(item, name) && !changed.has(name)) item[name] = part
  }
  return item
}
