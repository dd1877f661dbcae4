/** Where answered items have within them what they refer to, or what refers to them: `/posts/1?_embed=comments`. */
export interface EmbedsOption {
  /**
   * The query parameter that names the members, such as `_embed`; `true` or `*` in it names all. `filter.include` is the
   * member `include` of a parameter that is JSON, or `filter[include]`. Without one, they are always there.
   */
  readonly parameter?: string | undefined
  /** Whether all are there where a request does not have the parameter. */
  readonly always?: boolean | undefined
  /** A pointer to the item or the items in answers, such as `/data`. Default: that of `answer`. */
  readonly from?: string | undefined
  readonly members: Readonly<Record<string, EmbeddedMember>>
}

/** What a member has: the items of a collection that name this one, or that it names. */
export interface EmbeddedMember {
  /** The path of the collection, such as `/comments` or `/posts/{id}/comments`. */
  readonly at: string
  /** The field of its items that is the same as `from`, such as `postId`; or the parameter in `at`. */
  readonly by: string
  /** The field of the item that is answered. Default: `id`. */
  readonly from?: string | undefined
  /** The query parameter that names this member, where it is another one than that of `parameter`, such as `_expand`. */
  readonly parameter?: string | undefined
  /** Whether the member is the list of them all. Default: the only one. */
  readonly list?: boolean | undefined
  /** Whether the member is how many there are, whatever requests name: `{ at: '/comments', by: 'postId', count: true }`. */
  readonly count?: boolean | undefined
  /** Whether the member is `null` where there is none. Default: it is left out. */
  readonly orNull?: boolean | undefined
  /** Whether items do not show their references, which have the name of the member, to requests that do not ask for it. */
  readonly hidden?: boolean | undefined
  /** The fields of its items that are shown. Default: all. */
  readonly fields?: readonly string[] | undefined
}
