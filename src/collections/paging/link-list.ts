import type { Checker } from '../../engine/schema/checker.ts'
import { itemsOf, kindOf } from '../../engine/schema/keywords.ts'
import type { Fold } from '../../engine/schema/merge.ts'
import { propertiesOf, type Schema } from '../../engine/schema/schema.ts'

/** The names by which a list of links has the relation and the URL of each: `links: [{ rel: 'next', href: … }]`. */
export interface LinkNames {
  readonly relation: string
  readonly url: string
  /** The field that says how the link is requested, if there is one. */
  readonly method: string | undefined
}

/** The names in a list of links, by its schema; `undefined` where it is none. */
export function linkNamesOf(list: Schema, fold: Fold): LinkNames | undefined {
  if (kindOf(list) !== 'array') return undefined
  const link = fold(itemsOf(list).rest)
  if (typeof link === 'boolean') return undefined
  const names = propertiesOf(link).map(([name]) => name)
  const named = (pattern: RegExp): string | undefined => names.find((name) => pattern.test(name))
  const [relation, url] = [named(/^rel$/i), named(/^(href|ur[il])$/i)]
  return relation === undefined || url === undefined
    ? undefined
    : { relation, url, method: named(/^(method|type)$/i) }
}

const RELATIONS = ['self', 'first', 'previous', 'next', 'last'] as const

/** The links of a page in the form of a list of them; `undefined` where it can hold none of that form. */
export function linksOf(
  pages: Readonly<Record<(typeof RELATIONS)[number], { readonly url?: string | undefined }>>,
  { relation, url, method }: LinkNames,
  schema: Schema,
  checker: Checker,
): readonly unknown[] | undefined {
  const forms = [
    { previous: 'prev', withMethod: false },
    { previous: 'prev', withMethod: true },
    { previous: 'previous', withMethod: false },
    { previous: 'previous', withMethod: true },
  ]
  return forms
    .map(({ previous, withMethod }) =>
      RELATIONS.flatMap((name) => {
        const target = pages[name].url
        const ofMethod = withMethod && method !== undefined ? { [method]: 'GET' } : {}
        const called = name === 'previous' ? previous : name
        return target === undefined ? [] : [{ [relation]: called, [url]: target, ...ofMethod }]
      }),
    )
    .find((links) => checker.fits(links, schema))
}
