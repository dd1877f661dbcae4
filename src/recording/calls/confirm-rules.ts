import type { CallModel, CallRule } from '../../engine/call-model.ts'
import { canonicalText } from '../../engine/random.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { countEach, entryOf } from '../../grouping.ts'
import { madeKind } from '../../shape/made-values.ts'
import { withoutEmpty } from './envelope.ts'
import { createObjects, type Item } from './objects.ts'
import type { CallSample } from './call-sample.ts'
import { fieldName } from './show.ts'
import { restoreIssued } from './issued-numbers.ts'
import { performCall } from './perform.ts'

/**
 * The rules by which at least half of their recorded calls come to what they came to, and how many calls do.
 * @param note is given each call, and the objects that there are before it
 */
export function confirm(
  model: CallModel,
  calls: readonly CallSample[],
  note: (each: CallSample, all: ReturnType<typeof createObjects>) => void = () => undefined,
): { readonly calls: CallModel['calls']; readonly right: number } {
  const all = createObjects(model)
  const [some] = all.values()
  const right = new Map<string, number>()
  const given = { right: new Set<string>(), wrong: new Map<string, Set<string>>() }
  const outer = calls.filter(({ isInner }) => isInner !== true)
  const total = countEach(outer.flatMap(({ call }) => (call.isSilent === true ? [] : [call.name])))
  for (const each of outer) {
    const { call, outcome, value, objects } = each
    note(each, all)
    // Ids that the server made are known here, and made anew later.
    const rule = model.calls[call.name]
    const isMade = rule?.does === 'create' && outcome.error === undefined
    const shownMade = objects.find(({ pointer }) => pointer === rule?.at) ?? objects[0]
    const made = !isMade ? undefined : rule.isId === true ? idOnly(model, rule, value) : shownMade?.item
    if (some !== undefined) some.changes.isAdvanced = false
    for (const { items } of all.values()) items.begin()
    const issued = [...(some?.changes.issued ?? [])]
    const came = performCall(model, all, call, { seed: '', now: 0 })
    // What was refused did nothing that later calls could show.
    if (outcome.error !== undefined && came?.error === undefined) {
      for (const { items } of all.values()) items.undo()
      if (some !== undefined) restoreIssued(some.changes, issued)
    }
    if (made !== undefined && rule !== undefined && came?.error === undefined) renew(all, rule, made)
    const plain = came && (model.omitsEmpty === true ? { ...came, value: withoutEmpty(came.value) } : came)
    if (call.isSilent === true) continue
    // What is selected is shown as it is called there.
    const shown = call.selects === undefined ? value : outcome.value
    const isNew = made !== undefined && came?.error === undefined && rule?.id === undefined
    if (
      plain !== undefined &&
      (isNew || isAlike(plain, { ...outcome, value: shown }, rule?.list?.edge !== undefined))
    ) {
      right.set(call.name, (right.get(call.name) ?? 0) + 1)
      for (const name of Object.keys(call.args)) given.right.add(`${call.name} ${name}`)
    } else if (outcome.error === undefined)
      for (const name of Object.keys(call.args))
        entryOf(given.wrong, call.name, () => new Set<string>()).add(name)
  }
  const kept = Object.entries(model.calls).filter(
    ([name]) => (right.get(name) ?? 0) * 2 >= (total.get(name) ?? 0),
  )
  const confirmed = Object.fromEntries(
    kept.map(([name, rule]): [string, CallRule] => {
      const leaves = [...(given.wrong.get(name) ?? [])].filter((each) => !given.right.has(`${name} ${each}`))
      const isRead = rule.does === 'list' || rule.does === 'read'
      return [name, isRead && leaves.length > 0 ? { ...rule, leaves } : rule]
    }),
  )
  return { calls: confirmed, right: [...right.values()].reduce((sum, count) => sum + count, 0) }
}

function idOnly({ types }: CallModel, { type }: CallRule, value: unknown): Item {
  return { [types[type]?.id ?? 'id']: value }
}

function renew(all: ReturnType<typeof createObjects>, { type }: CallRule, made: Item): void {
  const objects = all.get(type)
  const id = objects && String(made[objects.type.id])
  const isThere = id !== undefined && objects?.items.has(id) === true
  const last = isThere ? id : objects && [...objects.items.keys()].at(-1)
  if (objects === undefined || last === undefined) return
  // Other objects are stored by themselves, and how many there are is not stored at all.
  const own = Object.entries(made).filter(([name]) => !Object.hasOwn(objects.type.links, fieldName(name)))
  const item: Item = { ...objects.items.get(last), ...(Object.fromEntries(own) as Item) }
  if (!isThere) objects.items.delete(last)
  objects.items.set(String(item[objects.type.id]), item)
}

function isAlike(
  a: { readonly value?: unknown; readonly error?: unknown },
  b: typeof a,
  hasCursors: boolean,
): boolean {
  const plain = (value: unknown): unknown => (hasCursors ? withoutCursors(value) : value)
  const [one, other] = [a, b].map(({ value }) => canonicalText(withoutMade(plain(value))))
  return one === other && (a.error === undefined) === (b.error === undefined)
}

// Clients give tokens of pages back as they are (GraphQL Cursor Connections, section 3.2).
function withoutCursors(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCursors)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      typeof part === 'string' && CURSOR.test(name) ? '' : withoutCursors(part),
    ]),
  )
}

const CURSOR = /^(start_?|end_?)?cursor$/i

// What the server makes up is made up otherwise each time.
function withoutMade(value: unknown): unknown {
  if (typeof value === 'string') return madeKind(value) ?? value
  if (Array.isArray(value)) return value.map(withoutMade)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutMade(part)]))
}
