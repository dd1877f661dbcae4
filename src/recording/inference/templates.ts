import { isDeepStrictEqual } from 'node:util'
import { groupBy } from '../../grouping.ts'
import { pick } from '../../collections/item-output.ts'
import { isObject, LINK, type Schema } from '../../engine/schema/schema.ts'
import { formed, slugOf } from '../../engine/links/computed-from.ts'
import { madeKind } from '../../shape/made-values.ts'
import { literalPattern } from '../../routing/path-template.ts'

/** A value in which texts repeat other fields of its object, whose names stand there in braces. */
export interface Template {
  readonly fields: readonly string[]
  readonly template: unknown
  /** The field whose value chooses another template, and these by its values; `null` for none. */
  readonly by?: string
  readonly cases?: readonly Case[]
}

interface Case {
  readonly equals: unknown
  readonly template: unknown
}

/** Shorter texts are met by chance. */
const MIN_TEXT = 3

/**
 * Finds in what values repeat fields that are beside them; `undefined` where that does not say all of them, or they repeat
 * nothing.
 */
export function findTemplate(
  values: readonly { readonly value: unknown; readonly beside: Readonly<Record<string, unknown>> }[],
): Template | undefined {
  return templateBy(textsOf, values)
}

/** The same, where texts may repeat others as addresses have them, too, or parts of them such as the host of an address. */
export function findComputed(values: Parameters<typeof findTemplate>[0]): Template | undefined {
  const isSure = new Set(values.map(({ value }) => JSON.stringify(value))).size > 1
  return (
    findTemplate(values) ?? templateBy(slugsOf, values) ?? (isSure ? templateBy(partsOf, values) : undefined)
  )
}

/**
 * The same, where one field says which of several templates a value has: a word such as `draft`, or whether there is any,
 * such as a parent.
 */
export function findComputedByCase(values: Rows): Template | undefined {
  const whole = findComputed(values)
  if (whole !== undefined || values.length < MIN_ROWS) return whole
  const names = [...new Set(values.flatMap(({ beside }) => Object.keys(beside)))]
  for (const by of names) {
    const groups = [...groupBy(values, ({ beside }) => JSON.stringify(beside[by] ?? null))]
    if (groups.length < 2) continue
    const found = groups.every(([key]) => STATE.test(key)) ? byState(by, groups) : byPresence(by, values)
    if (found !== undefined) return found
  }
  // Where there is one, it may lead to something that is said nowhere beside, such as the address of what it names.
  return names.map((by) => byPresence(by, values, false)).find((each) => each !== undefined)
}

type Rows = Parameters<typeof findTemplate>[0]

const MIN_ROWS = 3
/** What states are, as JSON: words, flags, and that there is none. */
const STATE = /^(null|true|false|"[a-z][a-z_-]{1,30}")$/i
/** What is said where there is none. */
const NONE: readonly unknown[] = [null, 0, '']

function byState(by: string, groups: readonly (readonly [key: string, rows: Rows])[]): Template | undefined {
  const rowCount = groups.reduce((count, [, rows]) => count + rows.length, 0)
  if (groups.length * 2 > rowCount) return undefined
  const [usual, ...others] = groups
    .map(([key, rows]) => ({ equals: JSON.parse(key) as unknown, rows, of: caseOf(rows) }))
    .toSorted((a, b) => b.rows.length - a.rows.length)
  if (usual?.of === undefined || usual.of.fields.length === 0 || usual.rows.length < 2) return undefined
  const cases = others.flatMap(({ equals, of }) =>
    of === undefined ? [] : [{ equals, template: of.template }],
  )
  return cases.length < others.length
    ? undefined
    : joined(
        by,
        usual.of,
        others.flatMap(({ of }) => of ?? []),
        cases,
      )
}

function byPresence(by: string, values: Rows, isNamed = true): Template | undefined {
  const equals = NONE.find((none) => values.some(({ beside }) => (beside[by] ?? null) === none))
  const rows = [true, false].map((wanted) =>
    values.filter(({ beside }) => ((beside[by] ?? null) === equals) === wanted),
  )
  const [absent, present] = rows.map(caseOf)
  if (equals === undefined || absent === undefined || present === undefined) return undefined
  const isSure = present.fields.includes(by) || (!isNamed && areSeveral(rows[0] ?? []))
  return isSure && (isNamed || absent.fields.length * present.fields.length > 0)
    ? joined(by, present, [absent], [{ equals, template: absent.template }])
    : undefined
}

function areSeveral(rows: Rows): boolean {
  return new Set(rows.map(({ value }) => JSON.stringify(value))).size > 1
}

function joined(by: string, usual: Template, others: readonly Template[], cases: readonly Case[]): Template {
  const fields = new Set([by, ...[usual, ...others].flatMap((each) => each.fields)])
  return { fields: [...fields], template: usual.template, by, cases }
}

function caseOf(rows: Rows): Template | undefined {
  const [first] = rows
  const isSame = rows.every(({ value }) => isDeepStrictEqual(value, first?.value))
  // What was seen once may be of anything that is not beside it, unless there is nothing.
  const isSure = rows.length > 1 || typeof first?.value !== 'string' || first.value === ''
  const isPlain = first !== undefined && isSame && isSure && !holdsMade(first.value)
  return findComputed(rows) ?? (isPlain ? { fields: [], template: first.value } : undefined)
}

