import type { SegmentKind } from './values.ts'

/** A segment of a template: a literal, or a parameter with the field its values were seen in, if any. */
export type Segment = { readonly literal: string } | Value

/** A parameter, and the name that it stands in brackets after, if it does. */
interface Value {
  readonly field: string
  readonly kind: SegmentKind
  readonly after?: string
}

/** Names for a template's parameters by position; `undefined` at literals. An id that ends the path is `id`, others say of what. */
export function nameParameters(segments: readonly Segment[]): readonly (string | undefined)[] {
  const taken = new Set<string>()
  return segments.map((segment, index) => {
    if ('literal' in segment) return undefined
    const wanted = nameOf(segment, segments[index - 1], index === segments.length - 1)
    let name = wanted
    for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`
    taken.add(name)
    return name
  })
}

function nameOf({ field, kind, after }: Value, before: Segment | undefined, isLast: boolean): string {
  if (kind === 'date') return 'date'
  const above = before !== undefined && 'literal' in before ? before.literal : ''
  const collection = singular(after ?? above)
  const isOwn = field.toLowerCase() === 'id' || field === camelCase(`${collection}_id`)
  const plain = /^[a-z_]\w*$/i.test(field) && !isOwn ? field : 'id'
  if (isLast) return plain === `${collection}_id` ? 'id' : plain
  if (collection === '') return plain
  return plain === 'id' ? `${collection}_id` : `${collection}_${plain}`.replace(/^(.+)_\1_/, '$1_')
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
}

/** The singular of a collection's name, in snake case: `order-items` → `order_item`. */
export function singular(name: string): string {
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .toLowerCase()
  if (/(ss|us|is)$/.test(snake)) return snake
  if (snake.endsWith('ies')) return snake.replace(/ies$/, 'y')
  return snake.replace(/(?<=ch|sh|x|ss|z)es$|s$/, '')
}

/** What the model of a path's answer is called: `/api/order-items/{id}` gives `OrderItem`. */
export function modelName(path: string): string {
  const literal =
    path
      .replace(/\.(json|xml)$/, '')
      .split('/')
      .findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? 'root'
  const words = singular(literal).split('_').filter(Boolean)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^[A-Z]/.test(name) ? name : `Model${name}`
}
