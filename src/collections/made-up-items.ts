import { lazy } from '../engine/lazy.ts'
import { contentStream, type Seed } from '../engine/random.ts'
import { compileGenerator } from '../engine/schema/compile.ts'
import { memberAt } from '../engine/schema/member.ts'
import { foldOf } from '../engine/schema/merge.ts'
import { isObject, isOfType, propertiesOf, type Schema, typesOf } from '../engine/schema/schema.ts'
import { countEach } from '../grouping.ts'
import type { Item } from '../state/store.ts'
import { greatestOf, leastOf } from '../statistics.ts'

/** Fewer values than these may have a form in common by chance. */
const MIN_FORMED = 3

/**
 * Makes up items that are like those which are known: with values of their kinds, numbers between theirs, and texts that
 * repeat an item's id where theirs do, as in `Product 7`.
 * @returns makes the item of a number, which counts from 0, and gives it an id
 */
export function createMakeUp(
  model: Schema,
  known: readonly Item[],
  { path, route, seed, idPath }: MadeUpOptions,
): (number: number, id: unknown) => Item {
  const generate = lazy(() => compileGenerator(narrowed(model, known)))
  const forms = lazy(() => formsOf(known, idPath))
  return (number, id) => {
    const stream = contentStream(seed, `unseen of ${path}`).child(number)
    const made = generate()(stream, { route, input: {}, headers: {}, depth: 0 })
    const item = isObject(made) ? made : {}
    const formed = forms().map(([name, before, after]) => [name, `${before}${String(id)}${after}`] as const)
    return { ...item, ...Object.fromEntries(formed) }
  }
}

interface MadeUpOptions {
  readonly path: string
  readonly route: string
  readonly seed: Seed
  readonly idPath: readonly string[] | undefined
}

function narrowed(model: Schema, known: readonly Item[]): Schema {
  const folded = foldOf(model)(model)
  if (!isObject(folded) || folded['properties'] === undefined) return model
  const { $ref: _reference, allOf: _all, ...root } = model
  const fields = propertiesOf(folded).map(([name, part]) => {
    const values = known.flatMap((item) => (Object.hasOwn(item, name) ? [item[name]] : []))
    return [name, isObject(part) && values.length > 0 ? narrowedTo(part, values) : part]
  })
  return { ...root, ...folded, properties: Object.fromEntries(fields) }
}

// One of the kinds that a field may have: that of the most of its values.
function narrowedTo(part: Schema, values: readonly unknown[]): Schema {
  const plain = Array.isArray(part['anyOf']) ? plainTypes(part['anyOf']) : typesOf(part)
  if (plain === undefined || part['examples'] !== undefined || part['enum'] !== undefined) return part
  const { anyOf: _anyOf, ...rest } = part
  const counts = plain.map((type) => values.filter((value) => isOfType(value, type)).length)
  const type = plain[counts.indexOf(Math.max(...counts))]
  const own: Schema = plain.length > 1 && type !== undefined ? { ...rest, type } : part
  if (type !== 'integer' && type !== 'number') return own
  const numbers = values.filter((value) => typeof value === 'number')
  return { minimum: leastOf(numbers), maximum: greatestOf(numbers), ...own }
}

function plainTypes(forms: readonly unknown[]): readonly string[] | undefined {
  const types = forms.map((form) => {
    return isObject(form) && Object.keys(form).join() === 'type' ? form['type'] : undefined
  })
  return types.every((type) => typeof type === 'string') ? types : undefined
}

type Form = readonly [name: string, before: string, after: string]

// Texts that are alike in all but the id of their item, in most of the items.
function formsOf(known: readonly Item[], idPath: readonly string[] | undefined): readonly Form[] {
  if (idPath === undefined || known.length < MIN_FORMED) return []
  const items = known.map((item) => ({ item, id: String(memberAt(item, idPath)) }))
  const names = new Set(known.flatMap((item) => Object.keys(item)))
  names.delete(idPath[0] ?? '')
  return [...names].flatMap((name): readonly Form[] => {
    const forms = items.flatMap(({ item, id }) => {
      const text = item[name]
      const at = typeof text === 'string' && id !== '' ? text.lastIndexOf(id) : -1
      if (typeof text !== 'string' || at < 0) return []
      return [JSON.stringify([text.slice(0, at), text.slice(at + id.length)])]
    })
    const [form, times = 0] = [...countEach(forms)].toSorted(([, a], [, b]) => b - a)[0] ?? []
    if (form === undefined || times < MIN_FORMED || times * 2 < known.length) return []
    const [before = '', after = ''] = JSON.parse(form) as string[]
    return [[name, before, after]]
  })
}
