import { isDeepStrictEqual } from 'node:util'
import { canonicalText } from '../engine/random.ts'
import { isJsonPatch } from '../engine/input.ts'
import { valueAtPath } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import { InputInvalid } from '../errors.ts'
import type { Item } from '../state/store.ts'
import { readExpression } from './filter-expression.ts'
import { fieldOf } from './list-query.ts'

type Step = Readonly<Record<string, unknown>>

/** Whether a body names changes one by one: JSON Patch (RFC 6902), or a PatchOp of SCIM (RFC 7644, section 3.5.2). */
export function isPatchDocument(body: unknown): boolean {
  return stepsOf(body) !== undefined
}

/** An item with the changes that a patch document names. @throws InputInvalid for one that cannot be done */
export function patchedItem(item: Item, document: unknown): Item {
  const apply = Array.isArray(document) ? applyJsonPatch : applyScim
  const steps = stepsOf(document) ?? []
  if (steps.length > MAX_STEPS) {
    const msg = `Value must not have more than ${MAX_STEPS} changes`
    throw new InputInvalid([{ type: 'patch', loc: ['body'], msg, input: steps.length }])
  }
  let copied = 0
  return steps.reduce<Item>((whole, step, index) => {
    copied += lengthOfCopy(whole, step)
    const isTooMuch = copied > MAX_COPIED
    const made = isTooMuch ? FAILED : apply(whole, step)
    if (isObject(made)) return made
    const msg = isTooMuch
      ? `Value must not copy more than ${MAX_COPIED} characters, with the changes before it`
      : 'Value must be a change that can be done'
    throw new InputInvalid([{ type: 'patch', loc: ['body', index], msg, input: step }])
  }, item)
}

function stepsOf(body: unknown): readonly Step[] | undefined {
  if (isJsonPatch(body)) return body
  const isOfScim = isObject(body) && Array.isArray(body['schemas']) && body['schemas'].some(isPatchOp)
  const steps = isOfScim ? body['Operations'] : undefined
  if (!Array.isArray(steps) || steps.length === 0) return undefined
  return steps.every((each) => isObject(each) && typeof each['op'] === 'string') ? steps : undefined
}

function isPatchOp(schema: unknown): boolean {
  return typeof schema === 'string' && schema.endsWith(':PatchOp')
}

/** The most changes of one document: each may go through all that is there. */
const MAX_STEPS = 1_000

/** The most that the copies of one document may have as JSON: each may copy what those before it have copied. */
const MAX_COPIED = 2 ** 23

function lengthOfCopy(item: Item, { op, from }: Step): number {
  if (op !== 'copy' || typeof from !== 'string') return 0
  return JSON.stringify(valueAtPath(item, readPointer(from)) ?? null).length
}

/** What a change is not able to do. */
const FAILED = Symbol('failed')

/** @returns FAILED where there is nothing at the path @param change makes what is there another value */
function changedAt(value: unknown, path: readonly string[], change: (before: unknown) => unknown): unknown {
  const [name, ...below] = path
  if (name === undefined) return change(value)
  if (Array.isArray(value)) {
    const at = name === '-' ? value.length : Number(name)
    if (!Number.isInteger(at) || at < 0 || at > value.length) return FAILED
    const part = changedAt(value[at], below, change)
    return part === FAILED ? FAILED : value.toSpliced(at, 1, ...(part === undefined ? [] : [part]))
  }
  if (!isObject(value) || (below.length > 0 && !Object.hasOwn(value, name))) return FAILED
  const part = changedAt(value[name], below, change)
  if (part === FAILED) return FAILED
  const { [name]: _before, ...others } = value
  return part === undefined ? others : { ...value, [name]: part }
}

function added(value: unknown, path: readonly string[], part: unknown): unknown {
  const last = path.at(-1) ?? ''
  return changedAt(value, path.slice(0, -1), (holder) => {
    if (path.length === 0) return part
    const at = last === '-' ? Infinity : Number(last)
    if (Array.isArray(holder)) return Number.isNaN(at) ? FAILED : holder.toSpliced(at, 0, part)
    return isObject(holder) ? { ...holder, [last]: part } : FAILED
  })
}

function applyJsonPatch(item: Item, { op, path, from, value }: Step): unknown {
  const [to, source] = [path, from].map((each) => readPointer(typeof each === 'string' ? each : '')) as [
    string[],
    string[],
  ]
  const before = valueAtPath(item, to)
  const moved = valueAtPath(item, source)
  const without = (whole: unknown, at: readonly string[]): unknown => changedAt(whole, at, () => undefined)
  switch (op) {
    case 'add':
      return added(item, to, value)
    case 'remove':
      return before === undefined ? FAILED : without(item, to)
    case 'replace':
      return before === undefined ? FAILED : changedAt(item, to, () => value)
    case 'copy':
      return moved === undefined ? FAILED : added(item, to, moved)
    case 'move':
      return moved === undefined ? FAILED : added(without(item, source), to, moved)
    case 'test':
      return isDeepStrictEqual(before, value) ? item : FAILED
    default:
      return FAILED
  }
}

const SCIM_PATH = /^(?:urn:[\w:.]+:)?([\w$-]+)(?:\[(.*)\])?(?:\.([\w$-]+))?$/s

// A change without a path has the members that it changes; a path may choose from a list: `emails[type eq "work"].value`.
function applyScim(item: Item, { op, path, value }: Step): unknown {
  const deed = typeof op === 'string' ? op.toLowerCase() : ''
  if (!['add', 'replace', 'remove'].includes(deed)) return FAILED
  if (path === undefined)
    return isObject(value) && deed !== 'remove'
      ? Object.entries(value).reduce<Item>((whole, [name, part]) => withPart(whole, name, part, deed), item)
      : FAILED
  const [, name, filter, member] = SCIM_PATH.exec(typeof path === 'string' ? path : '') ?? []
  if (name === undefined) return FAILED
  if (filter === undefined) {
    if (member === undefined) return withPart(item, name, value, deed)
    const before = isObject(item[name]) ? item[name] : {}
    return { ...item, [name]: withPart(before, member, value, deed) }
  }
  const expression = readExpression(filter)
  const list = item[name]
  if (expression === undefined || !Array.isArray(list)) return FAILED
  const changed = (list as unknown[]).flatMap((each): readonly unknown[] => {
    if (!isObject(each) || !expression.passes((field) => fieldOf(each, field))) return [each]
    if (member !== undefined) return [withPart(each, member, value, deed)]
    return deed === 'remove' ? [] : [isObject(value) ? { ...each, ...value } : value]
  })
  return { ...item, [name]: changed }
}

function withPart(item: Item, name: string, value: unknown, deed: string): Item {
  const { [name]: before, ...others } = item
  if (deed === 'remove') return others
  if (deed === 'replace' || !Array.isArray(before)) return { ...item, [name]: value }
  const known = valuesOf(before)
  const more = [value].flat().filter((each) => !known.has(canonicalText(each)))
  const list = [...(before as unknown[]), ...more]
  for (const each of more) known.add(canonicalText(each))
  listedValues.delete(before)
  listedValues.set(list, known)
  return { ...item, [name]: list }
}

/** The values of lists that were added to last, so that each of many changes need not read them anew. */
const listedValues = new WeakMap<object, Set<string>>()

function valuesOf(list: readonly unknown[]): Set<string> {
  return listedValues.get(list) ?? new Set(list.map(canonicalText))
}
