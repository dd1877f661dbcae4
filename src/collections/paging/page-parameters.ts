import type { Input } from '../../engine/input.ts'
import { partOf } from '../../engine/list-shape.ts'
import { fieldsOf } from '../../engine/schema/fields.ts'
import { kindOf, numberOf, schemasOf, textOf } from '../../engine/schema/keywords.ts'
import { foldOf } from '../../engine/schema/merge.ts'
import { createResolver, typesOf, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { bounded, MAX_ITEMS } from '../../engine/list-range.ts'
import type { Parameter } from '../../engine/operation.ts'
import type { PageTokenForm } from '../../engine/route-options.ts'

/** How the requests of an operation say which page they want. */
export interface PageParameters {
  /** By page number, by offset, by a token of an earlier page, by the last item seen; or only how many. */
  readonly style: 'page' | 'offset' | 'cursor' | 'after' | 'limit'
  /** The parameter that says where a page begins. */
  readonly at: string | undefined
  /** The parameter that says how many items a page has. */
  readonly size: string | undefined
  /** Items on a page whose request does not say. */
  readonly usualSize: number
  /** The number of the first page. */
  readonly firstPage: number
  /** What an offset is that leaves nothing out: 1 where items are counted from that, as in SCIM. */
  readonly firstOffset: 0 | 1
  /** The parameter that asks for the total, where answers have none without it. */
  readonly total?: string | undefined
  /** A parameter besides `at` that takes a token of an earlier page in its place. */
  readonly token?: string | undefined
  /** The parameter that takes the id of an item that the page ends before. */
  readonly before?: string | undefined
  /** Whether `at` is not described: the URLs of further pages alone have it. */
  readonly isOwn?: boolean | undefined
  /** What requests may use for pages in its place: an offset in place of a number, or with another size. */
  readonly others?: readonly PageParameters[] | undefined
  /** The object that the parameters are members of: `page` for `page[size]`, and any for those it has by their own names. */
  readonly within?: string | undefined
  /** How tokens are written, and the names that lead to what names an item; absent where they are as usual. */
  readonly tokens?: PageTokenForm | undefined
  readonly idPath?: readonly string[] | undefined
}

/** A list that requests get all of. */
export const WHOLE: PageParameters = {
  style: 'limit',
  at: undefined,
  size: undefined,
  usualSize: MAX_ITEMS,
  firstPage: 1,
  firstOffset: 0,
}

/** Names that mean a number, also where it is described as a text. */
const PLAIN_NUMBER = ['pagenumber', 'pageno', 'pageindex']
const NUMBER = ['page', ...PLAIN_NUMBER, 'currentpage']
const OFFSET = ['offset', 'pageoffset', 'skip', 'start', 'startindex', 'startposition', 'startat', 'from']
const CURSOR = [
  ...['cursor', 'pagecursor', 'pagetoken', 'nexttoken', 'nextpagetoken', 'nextcursor', 'continuationtoken'],
  ...['continuation', 'continue', 'marker', 'after', 'pageafter', 'token', 'next', 'iterator'],
]
const AFTER = ['startingafter', 'afterid', 'sinceid']
const BEFORE = ['endingbefore', 'beforeid', 'before', 'pagebefore']
const SIZE = [
  ...['perpage', 'pagesize', 'limit', 'maxresults', 'pagelen', 'pagelimit', 'maxitems', 'size', 'count'],
  ...['top', 'take', 'first', 'max', 'rows'],
]
/** Names that mean nothing else. */
const PLAIN_SIZE = ['perpage', 'pagesize', 'maxresults', 'pagelimit']
const PLAIN_OFFSET = ['offset', 'pageoffset', 'skip', 'startindex', 'startposition']
const OTHER_SIZE = ['perpage', 'pagesize', 'limit', 'maxresults']
const TOTAL = /^(include|with|return|show)?(total|count)s?(count|results|items|records)?$/
const DEFAULT_SIZE = 10
/** The most items on a page whose request does not say. */
export const MAX_DEFAULT_SIZE = 100

/** What of a parameter says whether it asks for a page. */
export type QueryParameter = Pick<Parameter, 'name' | 'in' | 'model'> &
  Partial<Pick<Parameter, 'style' | 'explode' | 'mediaType'>>

/** The query parameters of an operation that say which page is wanted, and what is said of it. */
export function pageParameterNames(operation: Parameters<typeof pageParametersOf>[0]): ReadonlySet<string> {
  const { others = [], ...paging } = pageParametersOf(operation) ?? WHOLE
  const names = [paging, ...others].flatMap(({ at, size, total, token, within, before }) => {
    return [at, size, total, token, within, before]
  })
  return new Set(names.filter((name) => name !== undefined))
}

/**
 * Reads how an operation pages from the names and types of its query parameters; `undefined` where it does not.
 * @param hasTokens whether answers say what begins the next page: an offset that is a text is that
 */
export function pageParametersOf(
  { parameters }: { readonly parameters: readonly QueryParameter[] },
  hasTokens = false,
): PageParameters | undefined {
  const queries = parameters.filter((parameter) => parameter.in === 'query').flatMap(membersOf)
  const named = (names: readonly string[], type: 'number' | 'text'): Member | undefined =>
    names
      .map((name) => queries.find((each) => memberName(each.name) === name && typeOf(each) === type))
      .find((each) => each !== undefined)
  // What says how many is a number, also where it is described as a text; and so is what counts beside such a one.
  const sizeNames = named(PLAIN_OFFSET, 'text') === undefined ? PLAIN_SIZE : [...PLAIN_SIZE, 'count']
  const size = named(SIZE, 'number') ?? named(['limit', ...sizeNames], 'text')
  const isText = size !== undefined && typeOf(size) === 'text'
  const counted = (names: readonly string[]): Member | undefined =>
    named(names, 'number') ?? (isText ? named(names, 'text') : undefined)
  const styles = [
    ['page', counted(NUMBER) ?? named(PLAIN_NUMBER, 'text')],
    ['offset', counted(isText ? PLAIN_OFFSET : OFFSET)],
    ['after', named(AFTER, 'text')],
    ['cursor', named(hasTokens ? [...CURSOR, ...PLAIN_OFFSET] : CURSOR, 'text')],
    ['limit', size],
  ] as const
  const [style, at] = styles.find(([, parameter]) => parameter !== undefined) ?? []
  if (style === undefined || at === undefined) return undefined
  const token = style === 'page' || style === 'offset' ? named(CURSOR, 'text')?.name : undefined
  const before = style === 'after' || style === 'cursor' ? named(BEFORE, 'text')?.name : undefined
  const within = at.holder ?? /^(\w+)\[/.exec(at.name)?.[1]
  const total = queries.find((each) => isTotalName(each.name) && isFlag(each))?.name
  const parametersFor = (
    ownStyle: PageParameters['style'],
    ownAt: QueryParameter,
    ownSize: QueryParameter | undefined,
  ): PageParameters => ({
    style: ownStyle,
    ...(total !== undefined && { total }),
    ...(token !== undefined && { token }),
    ...(before !== undefined && { before }),
    ...(within !== undefined && parameters.some(({ name }) => name === within) && { within }),
    at: ownStyle === 'limit' ? undefined : ownAt.name,
    size: ownSize?.name,
    usualSize: usualSizeOf(ownSize),
    firstPage: ownStyle === 'page' ? firstPageOf(ownAt) : 1,
    firstOffset: ownStyle === 'offset' && firstNumberOf(ownAt) === 1 ? 1 : 0,
  })
  const isHeld = HOLDER.test(at.name)
  const offset = style === 'page' ? named(isHeld ? OFFSET : PLAIN_OFFSET, 'number') : undefined
  const otherSizes = OTHER_SIZE.flatMap((name) => named([name], 'number') ?? []).filter(
    (each) => each.name !== size?.name,
  )
  const sizes = [size, ...(size === undefined ? [] : otherSizes)]
  const all = [
    ...sizes.map((each) => parametersFor(style, at, each)),
    ...(offset === undefined ? [] : sizes.map((each) => parametersFor('offset', offset, each))),
  ]
  const [first, ...others] = all
  return first && { ...first, ...(others.length > 0 && { others }) }
}

/** A name without the marks between its words, in lower case. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

// What holds the parameters of pages may be said before them: `pagination[page]`.
const HOLDER = /^(?:pagination|paging)\[(\w+)\]$/i

/** The plain name of a parameter that may be a member of what holds those of pages. */
export function memberName(name: string): string {
  return plainName(name.replace(HOLDER, '$1'))
}

/** A parameter, or a member of one that is an object. */
interface Member extends QueryParameter {
  /** The parameter that it is a member of, where it is written by its own name. */
  readonly holder?: string
}

// JSON:API has pages as `page[size]`, which some describe as members of an object. Those of others are written by their
// own names, as those of a `pageable` are.
function membersOf(parameter: QueryParameter): readonly Member[] {
  const { name, model, style, explode, mediaType } = parameter
  const isPage = plainName(name) === 'page'
  const isExploded = style === 'form' && explode === true && mediaType === undefined
  if (typeof model === 'boolean' || kindOf(modelOf(parameter)) !== 'object' || !(isPage || isExploded))
    return [parameter]
  return [...fieldsOf(model, createResolver(model))].map(([member, part]) => ({
    ...parameter,
    ...(isPage ? {} : { holder: name }),
    name: isPage ? `${name}[${member}]` : member,
    model: partOf(model, part),
  }))
}

// Of what may be a number or an object, as `page=2` and `page[number]=2`, the number counts.
function modelOf({ model }: QueryParameter): Schema {
  if (typeof model === 'boolean') return {}
  const fold = foldOf(model)
  const folded = fold(model)
  if (typeof folded === 'boolean') return {}
  const members = schemasOf(folded, 'oneOf') ?? schemasOf(folded, 'anyOf') ?? []
  return members.map(fold).find(isNumber) ?? folded
}

function isNumber(schema: SchemaOrBoolean): schema is Schema {
  return typeof schema === 'object' && ['integer', 'number'].includes(typesOf(schema)[0] ?? '')
}

function typeOf(parameter: QueryParameter): 'number' | 'text' | undefined {
  const model = modelOf(parameter)
  const types = typesOf(model)
  if (types.includes('integer') || types.includes('number') || showsNumber(model)) return 'number'
  return types.includes('string') && textOf(model, 'format')?.startsWith('date') !== true ? 'text' : undefined
}

// Some descriptions say by an example alone that the text of a parameter is a number.
function showsNumber(model: Schema): boolean {
  const examples = Array.isArray(model['examples']) ? (model['examples'] as unknown[]) : []
  return [model['default'], ...examples].some(isFigures)
}

/** Whether a parameter is called as one that wants the total. */
export function isTotalName(name: string): boolean {
  return TOTAL.test(plainName(name))
}

function isFlag(parameter: QueryParameter): boolean {
  const model = modelOf(parameter)
  return typesOf(model).includes('boolean') && model['default'] !== true
}

function usualSizeOf(size: QueryParameter | undefined): number {
  if (size === undefined) return DEFAULT_SIZE
  const model = modelOf(size)
  const declared = defaultOf(model)
  const [least, most] = [numberOf(model, 'minimum') ?? 1, numberOf(model, 'maximum') ?? Infinity]
  return Math.min(MAX_DEFAULT_SIZE, declared ?? Math.min(most, Math.max(least, DEFAULT_SIZE)))
}

function firstPageOf(page: QueryParameter): number {
  return firstNumberOf(page) === 0 ? 0 : 1
}

function firstNumberOf(parameter: QueryParameter): number | undefined {
  const model = modelOf(parameter)
  return defaultOf(model) ?? numberOf(model, 'minimum')
}

function defaultOf(model: Schema): number | undefined {
  const declared = model['default']
  return isFigures(declared) ? Number(declared) : numberOf(model, 'default')
}

function isFigures(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,9}$/.test(value)
}

/** A whole number that an input field holds, within bounds; `usual` where it holds none. */
export function numberIn(input: Input, field: string | undefined, usual: number, most: number): number {
  return bounded(field === undefined ? undefined : input[field], usual, most)
}
