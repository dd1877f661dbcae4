import type { Checker } from '../../engine/schema/checker.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { kindOf, requiredOf, textOf } from '../../engine/schema/keywords.ts'
import type { Fold } from '../../engine/schema/merge.ts'
import { saidPropertiesOf } from '../../engine/schema/said.ts'
import { isObject, propertiesOf, typesOf, type Schema } from '../../engine/schema/schema.ts'
import { countsList, listsIn } from './counted-lists.ts'
import { linkNamesOf, linksOf, type LinkNames } from './link-list.ts'
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

/** What is called so beside a list is no item. */
const NEXT_PAGE = /^(next|prev|previous)page$/

const NEIGHBOURS: ReadonlySet<keyof PageFacts> = new Set(['next', 'previous', 'first', 'last', 'self'])
const MEMBERS = [
  ...['href', 'url', 'uri', 'startingafter', 'cursor', 'pagetoken', 'token', 'marker', 'after'],
  ...['page', 'number', 'offset', 'skip', 'path'],
]

/**
 * Writes into an answer what is true of its page. What the schema cannot hold stays as it was generated.
 * @param facts without a total where no request wants it
 */
export function writePageFields(
  body: Record<string, unknown>,
  fields: readonly PageField[],
  facts: Omit<PageFacts, 'total'> & { readonly total: number | undefined },
  checker: Checker,
): void {
  const undo: (() => void)[] = []
  for (const field of fields) {
    const { path, schema, required, fact } = field
    if (field.holder !== undefined && isNowhere(facts[fact])) {
      removeHolder(body, path.slice(0, -1), field.holder, checker)
      continue
    }
    const holder = holderOf(field)
    const name = path.at(-1)
    if (!isObject(holder) || name === undefined) continue
    if (field.links !== undefined) {
      const links = linksOf(facts, field.links, schema, checker)
      if (links !== undefined) holder[name] = links
      continue
    }
    const said = isBesideNone(field, fields, facts) ? {} : facts[fact]
    const value = candidates(said, name, field).find((each) => checker.fits(each, schema))
    if (value !== undefined) holder[name] = value
    else if (!required && fact !== 'self' && (said === undefined || isObject(said))) delete holder[name]
  }
  for (const restore of undo) restore()

  // A neighbour that is there has an object, be it one that was left out or null, if what is known of it is enough.
  function holderOf({ path, holder }: PageField): unknown {
    const own = memberAt(body, path.slice(0, -1))
    const above = memberAt(body, path.slice(0, -2))
    const name = path.at(-2)
    if (holder === undefined || isObject(own) || !isObject(above) || name === undefined) return own
    const made = {}
    above[name] = made
    undo.push(() => {
      if (checker.fits(made, holder.schema)) return
      if (own === undefined) delete above[name]
      else above[name] = own
    })
    return made
  }
}

/** The ends of a list, which answers may name beside a neighbour alone. */
const BESIDE: Partial<Record<keyof PageFacts, 'next' | 'previous'>> = { first: 'previous', last: 'next' }

// Where both may be left out, the first page is named by pages that have one before them, and the last likewise.
function isBesideNone(
  { fact, required, path }: PageField,
  fields: readonly PageField[],
  facts: Omit<PageFacts, 'total'>,
): boolean {
  const neighbour = required ? undefined : BESIDE[fact]
  if (neighbour === undefined || !isNowhere(facts[neighbour])) return false
  const at = path.slice(0, -1).join('/')
  return fields.some(
    (each) => each.fact === neighbour && !each.required && each.path.slice(0, -1).join('/') === at,
  )
}

function isNowhere(fact: PageFacts[keyof PageFacts] | undefined): boolean {
  return typeof fact === 'object' && (fact.number ?? fact.token ?? fact.url) === undefined
}

function removeHolder(
  body: Record<string, unknown>,
  path: readonly string[],
  { schema, required }: NonNullable<PageField['holder']>,
  checker: Checker,
): void {
  const above = memberAt(body, path.slice(0, -1))
  const name = path.at(-1)
  if (!isObject(above) || name === undefined) return
  if (checker.fits(null, schema)) above[name] = null
  else if (!required) delete above[name]
}

// A neighbour that is not there is null where that may be, else left out, else an empty text.
function candidates(
  fact: PageFacts[keyof PageFacts] | undefined,
  name: string,
  { schema, required }: PageField,
): readonly unknown[] {
  if (fact === undefined) return []
  if (typeof fact !== 'object') return [fact]
  const { number, token, url } = fact
  const isUrl =
    /^(uri|url|iri)/.test(textOf(schema, 'format') ?? '') || /(url|link|href|path)$/.test(plainName(name))
  // What takes no absolute URL may take one that is relative to the server.
  const ways = url === undefined ? [] : [url, url.replace(/^\w+:\/\/[^/]+/, '')]
  const urls = plainName(name) === 'path' ? ways.toReversed() : ways
  // Where pages have numbers, what is called neither a token nor a URL is the latter.
  const isUrlFirst = isUrl || (number !== undefined && !isTokenName(name))
  const known = [number, ...(isUrlFirst ? [...urls, token] : [token, ...urls])]
  const found = known.filter((value) => value !== undefined)
  return found.length > 0 ? found : [null, ...(required ? [''] : [])]
}
