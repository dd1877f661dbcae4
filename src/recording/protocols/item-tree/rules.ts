import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../engine/schema/schema.ts'
import { madeKind } from '../../../shape/made-values.ts'
import { freshLike, type Fresh } from '../../match/nearest-answer.ts'
import { type Form, nameOf, parentOf } from './places.ts'

/** Where a member of an item comes from. */
export type Rule =
  | { readonly is: 'path' | 'name' | 'parent' | 'count' }
  | { readonly is: 'made' | 'constant'; readonly value: unknown }
  | {
      readonly is: 'sent'
      readonly of: string
      readonly adds?: readonly Addition[]
      /** What it is shown as, where forms have texts. */
      readonly as?: 'boolean' | 'number'
    }
  | { readonly is: 'size'; readonly of: string }
  /** What it was, or of the item that the request names. */
  | { readonly is: 'before' | 'other'; readonly of: string }

/** What a server adds to objects within what is sent; `*` stands for any item of a list. */
interface Addition {
  readonly at: readonly string[]
  readonly name: string
  readonly value: unknown
}

export type Making = Readonly<Record<string, Rule>>

type Members = Readonly<Record<string, unknown>>

/** What an item was made of. */
export interface Sources {
  readonly form: Form
  readonly path: string
  readonly said: Members
  readonly before: Members | undefined
  readonly other: Members | undefined
  readonly count: number
}

/** Where each member of an item came from. */
export function makingOf(members: Members, sources: Sources, counters: ReadonlySet<string>): Making {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, ruleOf(name, value, sources, counters)]),
  )
}

function ruleOf(name: string, value: unknown, sources: Sources, counters: ReadonlySet<string>): Rule {
  const { form, path, said, before, other, count } = sources
  if (name === form.member) return { is: 'path' }
  if (counters.has(name) && value === count) return { is: 'count' }
  if (value === nameOf(path)) return { is: 'name' }
  if (isSame(said, name, value) || isSameText(said, name, value)) {
    const as = typeof value === 'boolean' ? 'boolean' : typeof value === 'number' ? 'number' : undefined
    return { is: 'sent', of: name, ...(as !== undefined && { as }) }
  }
  const sent = said[name]
  if (Object.hasOwn(said, name) && typeof sent === 'object' && typeof value === 'object') {
    const adds = additionsTo(sent, value)
    if (adds !== undefined) return { is: 'sent', of: name, adds }
  }
  if (isPlain(value) && other !== undefined && isSame(other, name, value)) return { is: 'other', of: name }
  if (isPlain(value) && before !== undefined && isSame(before, name, value)) return { is: 'before', of: name }
  if (typeof value === 'number')
    for (const [of, text] of Object.entries(said))
      if (typeof text === 'string' && Buffer.byteLength(text) === value) return { is: 'size', of }
  if (typeof value === 'string' && value.length >= MIN_TEXT) {
    if (madeKind(value) !== undefined) return { is: 'made', value }
    const [of] = Object.keys(said).filter((each) => said[each] === value)
    if (of !== undefined) return { is: 'sent', of }
    if (value === parentOf(path)) return { is: 'parent' }
  }
  return { is: 'constant', value }
}

/** Shorter texts are met by chance. */
const MIN_TEXT = 3

function isPlain(value: unknown): boolean {
  return value !== null
}

function isSame(all: Members, name: string, value: unknown): boolean {
  return Object.hasOwn(all, name) && isDeepStrictEqual(all[name], value)
}

function isSameText(all: Members, name: string, value: unknown): boolean {
  const isScalar = typeof value === 'boolean' || typeof value === 'number'
  return isScalar && Object.hasOwn(all, name) && all[name] === String(value)
}

// What is shown in place of what is sent, where it has all that was sent, and more in some objects.
function additionsTo(sent: unknown, shown: unknown): readonly Addition[] | undefined {
  const found = new Map<string, Addition>()
  const walk = (one: unknown, other: unknown, at: readonly string[]): boolean => {
    if (Array.isArray(one))
      return (
        Array.isArray(other) &&
        one.length === other.length &&
        one.every((each, index) => walk(each, other[index], [...at, '*']))
      )
    if (!isObject(one)) return isDeepStrictEqual(one, other)
    if (!isObject(other)) return false
    for (const [name, value] of Object.entries(other))
      if (!Object.hasOwn(one, name)) found.set(JSON.stringify([at, name]), { at, name, value })
    return Object.keys(one).every(
      (name) => Object.hasOwn(other, name) && walk(one[name], other[name], [...at, name]),
    )
  }
  return walk(sent, shown, []) ? [...found.values()] : undefined
}

function withAdditions(value: unknown, adds: readonly Addition[]): unknown {
  const add = (part: unknown, [key, ...rest]: readonly string[], addition: Addition): unknown => {
    if (key === '*')
      return Array.isArray(part) ? part.map((each: unknown) => add(each, rest, addition)) : part
    if (!isObject(part)) return part
    if (key !== undefined)
      return Object.hasOwn(part, key) ? { ...part, [key]: add(part[key], rest, addition) } : part
    return Object.hasOwn(part, addition.name) ? part : { ...part, [addition.name]: addition.value }
  }
  return adds.reduce((all, addition) => add(all, addition.at, addition), value)
}

function typed(value: unknown, as: 'boolean' | 'number' | undefined): unknown {
  if (typeof value !== 'string' || as === undefined) return value
  if (as === 'boolean') return value === 'true' || (value === 'false' ? false : value)
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
}

/** The members of an item by where they come from; those are left out that come from nothing. */
export function makeMembers(making: Making, sources: Sources, fresh: Fresh): Members {
  return Object.fromEntries(
    Object.entries(making).flatMap(([name, rule]) => {
      const value = valueOf(rule, sources, fresh)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The value that a rule gives; `undefined` for none. */
export function valueOf(rule: Rule, sources: Sources, fresh: Fresh): unknown {
  const { form, path, said, before, other, count } = sources
  const from = (all: Members | undefined, of: string): unknown =>
    all !== undefined && Object.hasOwn(all, of) ? all[of] : undefined
  switch (rule.is) {
    case 'path':
      return form.lead + path
    case 'name':
      return nameOf(path)
    case 'parent':
      return parentOf(path)
    case 'count':
      return count
    case 'made':
      return freshLike(String(rule.value), fresh)
    case 'sent':
      return withAdditions(typed(from(said, rule.of), rule.as), rule.adds ?? [])
    case 'size': {
      const text = from(said, rule.of)
      return Buffer.byteLength(typeof text === 'string' ? text : JSON.stringify(text ?? ''))
    }
    case 'before':
      return from(before, rule.of)
    case 'other':
      return from(other, rule.of)
    default:
      return rule.value
  }
}