function templateBy(
  read: (beside: Readonly<Record<string, unknown>>) => Texts,
  values: Parameters<typeof findTemplate>[0],
): Template | undefined {
  const [first] = values
  if (first === undefined) return undefined
  const template = opened(first.value, read(first.beside))
  const fields = Object.keys(first.beside).filter((name) => mentions(template, name))
  if (fields.length === 0 || holdsMade(template)) return undefined
  const isSound = values.every(
    ({ value, beside }) =>
      textsIn(value).every((text) => namesNone(text, beside)) &&
      isDeepStrictEqual(opened(value, read(beside)), template),
  )
  if (isSound) return { fields, template }
  // A short number is met by chance in one of them, which does not make it what the others repeat.
  const common = values.reduce<readonly string[]>(
    (names, { value, beside }) =>
      names.length === 0 ? names : mentionedIn(opened(value, read(beside)), names),
    fields,
  )
  return common.length === 0 || common.length === Object.keys(first.beside).length
    ? undefined
    : templateBy(
        read,
        values.map(({ value, beside }) => ({ value, beside: pick(beside, (name) => common.includes(name)) })),
      )
}

function mentionedIn(template: unknown, names: readonly string[]): readonly string[] {
  return names.filter((name) => mentions(template, name))
}

// Braces around anything else stay as they are, such as those of the templates of addresses (RFC 6570).
function namesNone(text: string, beside: Readonly<Record<string, unknown>>): boolean {
  const open = text.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) =>
    Object.hasOwn(beside, /^[^|.]*/.exec(name)?.[0] ?? '') ? whole : '',
  )
  return !/[{}]/.test(open)
}

/**
 * A part of a model that is computed as a template says.
 * @param input which of its names are of the input
 */
export function computedPart(
  { fields, template, by, cases }: Template,
  { type }: Schema,
  input: readonly string[] = [],
): Schema {
  const [own, given] = [
    fields.filter((name) => !input.includes(name)),
    fields.filter((name) => input.includes(name)),
  ]
  return {
    ...(type !== undefined && { type }),
    [LINK]: {
      computedFrom: {
        fields: own,
        ...(given.length > 0 && { input: given }),
        ...(by !== undefined && { by, cases }),
        template,
      },
    },
  }
}

type Texts = readonly (readonly [name: string, text: string])[]

// The longest come first, since they may have others in them. A number says little by itself.
function textsOf(beside: Readonly<Record<string, unknown>>): Texts {
  const texts = Object.entries(beside).flatMap(([name, value]): [string, string][] =>
    (typeof value === 'string' && value !== '') || typeof value === 'number' ? [[name, String(value)]] : [],
  )
  return texts.toSorted(([, a], [, b]) => b.length - a.length)
}

// Texts as addresses have them, before those that are as they are.
function slugsOf(beside: Readonly<Record<string, unknown>>): Texts {
  const slugs = Object.entries(beside).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && value.length <= MAX_SLUG ? [[`${name}|slug`, slugOf(value)]] : [],
  )
  return [...slugs.filter(([, text]) => text.length >= MIN_TEXT), ...textsOf(beside)]
}

// What is before and after the one sign that divides a text, and all of them with a capital, too.
function partsOf(beside: Readonly<Record<string, unknown>>): Texts {
  const parts = Object.entries(beside).flatMap(([name, value]) => partsOfText(name, value))
  const known = [...textsOf(beside), ...parts].filter(([, text]) => text.length >= MIN_TEXT)
  const capital = known.map(([name, text]): [string, string] => [`${name}|capital`, formed(text, 'capital')])
  return [...known, ...capital].toSorted(([, a], [, b]) => b.length - a.length)
}

/** The two parts of a text that one sign divides, by what they are called in templates; none of any other value. */
export function partsOfText(
  name: string,
  value: unknown,
): readonly (readonly [name: string, text: string])[] {
  if (typeof value !== 'string') return []
  const sign = DIVIDERS.find((each) => value.split(each).length === 2)
  return sign === undefined
    ? []
    : ['before', 'after'].map(
        (side) => [`${name}|${side} ${sign}`, formed(value, `${side} ${sign}`)] as const,
      )
}

/** Signs that divide texts into a name and what that is of. */
const DIVIDERS = ['@', '/', ':']

/** Longer texts are not what addresses are made of. */
const MAX_SLUG = 200

function opened(value: unknown, texts: Texts): unknown {
  if (Array.isArray(value)) return value.map((part: unknown) => opened(part, texts))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, opened(part, texts)]))
  if (typeof value !== 'string') return value
  return texts.reduce((text, [name, known]) => {
    if (!text.includes(known)) return text
    const form = known.length < MIN_TEXT ? short(name, known) : bounded(known)
    return text.replaceAll(new RegExp(form, 'g'), () => `{${name}}`)
  }, value)
}

// In an address, a short id stands between slashes, and in a sentence after its name.
function short(name: string, text: string): string {
  const value = literalPattern(text)
  return `(?<=[/=])${value}(?=[/&#]|$)|(?<=\\b${literalPattern(name)}[ :=#]{1,2})${value}(?![\\w.-])`
}

function bounded(text: string): string {
  return `(?<![\\w{-])${literalPattern(text)}(?![\\w}-])`
}

function mentions(template: unknown, name: string): boolean {
  return textsIn(template).some((text) => text.includes(`{${name}}`) || text.includes(`{${name}|`))
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function holdsMade(template: unknown): boolean {
  return textsIn(template).some((text) => madeKind(text) !== undefined)
}
