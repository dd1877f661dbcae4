import type { Headers } from '../call.ts'
import type { Stream } from '../random.ts'

/** What the values of one answer have in common. */
export interface Scope {
  /** The route's key, for messages. */
  readonly route: string
  readonly input: Readonly<Record<string, unknown>>
  readonly headers: Headers
  /** Values that the outermost object's fields take where no link gives another; that object takes them from here. */
  given?: Readonly<Record<string, unknown>> | undefined
  /** How deep in references the value being generated lies; deep values are kept small, so that all end. */
  depth: number
}

/** Makes one value of a schema. The same arguments give the same value. `siblings` are the fields made before it. */
export type Generate = (stream: Stream, scope: Scope, siblings?: Readonly<Record<string, unknown>>) => unknown
