import { pointerBelow, readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { literalPattern } from '../../routing/path-template.ts'
import { freshLike, type Fresh } from '../match/nearest-answer.ts'
import { replaceAt, valueAt } from './envelope.ts'
import type { Item } from './objects.ts'

/** An object as it was first, and the arguments that it was made with, if any. */
interface Made {
  readonly item: Item
  readonly args: Readonly<Record<string, unknown>>
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** Stands for an id that is made up. */
const MADE = '{#}'
const PART = /\{([^{}]+)\}/g
/** Begins the template of a text that is in base64. */
const BASE64 = 'base64:'
/** Shorter values are met by chance. */
const MIN_PART = 3

/**
 * Members that are made of others, or of arguments: `arn:aws:iam::1:user{Path}{UserName}`. Texts within a member are
 * called by their JSON pointers.
 * @param id the member with the id, which may be short
 * @param short other names of what may be short
 */
export function findTemplates(
  all: readonly Made[],
  id: string,
  short: ReadonlySet<string> = new Set(),
): Readonly<Record<string, string>> {
  const shortNames = new Set([id, ...short])
  const [first] = all
  const given = new Set(all.flatMap(({ args }) => Object.keys(args)))
  const members = Object.keys(first?.item ?? {}).filter((name) => !given.has(name))
  const within = members.flatMap((name) => textsWithin(first?.item[name], pointerBelow('', name)))
  const places = [...members, ...within.slice(0, MAX_PLACES)]
  const found = places.flatMap((member): [string, string][] => {
    const own = all.filter(({ item }) => textAt(item, member) !== undefined)
    const isVaried = new Set(own.map(({ item }) => textAt(item, member))).size > 1
    if (isWithin(member) && !isVaried) return []
    const template = own
      .map((each) => proposed(each, member, shortNames))
      .find((each) => each !== undefined && own.every((made) => fits(made, member, each)))
    return template === undefined || own.length === 0 ? [] : [[member, template]]
  })
  // Of two that are made of each other, one is there first.
  const isMadeOf = (template: string, other: string): boolean => template.includes(`{${other}}`)
  return Object.fromEntries(
    found
      .filter(
        ([member, template]) =>
          member !== id || !found.some(([other]) => other !== id && isMadeOf(template, other)),
      )
      .filter(
        ([, template], _, kept) =>
          !isMadeOf(template, id) || !kept.some(([other, each]) => other === id && each === template),
      ),
  )
}

// Names are called as they are, and places within them by pointers.
function isWithin(place: string): boolean {
  return place.startsWith('/')
}

function textAt(item: Item, place: string): string | undefined {
  const value = isWithin(place) ? valueAt(item, place) : item[place]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function textsWithin(value: unknown, pointer: string, depth = 0): readonly string[] {
  if (typeof value !== 'object' || value === null || depth > MAX_WITHIN) return []
  return Object.entries(value).flatMap(([name, part]): readonly string[] =>
    typeof part === 'string'
      ? [pointerBelow(pointer, name)]
      : textsWithin(part, pointerBelow(pointer, name), depth + 1),
  )
}

const MAX_WITHIN = 4
/** Long lists within objects are looked at as far as this. */
const MAX_PLACES = 100

function valuesOf({ item, args }: Made): ReadonlyMap<string, string> {
  const entries = Object.entries({ ...args, ...item })
  return new Map(
    entries.flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  )
}

function proposed(made: Made, member: string, short: ReadonlySet<string>): string | undefined {
  const whole = textAt(made.item, member) ?? ''
  const decoded = decodedIn(whole)
  const coded = decoded === undefined ? undefined : proposedFor(decoded, made, member, short)
  return coded === undefined ? proposedFor(whole, made, member, short) : `${BASE64}${coded}`
}

// The printable text that is there in base64.
function decodedIn(text: string): string | undefined {
  const decoded = Buffer.from(text, 'base64').toString()
  return /^[ -~]{2,}$/.test(decoded) && base64Of(decoded) === text ? decoded : undefined
}

function base64Of(text: string): string {
  return Buffer.from(text).toString('base64')
}

function proposedFor(
  value: string,
  made: Made,
  member: string,
  short: ReadonlySet<string>,
): string | undefined {
  if (/[{}]/.test(value)) return undefined
  const others = [...valuesOf(made)]
    .filter(([name, each]) => name !== member && (each !== value || isWithin(member) || name.includes('?')))
    .filter(([name, each]) => each.length >= MIN_PART || short.has(name))
    .toSorted(([, a], [, b]) => b.length - a.length)
  let template = value
  for (const [name, each] of others) {
    // A part that was replaced before has no text to replace any more.
    const pieces = template.split(/(\{[^{}]+\})/)
    const [before, after] = [/^[A-Za-z0-9]/.test(each), /[A-Za-z0-9]$/.test(each)]
    const form = new RegExp(
      `${before ? '(?<![A-Za-z0-9])' : ''}${literalPattern(each)}${after ? '(?![A-Za-z0-9])' : ''}`,
    )
    const at = pieces.findIndex((piece) => !piece.startsWith('{') && form.test(piece))
    if (at !== -1) pieces[at] = (pieces[at] as string).replace(form, `{${name}}`)
    template = pieces.join('')
  }
  return template === value ? undefined : template.replaceAll(new RegExp(UUID, 'gi'), MADE)
}

function fits(made: Made, member: string, template: string): boolean {
  const values = valuesOf(made)
  const isCoded = template.startsWith(BASE64)
  const plain = isCoded ? template.slice(BASE64.length) : template
  const text = textAt(made.item, member) ?? ''
  const parts = plain.split(/(\{[^{}]+\})/).map((part) => {
    if (part === MADE) return UUID
    if (!part.startsWith('{')) return literalPattern(part)
    const value = values.get(part.slice(1, -1))
    return value === undefined ? '(?!)' : literalPattern(value)
  })
  return new RegExp(`^${parts.join('')}$`, 'i').test((isCoded ? decodedIn(text) : text) ?? '')
}

/** The text of a template; `undefined` where a part of it is not known. */
export function fillTemplate(template: string, values: Item, fresh: Fresh): string | undefined {
  let isKnown = true
  const isCoded = template.startsWith(BASE64)
  const plain = isCoded ? template.slice(BASE64.length) : template
  const text = plain.replaceAll(PART, (part, name: string) => {
    if (part === MADE) return freshLike('0f6f1e5c-93a4-4b1e-8f0a-5d2c7b9e6a31', fresh)
    const value = values[name]
    if (value === undefined || value === null || isObject(value)) isKnown = false
    return String(value)
  })
  if (!isKnown) return undefined
  return isCoded ? base64Of(text) : text
}

/** An object with its members that are made of others. @param given what its call gave, which stays as it is */
export function withTemplates(
  item: Item,
  templates: Readonly<Record<string, string>> | undefined,
  given: Readonly<Record<string, unknown>>,
  fresh: Fresh,
): Item {
  return Object.entries(templates ?? {}).reduce((made, [member, template]) => {
    const [name = '', ...below] = isWithin(member) ? readPointer(member) : [member]
    const isThere = isWithin(member) ? textAt(item, member) !== undefined : Object.hasOwn(item, name)
    if (Object.hasOwn(given, name) || !isThere) return made
    const text = fillTemplate(template, { ...given, ...item }, fresh)
    return text === undefined ? made : { ...made, [name]: replaceAt(made[name], below, text) }
  }, item)
}
