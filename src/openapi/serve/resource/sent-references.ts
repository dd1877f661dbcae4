import { plainName } from '../../../collections/paging/page-parameters.ts'
import { idText } from '../../../collections/item-operations.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import { isObject, type Entries } from '../../../engine/schema/schema.ts'
import { segmentsOf } from '../../../routing/path-template.ts'
import type { Item } from '../../../state/store.ts'
import type { ItemModel } from './item-model.ts'
import { wordsOf } from './reference-words.ts'
import type { Reference } from './references.ts'
import type { Resource } from './resource.ts'
import type { VirtualItems } from './virtual-items.ts'

/**
 * Brings what is sent of other items into the form that an item holds of them: an id becomes the item where the whole
 * item is held, as `project: 7` and `project_id: 7` do for `project: { id, name }`, and an item its id.
 */
export function createSentReferences(
  resource: Resource,
  virtual: VirtualItems,
  model: Pick<ItemModel, 'fields'>,
): (sent: Item) => Item {
  const references = virtual
    .makerOf(resource)
    .references.filter(({ path, target }) => isOwn(path) && target.parents.length === 0)
  if (references.length === 0) return (sent) => sent
  const fieldOf = (name: string): Reference | undefined => {
    const own = references.find(({ path }) => path[0] === name)
    if (own !== undefined || model.fields.has(name)) return own
    const meant = plainName(wordsOf(name).noun.join(''))
    return references.find(({ path: [field = ''] }) => plainName(wordsOf(field).noun.join('')) === meant)
  }
  const held = (reference: Reference, sent: unknown): unknown => {
    const { target, shape, asId } = reference
    if (isObject(sent)) return shape === undefined ? asId(memberAt(sent, target.idPath ?? [])) : undefined
    if (shape === undefined || !isId(sent)) return undefined
    const id = virtual.makerOf(target).readId(idInUrl(sent, target) ?? idText(sent))
    return id === undefined ? undefined : virtual.refer(reference, [], id)
  }
  return (sent) => {
    const changed: Entries = {}
    for (const [name, value] of Object.entries(sent)) {
      const reference = fieldOf(name)
      if (reference === undefined) continue
      const [field = '', each] = reference.path
      if (field !== name && Object.hasOwn(sent, field)) continue
      const own = each === undefined ? held(reference, value) : all(value, (one) => held(reference, one))
      if (own !== undefined) changed[field] = own
    }
    return { ...sent, ...changed }
  }
}

// Several ids may be sent as one text.
function all(sent: unknown, held: (value: unknown) => unknown): readonly unknown[] | undefined {
  const list: unknown =
    typeof sent === 'string' && sent !== '' ? sent.split(',').map((each) => each.trim()) : sent
  const own = Array.isArray(list) ? list.map(held) : [undefined]
  return own.includes(undefined) ? undefined : own
}

function isOwn(path: readonly string[]): boolean {
  return path.length === 1 || (path.length === 2 && path[1] === '*')
}

// `https://api.example.com/v1/users/3` names the item of `/users/{id}`.
function idInUrl(sent: unknown, { template }: Resource): string | undefined {
  if (typeof sent !== 'string' || !/^(https?:\/)?\/./.test(sent)) return undefined
  const { pathname } = new URL(sent, 'http://localhost')
  const [, above = '', id = ''] = /^(.*)\/([^/]+)\/?$/.exec(pathname) ?? []
  return above === template || above.endsWith(`/${segmentsOf(template).at(-1)}`) ? decoded(id) : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}
