import { isObject } from '../../engine/schema/schema.ts'
import { literalPattern } from '../../routing/path-template.ts'
import { isOfError, isStatus, speaksOf } from './answer-text.ts'
import type { FieldIssue } from './refused-values.ts'
import { singular } from './names.ts'
import type { Sample } from './sample.ts'

/** What a request says, and the name that stands for it. */
export interface Said {
  readonly name: string
  readonly value: string
  /** Whether only the first place of a text stands for it: what is paid cannot be `paid`. */
  readonly isOnce?: boolean
}

/** What the items of a path are called, as words. */
export function nounsOf({
  path,
  about = path,
}: {
  readonly path: string
  readonly about?: string | undefined
}): readonly Said[] {
  const literal = about.split('/').findLast((part) => part !== '' && !part.includes('{')) ?? ''
  const one = singular(literal).replaceAll('_', ' ')
  return [
    { name: 'item', value: one },
    { name: 'Item', value: one.charAt(0).toUpperCase() + one.slice(1) },
    { name: 'collection', value: literal },
  ].filter(({ value }) => value.length > 2)
}

const OPEN = '\u0001'

/** With names in place of what the request says, the longest first. */
export function opened(value: unknown, said: readonly Said[]): unknown {
  if (typeof value === 'string') {
    const order = said.filter((each) => each.value !== '').toSorted((a, b) => b.value.length - a.value.length)
    return order.reduce((text, each) => {
      const escaped = literalPattern(each.value)
      const isNoun = /^(item|collection)$/i.test(each.name)
      const name = isNoun ? `${OPEN}${each.name}${OPEN}` : `{${each.name}}`
      const flags = each.isOnce === true ? '' : 'g'
      return text.replace(new RegExp(`(?<![\\w{${OPEN}-])${escaped}(?![\\w}${OPEN}-])`, flags), () => name)
    }, value)
  }
  if (Array.isArray(value)) return value.map((item: unknown) => opened(item, said))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const isField =
        !isOfError(value, name) &&
        !isStatus(name, part) &&
        said.some((each) => each.name === 'field' && each.value === name)
      return [isField ? '{field}' : name, opened(part, said)]
    }),
  )
}

/** With what the items of a path are called in place of the names that stand for it. */
export function withNouns(form: unknown, nouns: readonly Said[]): unknown {
  if (typeof form === 'string')
    return form.replaceAll(
      new RegExp(`${OPEN}(\\w+)${OPEN}`, 'g'),
      (_, name: string) => nouns.find((noun) => noun.name === name)?.value ?? 'item',
    )
  if (Array.isArray(form)) return form.map((item: unknown) => withNouns(item, nouns))
  if (!isObject(form)) return form
  return Object.fromEntries(Object.entries(form).map(([name, part]) => [name, withNouns(part, nouns)]))
}

/** The value that a refusal repeats; a number may be any other there, such as a limit, but where it is set apart. */
export function refusedValue({ type, field, value }: FieldIssue, text: string): readonly Said[] {
  const isOnly = type === 'not_found' || type === 'unknown_field'
  const isText = typeof value === 'string' && value.length > 1 && value !== field
  const isApart =
    typeof value === 'number' && new RegExp(`[('"\`]${literalPattern(String(value))}[)'"\`]`).test(text)
  const isRepeated = speaksOf(text, field) && (isText || isApart)
  return isOnly || isRepeated ? [{ name: 'value', value: String(value) }] : []
}

/** The value of what is there already, which is one that was sent. */
export function takenValues({ body }: Sample, text: string): readonly Said[] {
  const [only, ...others] = isObject(body) ? Object.values(body) : []
  const sent = isObject(only) && others.length === 0 ? Object.values(only) : [only, ...others]
  const values = sent.filter((value) => typeof value === 'string' && value.length > 1 && text.includes(value))
  return values.slice(0, 1).map((value) => ({ name: 'value', value: value as string }))
}

/** What an item is, as far as answers may repeat it. */
export function itemValues(item: Readonly<Record<string, unknown>>): readonly Said[] {
  return Object.entries(item).flatMap(([name, value]) =>
    (typeof value === 'string' && value.length > 1) || typeof value === 'number'
      ? [{ name: `item.${name}`, value: String(value), isOnce: true }]
      : [],
  )
}
