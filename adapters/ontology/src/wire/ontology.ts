import type { ActionType, Ontology, QueryType } from '../ontology/model.ts'
import { describeInterface, describeSharedProperties } from './interface-types.ts'
import { type Describing, describeFully, given } from './object-types.ts'
import { wireParameterType } from './types.ts'

type Json = Record<string, unknown>

/** An ontology, as OntologyV2. */
export const describeOntology = ({ apiName, displayName, description, rid }: Ontology): Json => ({
  apiName,
  displayName,
  description,
  rid,
})

/** An action type, as ActionTypeV2. */
export const describeAction = ({ apiName, rid, source, parameters }: ActionType): Json =>
  given({
    apiName,
    displayName: source.displayName ?? apiName,
    description: source.description,
    status: source.status ?? 'ACTIVE',
    parameters: Object.fromEntries(
      [...parameters].map(([id, { type, isRequired, displayName, description }]) => [
        id,
        given({
          displayName: displayName ?? id,
          description,
          dataType: wireParameterType(type),
          required: isRequired,
          typeClasses: [],
        }),
      ]),
    ),
    rid,
    operations: source.operations ?? [],
  })

/** A query type, as QueryTypeV2. */
export const describeQuery = ({ apiName, version, rid, source, parameters, output }: QueryType): Json =>
  given({
    apiName,
    displayName: source.displayName ?? apiName,
    description: source.description,
    parameters: Object.fromEntries(
      [...parameters].map(([id, { type, description }]) => [id, given({ description, dataType: type })]),
    ),
    output,
    rid,
    version,
    typeReferences: {},
  })

/** Which of an ontology's things to describe; all of a list when it is undefined. */
export interface Wanted {
  readonly objectTypes?: readonly string[]
  readonly linkTypes?: readonly string[]
  readonly actionTypes?: readonly string[]
  readonly queryTypes?: readonly string[]
  readonly interfaceTypes?: readonly string[]
}

/** All or some of an ontology, as OntologyFullMetadata. */
export const describeEverything = (describing: Describing, wanted: Wanted = {}): Json => {
  const { ontology } = describing
  const isWanted = (names: readonly string[] | undefined, name: string): boolean =>
    names?.includes(name) ?? true
  const pick = <Item>(
    items: Iterable<Item>,
    names: readonly string[] | undefined,
    nameOf: (item: Item) => string,
    describe: (item: Item) => Json,
  ): Json =>
    Object.fromEntries(
      [...items]
        .filter((item) => isWanted(names, nameOf(item)))
        .map((item) => [nameOf(item), describe(item)]),
    )
  return {
    ontology: describeOntology(ontology),
    objectTypes: pick(
      ontology.objectTypes.values(),
      wanted.objectTypes,
      ({ apiName }) => apiName,
      (type) => describeFully(type, describing, wanted.linkTypes),
    ),
    actionTypes: pick(
      ontology.actionTypes.values(),
      wanted.actionTypes,
      ({ apiName }) => apiName,
      describeAction,
    ),
    queryTypes: pick(
      [...ontology.queryTypes.values()].flat(),
      wanted.queryTypes,
      ({ apiName, version }) => `${apiName}:${version}`,
      describeQuery,
    ),
    interfaceTypes: pick(
      ontology.interfaceTypes.values(),
      wanted.interfaceTypes,
      ({ apiName }) => apiName,
      (type) => describeInterface(type, describing),
    ),
    sharedPropertyTypes: describeSharedProperties(describing),
    valueTypes: {},
  }
}
