import { idText, type CompileOperation, type ItemRequest } from '../../../collections/item-operations.ts'
import { hashText } from '../../../engine/random.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import { isObject, type Entries } from '../../../engine/schema/schema.ts'
import { ItemNotFound } from '../../../errors.ts'
import type { StoredItem } from '../../../state/store.ts'
import type { Keep } from './item-response.ts'
import { idPathOf } from './item-shape.ts'
import { referenceTo } from './parent-fields.ts'
import type { Reference } from './references.ts'
import type { Above, ResourceMap } from './resource-map.ts'
import type { Resource } from './resource.ts'
import type { VirtualItems } from './virtual-items.ts'

/** Which items of a resource are those of another, below whose path they are shown. */
export interface Relation {
  readonly above: Above
  /** The field that says so, if one does. */
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
  return { above: nearest, reference: referenceTo(nearest.resource, nearest.parameter, references) }
}

/** Whether an item is one of those that a request's path speaks of. */
export function createKeep(
  { above, reference }: Relation,
  home: Resource,
): (request: ItemRequest) => (item: StoredItem) => boolean {
  const { parameter } = above
  const { idPath } = home
  if (reference !== undefined) {
    const read = idReaderOf(reference)
    return ({ params }) => {
      const wanted = params[parameter] ?? ''
      return ({ value }) => {
        const id = read(value)
        return id !== undefined && idText(id) === wanted
      }
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
export function idReaderOf({ path, shape, target }: Reference): (item: unknown) => unknown {
  const inner = shape === undefined ? [] : (idPathOf(shape, target.evidence) ?? [])
  const whole = [...path, ...inner]
  return (item) => {
    const id = memberAt(item, whole)
    return isObject(id) || id === null ? undefined : id
  }
}

/** Gives an item the reference that its request's path speaks of. */
export function createRelate(
  { above, reference }: Relation,
  virtual: VirtualItems,
): (request: ItemRequest, item: Entries) => void {
  if (reference === undefined || reference.path.length !== 1) return () => undefined
  const [name = ''] = reference.path
  const { readId } = virtual.makerOf(above.resource)
  const taken = above.resource.parents.length
  return ({ params }, item) => {
    const id = readId(params[above.parameter] ?? '')
    const values = Object.values(params).slice(0, taken)
    const held = id === undefined ? undefined : virtual.refer(reference, values, id)
    if (held !== undefined) item[name] = held
  }
}
