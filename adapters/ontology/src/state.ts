import type { IdSource, StateSource, VirtualClock } from 'sim-gateway/adapter'
import type { OntologyMockConfig, QueryCallback } from './config.ts'
import { checkObjects, keyOf } from './fixture/check-object-types.ts'
import type { Fixture, KeyValue, Properties } from './fixture/fixture.ts'
import type { Path, Report } from './fixture/report.ts'
import { addObjects, buildOntology } from './ontology/build.ts'
import type { ObjectType, Ontology } from './ontology/model.ts'
import { createObjectRids, createRidSource, type ObjectRids, type RidSource } from './ontology/rids.ts'

/** Objects or links that cannot be added, each with its reason. */
export class AdditionInvalid extends Error {
  override readonly name = 'AdditionInvalid'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`Nothing was added:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** A definition of an object set that is kept for a while. */
interface StoredSet {
  readonly ontology: string
  readonly objectSet: unknown
  /** By the virtual clock; undefined for ever. */
  readonly expiresAt: number
}

/** What was added since the fixture was loaded: enough to do it again. */
interface Journal {
  readonly objects: {
    readonly ontology: string
    readonly objectType: string
    readonly objects: readonly Properties[]
  }[]
  readonly links: {
    readonly ontology: string
    readonly linkType: string
    readonly pairs: readonly LinkPair[]
  }[]
  readonly sets: (readonly [rid: string, set: StoredSet])[]
}

export interface LinkPair {
  readonly from: KeyValue
  readonly to: KeyValue
}

/** The helpers that change a running adapter's ontologies. */
export interface OntologyBuilder {
  /** @throws AdditionInvalid with every object that does not fit; then none is added */
  addObjects(ontology: string, objectType: string, objects: readonly Properties[]): void
  /** @throws AdditionInvalid for pairs of objects that are not there, and links held by a foreign key */
  addLinks(ontology: string, linkType: string, pairs: readonly LinkPair[]): void
}

/** The process-local state of the adapter. */
export interface OntologyState {
  readonly all: readonly Ontology[]
  readonly rids: RidSource
  readonly objectRids: (ontology: Ontology) => ObjectRids
  readonly ontologies: OntologyBuilder
  readonly callbacks: Readonly<Record<string, QueryCallback>>
  readonly clock: VirtualClock
  readonly ids: IdSource
  readonly journal: Journal
}

const named = <Item>(item: Item | undefined, what: string, name: string): Item => {
  if (item === undefined) throw new AdditionInvalid([`there is no ${what} "${name}"`])
  return item
}

const checkAdded = (type: ObjectType, objects: readonly Properties[]): void => {
  const problems: string[] = []
  const report: Report = (path: Path, rule) => void problems.push(`/${path.join('/')}: ${rule}`)
  const properties = new Map([...type.properties].map(([name, property]) => [name, property.type]))
  const rules = { apiName: type.apiName, primaryKey: type.primaryKey.apiName, properties }
  checkObjects(objects, rules, new Set(type.table.all.map(({ key }) => key)), [type.apiName], report)
  if (problems.length > 0) throw new AdditionInvalid(problems)
}

const createBuilder = (all: readonly Ontology[], journal: Journal): OntologyBuilder => {
  const find = (name: string): Ontology =>
    named(
      all.find(({ apiName, rid }) => apiName === name || rid === name),
      'ontology',
      name,
    )
  return {
    addObjects(ontologyName, objectType, objects) {
      const ontology = find(ontologyName)
      const type = named(ontology.objectTypes.get(objectType), 'object type', objectType)
      const copies = structuredClone(objects)
      checkAdded(type, copies)
      if (copies.length === 0) return
      ontology.moment++
      addObjects(ontology, type, copies)
      journal.objects.push({ ontology: ontology.apiName, objectType, objects: copies })
    },
    addLinks(ontologyName, linkType, pairs) {
      const ontology = find(ontologyName)
      const store = named(ontology.pairs.get(linkType), 'link type with listed pairs', linkType)
      const ends = pairs.map(({ from, to }) => {
        const object = (type: ObjectType, key: KeyValue) =>
          named(type.table.get(keyOf(key, type.primaryKey.type)), type.apiName, String(key))
        return { from: object(store.from, from), to: object(store.to, to) }
      })
      const isTaken = ends.find(({ from, to }) => store.has(from, to))
      if (isTaken !== undefined)
        throw new AdditionInvalid([`${isTaken.from.key} and ${isTaken.to.key} are linked already`])
      if (ends.length === 0) return
      ontology.moment++
      for (const { from, to } of ends) store.add(from, to, ontology.moment)
      journal.links.push({ ontology: ontology.apiName, linkType, pairs })
    },
  }
}

/** The state that a fixture describes. */
export const createState = ({
  fixture,
  ids,
  clock,
  config,
}: StateSource<Fixture, OntologyMockConfig>): OntologyState => {
  const rids = createRidSource(ids)
  const all = fixture.ontologies.map((ontology) => buildOntology(ontology, ids, rids))
  const indexes = new Map(
    all.map((ontology) => [ontology.apiName, createObjectRids(rids, ontology.apiName, ontology.objects)]),
  )
  const journal: Journal = { objects: [], links: [], sets: [] }
  const none = createObjectRids(rids, '', [])
  return {
    all,
    rids,
    objectRids: ({ apiName }) => indexes.get(apiName) ?? none,
    ontologies: createBuilder(all, journal),
    callbacks: config.queries ?? {},
    clock,
    ids,
    journal,
  }
}

/** What a snapshot keeps: the fixture is not part of it. */
export const takeSnapshot = ({ journal }: OntologyState): Journal => structuredClone(journal)

/** The fixture's state with all that a snapshot kept. */
export const restoreSnapshot = (
  snapshot: unknown,
  source: StateSource<Fixture, OntologyMockConfig>,
): OntologyState => {
  const { objects, links, sets } = snapshot as Journal
  const state = createState(source)
  for (const each of objects) state.ontologies.addObjects(each.ontology, each.objectType, each.objects)
  for (const each of links) state.ontologies.addLinks(each.ontology, each.linkType, each.pairs)
  state.journal.sets.push(...structuredClone(sets))
  return state
}
