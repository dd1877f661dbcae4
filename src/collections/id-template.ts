import type { Stream } from '../engine/random.ts'
import { UUID } from '../shape/formats.ts'

/** Makes the id that comes after so many others. */
export type MakeId = (ordinal: number, stream: Stream) => string

/** The signs that are drawn, by the names that templates call them by. */
export const ALPHABETS = {
  digits: '0123456789',
  hex: '0123456789abcdef',
  HEX: '0123456789ABCDEF',
  lower: '0123456789abcdefghijklmnopqrstuvwxyz',
  upper: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  mixed: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  base64url: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_',
} as const

/**
 * Reads a template of ids, such as `ord_{000061}-{hex 8}`: a number counts on from itself and is as long as it is
 * written, a name with a length stands for so many signs, and of `{a|b}` one is drawn.
 * @returns makes the ids; `undefined` for a text without such a part, or with one that cannot be read
 */
export function readIdTemplate(template: string): MakeId | undefined {
  const [first = '', ...rest] = template.split(/\{([^{}]*)\}/)
  const parts = rest.map((text, index) => (index % 2 === 0 ? partOf(text) : () => text))
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  return (ordinal, stream) =>
    parts.reduce<string>((text, part) => text + (part?.(ordinal, stream) ?? ''), first)
}

function partOf(text: string): MakeId | undefined {
  if (/^\d{1,15}$/.test(text))
    return (ordinal) => String(Number(text) + ordinal).padStart(text.startsWith('0') ? text.length : 0, '0')
  const [, name = '', length = ''] = /^(\w+) (\d{1,3})$/.exec(text) ?? []
  if (Object.hasOwn(ALPHABETS, name)) {
    const signs = ALPHABETS[name as keyof typeof ALPHABETS]
    return (_ordinal, stream) =>
      Array.from({ length: Number(length) }, () => signs[stream.integer(0, signs.length - 1)]).join('')
  }
  const words = text.split('|')
  return words.length < 2 ? undefined : (_ordinal, stream) => stream.pick(words) ?? ''
}

/**
 * The template of ids that look like one: `12345` counts on, and so does `se-101`; of `cus_4f9Xk2aQ` the signs after the
 * prefix are drawn.
 * @returns `undefined` for an id that says nothing of others, as a word does
 */
export function templateLike(id: string): string | undefined {
  const [, prefix = '', rest = ''] = /^((?:[\w.-]{0,40}[_:.-])?)([A-Za-z0-9]{1,64})$/.exec(id) ?? []
  if (UUID.test(id) || rest === '') return undefined
  if (/^\d{1,15}$/.test(rest)) return `${prefix}{${rest}}`
  if (rest.length < MIN_DRAWN || !/\d/.test(rest)) return undefined
  const [name] = DRAWN.find(([, signs]) => signs.test(rest)) ?? []
  return name && `${prefix}{${name} ${rest.length}}`
}

const MIN_DRAWN = 6
const DRAWN: readonly (readonly [keyof typeof ALPHABETS, RegExp])[] = [
  ['hex', /^[\da-f]+$/],
  ['HEX', /^[\dA-F]+$/],
  ['lower', /^[\da-z]+$/],
  ['upper', /^[\dA-Z]+$/],
  ['mixed', /^[\dA-Za-z]+$/],
]
