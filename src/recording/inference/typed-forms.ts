import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { Sample } from './sample.ts'
import { isScalar, leavesOf, readScalar } from './values.ts'

/**
 * Samples whose forms have numbers and booleans where answers show fields of these names as such: a form has but texts, and
 * `amount=1200` is answered with 1200 by a server for which it is a number, and with "1200" where it is a text.
 */
export function withTypedForms(samples: readonly Sample[]): readonly Sample[] {
  const typed = typedFields(samples.filter(isForm))
  if (typed.size === 0) return samples
  return samples.map((sample) =>
    isForm(sample) ? { ...sample, body: typedValue(sample.body, '', typed) } : sample,
  )
}

function isForm({ headers, body }: Sample): boolean {
  return isObject(body) && mediaKindOf(headers['content-type'] ?? '') === 'form'
}

/** The fields that answers show as numbers or booleans, never as texts, and that always spell one, by their paths. */
function typedFields(forms: readonly Sample[]): ReadonlySet<string> {
  const seen = new Map<string, { readonly spelt: Set<string>; readonly shown: Set<string> }>()
  for (const { body, status, response } of forms) {
    const shown = status < 300 && isObject(response) ? [...leavesOf(response)] : []
    for (const [path, texts] of leavesOf(body)) {
      const field = entryOf(seen, path, () => ({ spelt: new Set(), shown: new Set() }))
      for (const text of texts) if (text !== '') field.spelt.add(typeof readScalar(String(text)))
      // The answer may enclose what was sent.
      for (const [name, values] of shown)
        if (
          name === path ||
          (name.endsWith(`.${path}`) && name.split('.').length === path.split('.').length + 1)
        )
          for (const value of values)
            if (isScalar(value) && texts.includes(String(value))) field.shown.add(typeof value)
    }
  }
  const isTyped = ({ spelt, shown }: { readonly spelt: Set<string>; readonly shown: Set<string> }): boolean =>
    spelt.size === 1 &&
    shown.size === 1 &&
    !spelt.has('string') &&
    [...shown].every((type) => spelt.has(type))
  return new Set([...seen].flatMap(([path, field]) => (isTyped(field) ? [path] : [])))
}

function typedValue(value: unknown, path: string, typed: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => typedValue(item, `${path}[]`, typed))
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name,
        typedValue(part, path === '' ? name : `${path}.${name}`, typed),
      ]),
    )
  return typeof value === 'string' && value !== '' && typed.has(path) ? readScalar(value) : value
}
