import type { Ontology, OntologyObject } from '../ontology/model.ts'
import type { ObjectRids } from '../ontology/rids.ts'
import type { Scope } from '../ontology/scope.ts'

/** The objects a definition stands for, in the order they came, and what names mean among them. */
export interface ObjectSet {
  readonly scope: Scope
  readonly objects: readonly OntologyObject[]
  /** The moment of the last change of anything it was made from. */
  readonly revision: number
}

/** What definitions of object sets are evaluated against. */
export interface SetContext {
  /** As far as the caller may see it. */
  readonly ontology: Ontology
  readonly rids: ObjectRids
  /** The moment at which the ontology is looked at. */
  readonly moment: number
  /** The time by the virtual clock. */
  readonly now: number
  /** The definition that was stored under an identifier. */
  readonly stored: (rid: string) => unknown
  /** The object that a derived property is being computed for. */
  readonly methodInput: ObjectSet | undefined
}

export type Definition = Readonly<Record<string, unknown>>

/** One kind of definition. `inner` evaluates a definition within, in the same context or another. */
export type SetKind = (
  definition: Definition,
  context: SetContext,
  inner: (definition: unknown, context?: SetContext) => ObjectSet,
) => ObjectSet

const bySequence = (left: OntologyObject, right: OntologyObject): number => left.sequence - right.sequence

/** The objects, each once, in the order they came. */
export const inOrder = (objects: Iterable<OntologyObject>): OntologyObject[] =>
  [...new Set(objects)].toSorted(bySequence)

/** The objects that were there at a moment. */
export const atMoment = (objects: readonly OntologyObject[], moment: number): readonly OntologyObject[] =>
  (objects.at(-1)?.moment ?? 0) <= moment ? objects : objects.filter((object) => object.moment <= moment)
