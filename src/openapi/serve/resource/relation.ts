import { idText, type CompileOperation, type ItemRequest } from '../../../collections/item-operations.ts'
import { hashText } from '../../../engine/random.ts'
import { memberAt, withMember } from '../../../engine/schema/member.ts'
import { isObject, type Entries } from '../../../engine/schema/schema.ts'
import { ItemNotFound } from '../../../errors.ts'
import type { StoredItem } from '../../../state/store.ts'
import { valuesAt } from './change-at.ts'
import type { Keep } from './item-response.ts'
import { idPathOf } from './item-shape.ts'
import { membershipIn } from './parent-fields.ts'
import type { Reference } from './references.ts'
import type { Above, ResourceMap } from './resource-map.ts'
import type { Resource } from './resource.ts'
import type { VirtualItems } from './virtual-items.ts'

/** Which items of a resource are those of another, below whose path they are shown. */
export interface Relation {
  readonly above: Above
  /** The field that says so, if one does, be it a list. */
  readonly reference: Reference | undefined
}

/**
 * What a path says of the items of a resource that it shows: `/users/{id}/posts` has those posts which say that they
 * are of that user. `undefined` where no resource lies above it, or the collection itself lies there.
 */
export function relationOf(
  path: string,
  home: Resource,
  virtual: VirtualItems,
  map: ResourceMap,
): Relation | undefined {
  const { references } = virtual.makerOf(home)
  const above = map.above(path).filter(({ resource }) => resource !== home)
  const ownAbove = new Set(map.above(`${home.template}/`).map(({ resource }) => resource))
  const [nearest] = above.filter(({ resource }) => !ownAbove.has(resource))
  if (nearest === undefined) return undefined
  return { above: nearest, reference: membershipIn(nearest.resource, nearest.parameter, references) }
}

/** Whether an item is one of those that a request's path speaks of. */
export function createKeep(
  { above, reference }: Relation,
  home: Resource,
): (request: ItemRequest) => (item: StoredItem) => boolean {
  const { parameter } = above
  const { idPath } = home
  if (reference !== undefined) {
    const path = pathToId(reference)
    return ({ params }) => {
      const wanted = params[parameter] ?? ''
      return ({ value }) => valuesAt(value, path).some((id) => isId(id) && idText(id) === wanted)
    }
  }
  // Nothing in an item says so: about a third of them are, the same ones each time.
  return ({ params }) => {
    const wanted = hashText(`${above.resource.template}/${params[parameter] ?? ''}`)
    return ({ value }) => {
      const id = idPath === undefined ? undefined : memberAt(value, idPath)
      return id !== undefined && (hashText(idText(id)) ^ wanted) % SHARE === 0
    }
  }
}

const SHARE = 3

/** An operation on an item that is there below the item alone that it belongs to. */
export function within(keep: Keep, compile: CompileOperation): CompileOperation {
  return (context) => {
    const operation = compile(context)
    return {
      maxItems: operation.maxItems,
      need: (request) => operation.need(request),
      decide(request, found) {
        if (found.item === undefined || keep(request)(found.item)) return operation.decide(request, found)
        const where = {
          collection: request.path,
          id_field: context.address.parameter ?? 'id',
          id_value: request.id,
        }
        throw new ItemNotFound(context.verboseErrors ? where : undefined)
      },
    }
  }
}

/** Reads the id that a reference holds, of an item or of what it holds of one. */
export function idReaderOf(reference: Reference): (item: unknown) => unknown {
  const path = pathToId(reference)
  return (item) => {
    const id = memberAt(item, path)
    return isId(id) ? id : undefined
  }
}

function pathToId({ path, shape, target }: Reference): readonly string[] {
  return shape === undefined ? path : [...path, ...(idPathOf(shape, target.evidence) ?? [])]
}

function isId(id: unknown): boolean {
  return !isObject(id) && id !== null && id !== undefined
}

/** Gives an item the reference that its request's path speaks of. */
export function createRelate(
  { above, reference }: Relation,
  virtual: VirtualItems,
): (request: ItemRequest, item: Entries) => void {
  if (reference === undefined) return () => undefined
  const { readId } = virtual.makerOf(above.resource)
  const taken = above.resource.parents.length
  const toId = pathToId(reference)
  const isList = reference.path.at(-1) === '*'
  const at = isList ? reference.path.slice(0, -1) : reference.path
  const [name = ''] = at
  return ({ params }, item) => {
    const text = params[above.parameter] ?? ''
    const id = readId(text)
    const values = Object.values(params).slice(0, taken)
    const held = id === undefined ? undefined : virtual.refer(reference, values, id)
    if (held === undefined) return
    const now = isList ? memberAt(item, at) : undefined
    const others: readonly unknown[] = Array.isArray(now) ? now : []
    if (isList && valuesAt(item, toId).some((each) => isId(each) && idText(each) === text)) return
    item[name] = withMember(item, at, isList ? [...others, held] : held)[name]
  }
}
