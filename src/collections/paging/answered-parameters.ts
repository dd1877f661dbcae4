import { numberOf } from '../../engine/schema/keywords.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { typesOf, type Schema } from '../../engine/schema/schema.ts'
import { isTokenName, type PageField } from './page-fields.ts'
import { MAX_DEFAULT_SIZE, plainName, type PageParameters } from './page-parameters.ts'

/** What the answers of an operation have of pages. */
export interface PagedAnswers {
  readonly list: Schema
  /** The parts beside the list that speak of pages. */
  readonly fields: readonly PageField[]
  /** Whether a `Link` header names further pages. */
  readonly hasLink: boolean
  /** Whether another header has what begins the next page. */
  readonly saysNext?: boolean
}

/** The page parameters of an operation as its answers bear them out; `undefined` where none of them is left. */
export function answeredParameters(
  parameters: PageParameters,
  { list, fields, hasLink, saysNext = false }: PagedAnswers,
): PageParameters | undefined {
  const saysWhere = hasLink || saysNext || fields.some(({ fact }) => fact === 'next')
  const hasPageFields = saysWhere || fields.some(({ fact }) => NAMED_ENDS.has(fact))
  const own = sized(parameters, list)
  const paging = !hasPageFields ? withoutToken(own) : saysWhere ? withTokenOf(own, fields) : byItem(own)
  return paging && withOwn(paging, hasLink || fields.some(mayBeUrl))
}

/**
 * The parameters of an operation that describes none for pages, where its answers repeat which page they are and how
 * long pages are: requests ask for others by the same names.
 * @param example an answer, which says how long a page is
 */
export function repeatedParameters(
  fields: readonly PageField[],
  example: unknown,
): PageParameters | undefined {
  const fieldFor = (fact: PageField['fact']): PageField | undefined =>
    fields.find((field) => field.fact === fact && NUMBERS.has(typesOf(field.schema)[0] ?? ''))
  const size = fieldFor('size')
  const page = fieldFor('page')
  const at = page ?? fieldFor('offset')
  if (size === undefined || at === undefined) return undefined
  const token = fields
    .find(({ path, fact }) => fact === 'next' && isTokenName(path.at(-1) ?? ''))
    ?.path.at(-1)
  const shown = memberAt(example, size.path)
  return {
    style: page === undefined ? 'offset' : 'page',
    at: at.path.at(-1),
    size: size.path.at(-1),
    usualSize: typeof shown === 'number' && shown > 0 ? shown : MAX_DEFAULT_SIZE,
    firstPage: 1,
    firstOffset: 0,
    ...(token !== undefined && { token }),
    isOwn: true,
  }
}

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'number'])

// Where requests cannot say how long a page is, it is as long as it may be.
function sized(paging: PageParameters, list: Schema): PageParameters {
  const most = numberOf(list, 'maxItems')
  if (paging.size !== undefined || most === undefined) return paging
  return { ...paging, usualSize: Math.min(MAX_DEFAULT_SIZE, Math.max(1, most)) }
}

// A token in the request means a page only where answers give tokens out.
function withoutToken(paging: PageParameters): PageParameters | undefined {
  if (paging.style !== 'cursor' && paging.style !== 'after') return paging
  return paging.size === undefined ? undefined : { ...paging, style: 'limit', at: undefined }
}

/** What answers say of a page that may have others beside it. */
const NAMED_ENDS: ReadonlySet<PageField['fact']> = new Set(['hasNext', 'total', 'lastItem'])

// Where no answer gives a token out, requests have nothing but the items they saw.
function byItem(paging: PageParameters): PageParameters {
  return withTokenOf(paging.style === 'cursor' ? { ...paging, style: 'after' } : paging, [])
}

// Tokens beside numbers are of use only where answers give some out.
function withTokenOf(paging: PageParameters, fields: readonly PageField[]): PageParameters {
  const { token: _token, ...others } = paging
  const isGiven = fields.some(({ path, fact }) => fact === 'next' && isTokenName(path.at(-1) ?? ''))
  return isGiven ? paging : others
}

// Where requests can say only how long a page is, the URL of the next one says where it begins in a way of its own.
function withOwn(paging: PageParameters, isLinked: boolean): PageParameters {
  if (paging.style !== 'limit' || paging.size === undefined || !isLinked) return paging
  const [, holder] = /^(.*)\[[^[\]]*\]$/.exec(paging.size) ?? []
  return {
    ...paging,
    style: 'cursor',
    at: holder === undefined ? 'cursor' : `${holder}[cursor]`,
    isOwn: true,
  }
}

// Whether what says where the next page is can be its URL.
function mayBeUrl({ path, schema, fact }: PageField): boolean {
  const name = path.at(-1) ?? ''
  const isText = typesOf(schema).length === 0 || typesOf(schema).includes('string')
  return fact === 'next' && isText && /^(next(page)?(url|uri|link)?|href|url|uri)$/.test(plainName(name))
}
