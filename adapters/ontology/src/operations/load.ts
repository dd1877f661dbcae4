import { evaluateSet } from '../object-set/evaluate.ts'
import type { ObjectSet, SetContext } from '../object-set/object-set.ts'
import type { Scope } from '../ontology/scope.ts'
import { createObjectWriter, selectionFromBody, selectionOf, type Writing } from '../wire/object-writer.ts'
import { type Call, flagOf, listOf } from './define.ts'
import { type Order, orderFromBody, orderFromText } from './order.ts'
import { bodyParameters, OBJECT_PAGES, openPage, type PageRequest, queryParameters } from './pages.ts'

type Body = Readonly<Record<string, unknown>>

/** How a request wants its objects written. */
type Style = Pick<Writing, 'prefix' | 'asInterface'>

const OWN_NAMES: Style = { prefix: '__', asInterface: false }

interface Loading {
  readonly page: PageRequest
  readonly set: (setContext: SetContext) => ObjectSet
  readonly orders: (scope: Scope) => readonly Order[]
  readonly select: (scope: Scope) => readonly string[] | undefined
  readonly excludeRid: boolean
  readonly style: Style
}

/** A loaded page, and the set it is a page of. */
interface Loaded {
  readonly set: ObjectSet
  readonly data: readonly Record<string, unknown>[]
  readonly nextPageToken?: string
  readonly totalCount: string
}

const load = (call: Call, { page, set: evaluate, orders, select, excludeRid, style }: Loading): Loaded => {
  const open = openPage(call, page)
  const setContext = call.setContext(open.moment)
  const set = evaluate(setContext)
  const selection = select(set.scope)
  const order = orders(set.scope)
  const { objects, nextPageToken } = open.close(set, order)
  const score = order.map(({ field }) => field).find((field) => field === set.scope.score)
  const write = createObjectWriter(
    set.scope,
    { ...style, select: selection, excludeRid, score },
    setContext.rids,
  )
  return {
    set,
    data: objects.map(write),
    ...(nextPageToken !== undefined && { nextPageToken }),
    totalCount: String(set.objects.length),
  }
}

/** A page of a set, by the parameters that listing operations take in their query. */
export const loadByQuery = (
  call: Call,
  set: (setContext: SetContext) => ObjectSet,
  style: Style = OWN_NAMES,
): Loaded => {
  const { context } = call
  const { query } = context
  return load(call, {
    page: {
      token: query.get('pageToken'),
      pageSize: query.get('pageSize'),
      isSnapshot: flagOf(context, 'snapshot'),
      parameters: queryParameters(context),
      limits: OBJECT_PAGES,
    },
    set,
    orders: (scope) => orderFromText(query.get('orderBy') ?? undefined, scope),
    // `properties` is the older name.
    select: (scope) => selectionOf([...listOf(context, 'select'), ...listOf(context, 'properties')], scope),
    excludeRid: flagOf(context, 'excludeRid'),
    style,
  })
}

/** A page of a set, by the fields that searching and loading operations take in their body. */
export const loadByBody = (
  call: Call,
  body: Body,
  set: (setContext: SetContext) => ObjectSet = (setContext) => evaluateSet(body['objectSet'], setContext),
  style: Style = OWN_NAMES,
): Loaded =>
  load(call, {
    page: {
      token: body['pageToken'],
      pageSize: body['pageSize'],
      isSnapshot: body['snapshot'] === true,
      parameters: bodyParameters(call.context, body),
      limits: OBJECT_PAGES,
    },
    set,
    orders: (scope) => orderFromBody(body['orderBy'], scope),
    select: (scope) => selectionFromBody(body, scope),
    excludeRid: body['excludeRid'] === true,
    style,
  })

/** What every listing of objects answers. */
export const withCount = ({ data, nextPageToken, totalCount }: Loaded): Record<string, unknown> => ({
  data,
  ...(nextPageToken !== undefined && { nextPageToken }),
  totalCount,
})
