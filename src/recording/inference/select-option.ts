import type { Selection } from '../../engine/route-options.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { createEnlarge, type Enlarge } from './enlarged-lists.ts'
import type { InferredRoute } from './infer-route.ts'
import type { Paging } from './paging.ts'
import { itemsIn, type StoredModel } from './resource-models.ts'
import type { Resource } from './resources.ts'
import { isOtherRefused, unknownField } from './unknown-fields.ts'
import { type RecordedList, selectionOf } from './selection.ts'

/** What queries choose of what a route stores, as its option `select` says it. */
export function selectOf(
  route: InferredRoute,
  {
    stored,
    resource,
    siblings,
  }: {
    readonly stored: StoredModel | undefined
    readonly resource: Resource | undefined
    readonly siblings: () => readonly InferredRoute[]
  },
  isList: boolean,
): Selection {
  const { paging } = route
  if (!isList) return shownOf(route, stored)
  const isLess = stored?.show !== undefined && resource !== undefined
  const enlarge = isLess ? createEnlarge(siblings(), resource.place) : undefined
  return {
    ...selectionOf(
      listsOf(route, paging, enlarge),
      paging?.parameters.size === undefined && paging?.parameters.at === undefined ? undefined : paging,
    ),
    ...(stored?.show && { show: stored.show }),
    ...hiddenOf(stored),
    ...(resource?.sorted !== undefined && { sorted: resource.sorted }),
    ...(resource?.usual !== undefined && { usual: resource.usual }),
    ...(route.samples.some((sample) => unknownField(sample, route.samples)) && { known: true }),
    ...(route.samples.some((sample) => isOtherRefused(sample, route.samples)) && { strict: true }),
  }
}

// Which parameter names the fields of the one item that a route shows.
function shownOf({ method }: InferredRoute, stored: StoredModel | undefined): Selection {
  if (stored === undefined) return {}
  // What one item does not show is not said by the names of what it shows.
  const hidden = stored.hidden ?? {}
  if (method !== 'GET') return hidden
  const shown = stored.view.samples.flatMap(({ status, query, response }) =>
    status < 300 && isObject(response) ? [{ query, items: [response] }] : [],
  )
  const { fields, always } = selectionOf(shown, undefined) ?? {}
  return {
    ...(fields !== undefined && { fields, ...(always !== undefined && { always }) }),
    ...hidden,
  }
}

// What a list does not show by the names of what it shows.
function hiddenOf(stored: StoredModel | undefined): Pick<Selection, 'hides' | 'reveals'> {
  const { hidden, show } = stored ?? {}
  if (hidden === undefined) return {}
  const hides = hidden.hides.filter((part) => show?.includes(readPointer(part)[0] ?? '') !== false)
  return hides.length === 0 ? {} : { ...hidden, hides }
}

function listsOf(
  { samples, output }: InferredRoute,
  paging: Paging | undefined,
  enlarge: Enlarge = (item) => item,
): readonly RecordedList[] {
  const { path } = paging?.fields.find(({ fact }) => fact === 'total') ?? {}
  return samples
    .filter(({ status }) => status < 300)
    .map(({ query, response, index }) => ({
      query,
      items: itemsIn(response, output).map((item) => enlarge(item, index)),
      ...(path !== undefined && { total: memberAt(response, path) }),
    }))
}
