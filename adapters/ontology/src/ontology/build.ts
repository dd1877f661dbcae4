import type { IdSource } from 'sim-gateway/adapter'
import { keyOf } from '../fixture/check-object-types.ts'
import { outputOf } from '../fixture/data-value.ts'
import type { OntologyFixture, Properties, QueryTypeFixture } from '../fixture/fixture.ts'
import { createTypeReader, readParameters } from '../fixture/read-data-type.ts'
import { buildLink } from './build-links.ts'
import { buildInterfaceTypes, buildObjectType } from './build-types.ts'
import { generateObjects } from './generate.ts'
import type { ObjectType, Ontology, PairStore, QueryType } from './model.ts'
import type { RidSource } from './rids.ts'

/** Adds objects that were checked before, at the ontology's present moment. */
export const addObjects = (ontology: Ontology, type: ObjectType, objects: readonly Properties[]): void => {
  const { apiName, type: keyType } = type.primaryKey
  for (const properties of objects) {
    const object = {
      type,
      key: keyOf(properties[apiName], keyType),
      sequence: ontology.objects.length,
      moment: ontology.moment,
      properties,
    }
    ontology.objects.push(object)
    type.table.add(object)
  }
}

const parts = (version: string): number[] => version.split(/[.-]/).slice(0, 3).map(Number)

const byVersion = (left: QueryType, right: QueryType): number => {
  const [a, b] = [parts(left.version), parts(right.version)]
  const index = a.findIndex((part, nth) => part !== b[nth])
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0)
}

const buildQueries = (
  sources: readonly QueryTypeFixture[],
  ontology: string,
  rids: RidSource,
): Map<string, readonly QueryType[]> => {
  const read = createTypeReader(undefined)
  const queries = sources.map((source): QueryType => ({
    apiName: source.apiName,
    version: source.version ?? '1.0.0',
    rid: source.rid ?? rids('query', ontology, source.apiName),
    source,
    parameters: readParameters(source.parameters, read),
    output: outputOf(source, read),
  }))
  const names = new Set(queries.map(({ apiName }) => apiName))
  return new Map(
    [...names].map((name) => [name, queries.filter(({ apiName }) => apiName === name).toSorted(byVersion)]),
  )
}

/** An ontology as its fixture describes it: explicit objects first, then the generated ones. */
export const buildOntology = (fixture: OntologyFixture, ids: IdSource, rids: RidSource): Ontology => {
  const { apiName } = fixture
  const read = createTypeReader(undefined, undefined, 'action')
  const objectTypes = new Map(
    (fixture.objectTypes ?? []).map((source) => [source.apiName, buildObjectType(source, apiName, rids)]),
  )
  const pairs = new Map<string, PairStore>()
  const ontology: Ontology = {
    apiName,
    displayName: fixture.displayName ?? apiName,
    description: fixture.description ?? '',
    rid: fixture.rid ?? rids('ontology', apiName),
    objectTypes,
    pairs,
    interfaceTypes: buildInterfaceTypes(fixture.interfaceTypes ?? [], objectTypes, apiName, rids),
    actionTypes: new Map(
      (fixture.actionTypes ?? []).map((source) => [
        source.apiName,
        {
          apiName: source.apiName,
          rid: source.rid ?? rids('actionType', apiName, source.apiName),
          source,
          parameters: readParameters(source.parameters, read),
        },
      ]),
    ),
    queryTypes: buildQueries(fixture.queryTypes ?? [], apiName, rids),
    objects: [],
    moment: 0,
  }
  for (const type of objectTypes.values()) addObjects(ontology, type, type.source.objects ?? [])
  for (const type of objectTypes.values()) {
    addObjects(ontology, type, generateObjects(type, ontology, fixture.linkTypes ?? [], ids))
  }
  for (const link of fixture.linkTypes ?? []) {
    const [from, to] = [objectTypes.get(link.from), objectTypes.get(link.to)]
    if (from === undefined || to === undefined) continue
    const store = buildLink(link, { from, to }, link.rid ?? rids('linkType', apiName, link.apiName))
    if (store !== undefined) pairs.set(link.apiName, store)
  }
  return ontology
}
