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

const RELATIONS = [
  ['self', 'self'],
  ['first', 'first'],
  ['previous', 'prev', 'previous'],
  ['next', 'next'],
  ['last', 'last'],
] as const

/** The links of a page, as far as a list of that form can hold them; `undefined` where it can hold none. */
export function linksOf(
  pages: Readonly<Record<(typeof RELATIONS)[number][0], { readonly url?: string | undefined }>>,
  { relation, url, method }: LinkNames,
  schema: Schema,
  checker: Checker,
): readonly unknown[] | undefined {
  const links = RELATIONS.flatMap(([page, ...names]): Readonly<Record<string, string>>[] => {
    const target = pages[page].url
    if (target === undefined) return []
    const plain = names.map((name): Readonly<Record<string, string>> => ({ [relation]: name, [url]: target }))
    const forms = [
      ...plain,
      ...(method === undefined ? [] : plain.map((link) => ({ ...link, [method]: 'GET' }))),
    ]
    return forms.filter((link) => checker.fits([link], schema)).slice(0, 1)
  })
  return links.length > 0 && checker.fits(links, schema) ? links : undefined
}
