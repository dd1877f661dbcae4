import { plainName } from '../../../collections/paging/page-parameters.ts'
import { idText } from '../../../collections/item-operations.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import { StoredItem, type Store } from '../../../state/store.ts'
import type { OpenApiRoute } from '../choose-response.ts'
import { PEOPLE } from './references.ts'
import type { Above } from './resource-map.ts'
import { pathOf } from './virtual-collection.ts'
import type { VirtualItems } from './virtual-items.ts'

type Params = Readonly<Record<string, string>>

/** How paths call whoever asks. */
const ME = new Set(['me', '@me', '~'])

/** Reads the parameters of a route's path, in which `me` stands for the first of its users, unless one is called so. */
export function createReadMe(
  { path }: Pick<OpenApiRoute, 'path'>,
  virtual: VirtualItems,
): (params: Params, store: Store | undefined) => Params {
  const people = virtual.map
    .above(`${path}/_`)
    .filter(
      ({ resource: { parents, evidence } }) =>
        parents.length === 0 && PEOPLE.includes(plainName(evidence.singular)),
    )
  if (people.length === 0) return (params) => params
  const nameOf = ({ resource }: Above, text: string, store: Store | undefined): string => {
    const beginning = virtual.collection(resource, [])
    const items = store?.collection(pathOf(resource, []), beginning) ?? beginning
    const [first] = items.get(text) === undefined ? items.page(0, 1) : []
    const item = first instanceof StoredItem ? first.value : first
    const id = memberAt(item, resource.idPath ?? [])
    return id === undefined || item === undefined ? text : idText(id)
  }
  return (params, store) => {
    const named = people.filter(({ parameter }) => ME.has(params[parameter] ?? ''))
    if (named.length === 0) return params
    const ids = named.map(
      (each) => [each.parameter, nameOf(each, params[each.parameter] ?? '', store)] as const,
    )
    return { ...params, ...Object.fromEntries(ids) }
  }
}
