import { literalPattern } from '../../routing/path-template.ts'
import type { Item } from './item-place.ts'
import type { FieldLink } from './model-fields.ts'
import { isScalar } from './values.ts'

/** A text that is the same around this many different ids is made of them. */
const MIN_VALUES = 2

/** The fields of items that are texts around their ids, such as the URL of an item. */
export function findComputed(items: readonly Item[], idField: string): readonly FieldLink[] {
  const names = new Set(items.flatMap((item) => Object.keys(item)))
  return [...names]
    .filter((name) => name !== idField)
    .flatMap((field) => {
      const template = templateOf(items, field, idField)
      return template === undefined
        ? []
        : [{ field, link: { computedFrom: { fields: [idField], template } } }]
    })
}

function templateOf(items: readonly Item[], field: string, idField: string): string | undefined {
  let templates: readonly string[] | undefined
  const ids = new Set<string>()
  for (const item of items) {
    if (!Object.hasOwn(item, field)) continue
    const [text, value] = [item[field], item[idField]]
    if (typeof text !== 'string' || !isScalar(value) || /[{}]/.test(text)) return undefined
    const own = templatesAround(text, String(value), `{${idField}}`)
    templates = templates?.filter((each) => own.includes(each)) ?? own
    if (templates.length === 0) return undefined
    ids.add(String(value))
  }
  return ids.size < MIN_VALUES ? undefined : templates?.[0]
}

// Small numbers are in hosts and ports, too: it may be all of them that are the id, or the last.
function templatesAround(text: string, id: string, name: string): readonly string[] {
  const own = `(?<![\\w-])${literalPattern(id)}(?![\\w-])`
  const all = text.replaceAll(new RegExp(own, 'g'), () => name)
  const last = text.replace(new RegExp(`${own}(?!.*${own})`, 's'), () => name)
  return all === text ? [] : [...new Set([all, last])]
}
