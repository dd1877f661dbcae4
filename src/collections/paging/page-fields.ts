import { kindOf, requiredOf } from '../../engine/schema/keywords.ts'
import type { Fold } from '../../engine/schema/merge.ts'
import { saidPropertiesOf } from '../../engine/schema/said.ts'
import { propertiesOf, typesOf, type Schema } from '../../engine/schema/schema.ts'
import { countsList, listsIn } from './counted-lists.ts'
import { linkNamesOf, type LinkNames } from './link-list.ts'
import { plainName } from './page-parameters.ts'

/** What is true of one page, in each form in which an answer may say it. */
export interface PageFacts {
  readonly total: number
  readonly totalPages: number
  /** How many items the page has. */
  readonly shown: number
  readonly page: number
  readonly size: number
  readonly offset: number
  readonly hasNext: boolean
  readonly hasPrevious: boolean
  readonly isFirst: boolean
  readonly isLast: boolean
  /** The neighbours by number, by token and by URL; absent where there is none. */
  readonly next: Neighbour
  readonly previous: Neighbour
  readonly first: Neighbour
  readonly last: Neighbour
  /** The page itself, by its URL. */
  readonly self: Neighbour
  /** The ids of the page's own ends; absent where it is empty. */
  readonly firstItem: Neighbour
  readonly lastItem: Neighbour
}

/** How a request would ask for another page. */
export interface Neighbour {
  readonly number?: number | undefined
  readonly token?: string | undefined
  readonly url?: string | undefined
}

/** The parts of an answer, beside its list, that speak of pages, by what they say. */
export interface PageField {
  readonly path: readonly string[]
  readonly schema: Schema
  readonly required: boolean
  readonly fact: keyof PageFacts
  /** The object of a neighbour whose URL, token or number it is, such as that of `next: { href }`. */
  readonly holder?: { readonly schema: Schema; readonly required: boolean } | undefined
  /** The names in a list of links, if it is one: it has the page and its neighbours. */
  readonly links?: LinkNames | undefined
}

const NAMES: Readonly<Record<keyof PageFacts, readonly string[]>> = {
  total: [
    ...['total', 'totalcount', 'count', 'totalitems', 'totalresults', 'totalrecords', 'totalelements'],
    ...['totalsize', 'totalrows', 'totalentries', 'totalhits', 'recordstotal', 'itemstotal', 'resultcount'],
  ],
  totalPages: ['totalpages', 'pages', 'pagecount', 'pagestotal', 'numpages', 'lastpage'],
  shown: ['currentpageitems', 'numberofelements', 'itemsonpage', 'itemsinpage', 'pageitems'],
  page: ['page', 'currentpage', 'pagenumber', 'pageno', 'pageindex'],
  size: [
    'perpage',
    'pagesize',
    'limit',
    'size',
    'pagelen',
    'pagelimit',
    'itemsperpage',
    'resultsperpage',
    'maxresults',
  ],
  offset: ['offset', 'skip', 'start', 'startindex', 'startat'],
  hasNext: ['hasmore', 'hasnext', 'hasnextpage', 'more'],
  hasPrevious: ['hasprevious', 'hasprev', 'haspreviouspage', 'hasprevpage'],
  isFirst: ['isfirst', 'isfirstpage'],
  isLast: ['done', 'islast', 'islastpage'],
  next: [
    ...['next', 'nextpage', 'nexturl', 'nextlink', 'nextpageurl', 'nextpagelink', 'nextpagetoken'],
    ...['nextcursor', 'nexttoken', 'nextpagecursor', 'endcursor', 'continuationtoken', 'nextoffset'],
    ...['nextmarker', 'after', 'continue', 'iterator', 'nextiterator'],
  ],
  previous: [
    ...['previous', 'prev', 'previouspage', 'prevpage', 'previousurl', 'prevurl', 'previouslink', 'prevlink'],
    ...['previouspageurl', 'prevpageurl', 'previouspagetoken', 'prevcursor', 'previouscursor'],
    ...['previterator', 'previousiterator', 'prevmarker', 'previousmarker', 'prevtoken', 'previoustoken'],
  ],
  first: ['first', 'firstpage', 'firstpageurl', 'firsturl', 'firstlink'],
  last: ['last', 'lastpageurl', 'lasturl', 'lastlink'],
  self: ['self', 'selfurl', 'selflink'],
  firstItem: ['firstid', 'firstitemid'],
  lastItem: ['lastid', 'lastitemid'],
}
/** What `first` and `last` say that are not links. */
const FLAGS: ReadonlyMap<keyof PageFacts | undefined, keyof PageFacts> = new Map([
  ['first', 'isFirst'],
  ['last', 'isLast'],
])
const CONTAINERS = new Set([
  ...['paging', 'pagination', 'meta', 'metadata', 'page', 'pageinfo', 'cursor', 'cursors', 'links'],
  ...['responsemetadata', 'pagingmetadata', 'paginationmetadata', 'pages'],
])
const LINKS = new Set(['links', 'link'])
/** So many of them lie within each other, as in `meta.pagination.total`. */
const MAX_CONTAINERS = 2

/** Whether what is called so is a token of a page, and neither its number nor its URL. */
export function isTokenName(name: string): boolean {
  return /(token|cursor|marker|iterator|continue|after)$/.test(plainName(name))
}

