import { isAbstractType, type GraphQLOutputType } from 'graphql'
import type { Stream } from '../engine/random.ts'
import type { Item } from '../state/store.ts'
import type { Page } from './list-arguments.ts'
import { namedTypeOf, type SchemaModel } from './model.ts'

export type Args = Readonly<Record<string, unknown>>

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
