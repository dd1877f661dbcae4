/** What a request is about, where its path does not say it, and what the request does to that. */
export interface EntityOption {
  /**
   * Names it by values of the request: `table/{body/TableName}/{body/Key/id/S}`, the parent before its children. Values
   * are at `path/2`, `query/name` or `body/user/name`, and `answer/id` is of the answer to what makes it. Of several
   * names, the first whose values are all there.
   */
  readonly name?: string | readonly string[] | undefined
  readonly does: EntityDeed
  /** The path of the routes whose changes may change the answers. Default: this route's, up to its first parameter. */
  readonly scope?: string | undefined
}

/** What a request does to what it is about. */
export type EntityDeed = 'read' | 'write' | 'delete'

/** All that it may do. */
export const ENTITY_DEEDS: readonly EntityDeed[] = ['read', 'write', 'delete']