/** What a name of a field or header says of a page: `total_count` and `@odata.count` its total, `X-Per-Page` its size. */
export function factNamed(name: string): keyof PageFacts | undefined {
  const plain = plainName(name.replace(/^@?odata\./, '')).replace(/uri$/, 'url')
  const [fact] = Object.entries(NAMES).find(([, names]) => names.includes(plain)) ?? []
  return fact as keyof PageFacts | undefined
}

/**
 * Finds the parts of an envelope that speak of pages: in it or beside the list, or one or two objects deeper.
 * @param within the names of the objects that the list lies in
 * @param token the parameter that takes a token, which answers may give by the same name
 */
export function pageFieldsOf(
  envelope: Schema,
  fold: Fold,
  within: readonly string[] = [],
  token?: string,
): readonly PageField[] {
  const own = fieldsIn(envelope, [], fold, token)
  const [name, ...deeper] = within
  const schema = fold(propertiesOf(envelope).find(([each]) => each === name)?.[1] ?? true)
  if (name === undefined || typeof schema !== 'object') return own
  const beside = pageFieldsOf(schema, fold, deeper, token)
  return [...own, ...beside.map((field) => ({ ...field, path: [name, ...field.path] }))]
}

function fieldsIn(
  envelope: Schema,
  above: readonly string[],
  fold: Fold,
  token?: string,
): readonly PageField[] {
  const required = new Set(requiredOf(envelope))
  // Beside the token of the next page it is that of the page itself.
  const hasNext = saidPropertiesOf(envelope).some(([name]) => factNamed(name) === 'next')
  const isToken = (name: string): boolean =>
    token !== undefined && !hasNext && plainName(name) === plainName(token)
  const lists = listsIn(envelope, fold)
  const found = saidPropertiesOf(envelope).flatMap(([name, part]): readonly PageField[] => {
    const schema = fold(part)
    if (typeof schema === 'boolean') return []
    const path = [...above, name]
    const types = typesOf(schema)
    if (types.includes('object') || (types.length === 0 && kindOf(schema) === 'object')) {
      const holder = { schema, required: required.has(name) }
      const mayBe = above.length > 0 || NEXT_PAGE.test(plainName(name))
      const neighbour = mayBe ? neighbourIn(name, path, holder, fold) : []
      const isContainer = CONTAINERS.has(plainName(name)) || isAboutPage(schema)
      const isLeft = neighbour.length > 0 || !isContainer || above.length >= MAX_CONTAINERS
      return isLeft ? neighbour : fieldsIn(schema, path, fold, token)
    }
    const links = LINKS.has(plainName(name)) ? linkNamesOf(schema, fold) : undefined
    if (links !== undefined) return [{ path, schema, required: required.has(name), fact: 'self', links }]
    const said = countsList(name, schema, lists) ? 'total' : isToken(name) ? 'next' : undefined
    const named = factNamed(name) ?? said
    const fact = (types.includes('boolean') && FLAGS.get(named)) || named
    return fact === undefined ? [] : [{ path, schema, required: required.has(name), fact }]
  })
  // A count beside a total is that of the page: `{ total_count: 40, count: 10 }`.
  const isTotal = ({ path, fact }: PageField): boolean =>
    fact === 'total' && path.length === above.length + 1 && !isCount(path)
  if (!found.some(isTotal)) return found
  return found.map((field) =>
    field.fact === 'total' && isCount(field.path) ? { ...field, fact: 'shown' } : field,
  )
}

function isCount(path: readonly string[]): boolean {
  return ['count', 'resultcount'].includes(plainName(path.at(-1) ?? ''))
}

// Whatever an object is called, it is about a page where most of it is, and says which one that is.
function isAboutPage(schema: Schema): boolean {
  const names = saidPropertiesOf(schema).map(([name]) => name)
  const facts = new Set(names.flatMap((name) => factNamed(name) ?? []))
  return (facts.has('offset') || facts.has('page')) && facts.size > 1 && facts.size * 2 > names.length
}

// HAL has neighbours as `next: { href }`; others give the parameters of the next request: `next: { starting_after }`.
function neighbourIn(
  name: string,
  path: readonly string[],
  holder: NonNullable<PageField['holder']>,
  fold: Fold,
): readonly PageField[] {
  const fact = factNamed(name)
  if (fact === undefined || !NEIGHBOURS.has(fact)) return []
  const members = propertiesOf(holder.schema)
  return MEMBERS.flatMap((each): readonly PageField[] => {
    const [member, part] = members.find(([own]) => plainName(own) === each) ?? []
    const schema = part === undefined ? true : fold(part)
    if (member === undefined || typeof schema === 'boolean') return []
    const required = requiredOf(holder.schema).includes(member)
    return [{ path: [...path, member], schema, required, fact, holder }]
  })
}

/** What is called so beside a list is not an item. */
const NEXT_PAGE = /^(next|prev|previous)page$/

const NEIGHBOURS: ReadonlySet<keyof PageFacts> = new Set(['next', 'previous', 'first', 'last', 'self'])
const MEMBERS = [
  ...['href', 'url', 'uri', 'startingafter', 'cursor', 'pagetoken', 'token', 'marker', 'after'],
  ...['page', 'number', 'offset', 'skip', 'path'],
]
