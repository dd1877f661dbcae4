/** The GraphQL schema that a route answers by. What is made of it is known by this object. */
export interface GraphqlSource {
  /** In the schema definition language. */
  readonly text: string
  /** For messages. */
  readonly file: string
  /** How many objects of each type there are before anything is written. */
  readonly listCount: number
  /** Whether only objects of lists are known by their ids. */
  readonly isClosed: boolean
  /** A query that shows whether it answers. */
  readonly sample: string
}
