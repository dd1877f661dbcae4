import { evaluateSet } from '../object-set/evaluate.ts'
import type { ObjectSet, SetContext } from '../object-set/object-set.ts'
import type { Scope } from '../ontology/scope.ts'
import { type Order, orderFromBody, orderFromText } from '../page/order.ts'
import { OBJECT_PAGES } from '../page/page-size.ts'
import { createObjectWriter, selectionFromBody, selectionOf, type Writing } from '../wire/object-writer.ts'
import { type Call, flagOf, listOf } from './call.ts'
import { bodyParameters, openPage, type PageRequest, queryParameters } from './pages.ts'

type Body = Readonly<Record<string, unknown>>

/** How a request wants its objects written. */
export type Style = Pick<Writing, 'prefix' | 'asInterface'>

export const OWN_NAMES: Style = { prefix: '__', asInterface: false }

interface Loading {
  readonly page: PageRequest
  readonly set: (context: SetContext) => ObjectSet
  readonly orders: (scope: Scope) => readonly Order[]
  readonly select: (scope: Scope) => readonly string[] | undefined
  readonly excludeRid: boolean
  readonly style: Style
}

/** A loaded page, and the set it is a page of. */
export interface Loaded {
  readonly set: ObjectSet
  readonly data: readonly Record<string, unknown>[]
  readonly nextPageToken?: string
  readonly totalCount: string
}

const load = (call: Call, { page, set: evaluate, orders, select, excludeRid, style }: Loading): Loaded => {
  const open = openPage(call, page)
  const context = call.context(open.moment)
  const set = evaluate(context)
  const selection = select(set.scope)
  const order = orders(set.scope)
  const { objects, nextPageToken } = open.close(set, order)
  const score = order.map(({ field }) => field).find((field) => field === set.scope.score)
  const write = createObjectWriter(
    set.scope,
    { ...style, select: selection, excludeRid, score },
    context.rids,
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
  set: (context: SetContext) => ObjectSet,
  style: Style = OWN_NAMES,
): Loaded => {
  const { visit } = call
  const { query } = visit
  return load(call, {
    page: {
      token: query.get('pageToken'),
      pageSize: query.get('pageSize'),
      isSnapshot: flagOf(visit, 'snapshot'),
      parameters: queryParameters(visit),
      limits: OBJECT_PAGES,
    },
    set,
    orders: (scope) => orderFromText(query.get('orderBy') ?? undefined, scope),
    // `properties` is the older name.
    select: (scope) => selectionOf([...listOf(visit, 'select'), ...listOf(visit, 'properties')], scope),
    excludeRid: flagOf(visit, 'excludeRid'),
    style,
  })
}

/** A page of a set, by the fields that searching and loading operations take in their body. */
export const loadByBody = (
  call: Call,
  body: Body,
  set: (context: SetContext) => ObjectSet = (context) => evaluateSet(body['objectSet'], context),
  style: Style = OWN_NAMES,
): Loaded =>
  load(call, {
    page: {
      token: body['pageToken'],
      pageSize: body['pageSize'],
      isSnapshot: body['snapshot'] === true,
      parameters: bodyParameters(call.visit, body),
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
