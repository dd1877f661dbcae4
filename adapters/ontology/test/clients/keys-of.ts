/** The keys of a page's objects. */
export const keysOf = (page: { readonly data: readonly unknown[] }): unknown[] =>
  page.data.map((object) => (object as { __primaryKey: unknown }).__primaryKey)
