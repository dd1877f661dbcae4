import type { InterfaceType, LinkSide, ObjectType, Ontology } from './model.ts'

/** Whether a resource may be seen, such as `ontologies/acme/objectTypes/Employee`. */
type IsGranted = (resource: string) => boolean

const KINDS = ['objectTypes', 'interfaceTypes', 'actionTypes', 'queryTypes'] as const

const resourceOf = (ontology: Ontology, kind: (typeof KINDS)[number], name: string): string =>
  `ontologies/${ontology.apiName}/${kind}/${name}`

const grantedOf = <Item>(
  ontology: Ontology,
  kind: (typeof KINDS)[number],
  items: ReadonlyMap<string, Item>,
  isGranted: IsGranted,
): Map<string, Item> => new Map([...items].filter(([name]) => isGranted(resourceOf(ontology, kind, name))))

/** The types without the links to those that may not be seen. */
const withSeenLinks = (types: ReadonlyMap<string, ObjectType>): Map<string, ObjectType> => {
  const seen = new Map<string, ObjectType>()
  for (const [name, type] of types) seen.set(name, { ...type, links: new Map<string, LinkSide>() })
  for (const [name, type] of types) {
    for (const [link, side] of type.links) {
      const target = seen.get(side.target.apiName)
      if (target !== undefined) seen.get(name)?.links.set(link, { ...side, target })
    }
  }
  return seen
}

const withSeenImplementers = (
  types: ReadonlyMap<string, InterfaceType>,
  objectTypes: ReadonlyMap<string, ObjectType>,
): Map<string, InterfaceType> =>
  new Map(
    [...types].map(([name, type]) => [
      name,
      { ...type, implementers: type.implementers.flatMap(({ apiName }) => objectTypes.get(apiName) ?? []) },
    ]),
  )

/**
 * An ontology as far as it may be seen: what is not granted is not there. Undefined where nothing of it is granted.
 * The objects are the same ones.
 */
export const seenOntology = (ontology: Ontology, isGranted: IsGranted): Ontology | undefined => {
  const isAll = KINDS.every((kind) =>
    [...ontology[kind].keys()].every((name) => isGranted(resourceOf(ontology, kind, name))),
  )
  const isItself = isGranted(`ontologies/${ontology.apiName}`)
  if (isAll && isItself) return ontology
  const objectTypes = withSeenLinks(grantedOf(ontology, 'objectTypes', ontology.objectTypes, isGranted))
  const interfaceTypes = grantedOf(ontology, 'interfaceTypes', ontology.interfaceTypes, isGranted)
  const actionTypes = grantedOf(ontology, 'actionTypes', ontology.actionTypes, isGranted)
  const queryTypes = grantedOf(ontology, 'queryTypes', ontology.queryTypes, isGranted)
  const isAnything = [objectTypes, interfaceTypes, actionTypes, queryTypes].some(({ size }) => size > 0)
  if (!isItself && !isAnything) return undefined
  return {
    ...ontology,
    objectTypes,
    interfaceTypes: withSeenImplementers(interfaceTypes, objectTypes),
    actionTypes,
    queryTypes,
  }
}
