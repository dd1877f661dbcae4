import { isAbstractType, type GraphQLOutputType } from 'graphql'
import type { Stream } from '../engine/random.ts'
import type { Item } from '../state/store.ts'
import { namedTypeOf, type SchemaModel } from './model.ts'
import type { Entity } from './object-graph.ts'

export type Args = Readonly<Record<string, unknown>>

/** What a request sees of a list. */
export interface Page {
  readonly items: readonly (Entity | Part)[]
  /** How many there are that fit, on all pages. */
  readonly total: number
  /** How many come before the page. */
  readonly offset: number
  /** The most that a page has; `undefined` where there are no pages. */
  readonly size: number | undefined
}

/** An object without an id: it belongs to the place where it stands. */
export class Part {
  readonly typeName: string
  readonly stream: Stream
  /** Values that are not drawn. */
  readonly known: Item
  /** What it is the page of, as connections are. */
  readonly page: Page | undefined

  constructor(typeName: string, stream: Stream, known: Item = {}, page?: Page) {
    this.typeName = typeName
    this.stream = stream
    this.known = known
    this.page = page
  }
}

/** The type of an object that has no id, where several may stand. */
export function partType(model: SchemaModel, type: GraphQLOutputType, stream: Stream): string {
  const named = namedTypeOf({ type })
  if (!isAbstractType(named)) return named.name
  const possible = model.schema.getPossibleTypes(named)
  return (stream.pick(possible) ?? possible[0])?.name ?? named.name
}
