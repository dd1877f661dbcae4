import type { IdSource } from 'sim-gateway/adapter'
import type { OntologyObject } from './model.ts'

const PREFIXES = {
  ontology: 'ri.ontology.main.ontology',
  objectType: 'ri.ontology.main.object-type',
  property: 'ri.ontology.main.property',
  structField: 'ri.ontology.main.struct-field',
  linkType: 'ri.ontology.main.relation',
  interfaceType: 'ri.ontology.main.interface',
  interfaceLink: 'ri.ontology.main.interface-link',
  actionType: 'ri.ontology.main.action-type',
  query: 'ri.function-registry.main.function',
  object: 'ri.phonograph2-objects.main.object',
  objectSet: 'ri.object-set.main.object-set',
} as const

/** Makes resource identifiers: the same for the same seed and names, in the form the clients demand. */
export type RidSource = (kind: keyof typeof PREFIXES, ...names: readonly (string | number)[]) => string

export const createRidSource =
  (ids: Pick<IdSource, 'uuid'>): RidSource =>
  (kind, ...names) =>
    `${PREFIXES[kind]}.${ids.uuid(kind, ...names)}`

/** Finds out the identifiers of objects, and the objects of identifiers. */
export interface ObjectRids {
  of(object: OntologyObject): string
  find(rid: string): OntologyObject | undefined
}

/** The identifiers of an ontology's objects. The index is made when it is first needed, and then kept up. */
export const createObjectRids = (
  rids: RidSource,
  ontologyName: string,
  objects: readonly OntologyObject[],
): ObjectRids => {
  const index = new Map<string, OntologyObject>()
  const of = ({ type, key }: OntologyObject): string => rids('object', ontologyName, type.apiName, key)
  return {
    of,
    find(rid) {
      for (const object of objects.slice(index.size)) index.set(of(object), object)
      return index.get(rid)
    },
  }
}
