import { compareTexts } from '../../grouping.ts'
import type { InferredRoute } from './infer-route.ts'
import type { Inference } from './infer-routes.ts'
import { findHiddenParts } from './hidden-parts.ts'
import { laterShown } from './later-shown.ts'
import { findReferences } from './references.ts'
import {
  itemRoute,
  makingEach,
  resourceModel,
  routesOf,
  shownFields,
  type StoredModel,
} from './resource-models.ts'
import { wholeWriteOf } from './resources.ts'
import { asWrites } from './single-items.ts'
import { sentFields } from './written-model.ts'

const storedOf = new WeakMap<Inference['resources'], ReadonlyMap<InferredRoute, StoredModel>>()

// They follow from the inference alone, which is written several times with other answers, and with some other routes.
/** What is stored by the routes that read or write items. */
export function storedModels(inference: Inference): ReadonlyMap<InferredRoute, StoredModel> {
  const known = storedOf.get(inference.resources)
  const routes = new Set(inference.routes)
  if (known !== undefined && [...known.keys()].every((route) => routes.has(route))) return known
  const stored = new Map<InferredRoute, StoredModel>()
  const writes = inference.routes
    .flatMap(({ method, samples }) => (method === 'GET' ? [] : samples))
    .toSorted((a, b) => a.index - b.index)
  for (const resource of inference.resources.toSorted((a, b) => compareTexts(a.path, b.path))) {
    const own = routesOf(resource, inference.routes).map(
      (route) => [route, itemRoute(route, resource)] as const,
    )
    const ofAll = inference.routes.flatMap((route) => {
      const write = wholeWriteOf(resource, route)
      return write === undefined ? [] : [{ route, view: makingEach(route, resource, write.makes) }]
    })
    const makers = own.filter(([{ path, method }]) => path === resource.collection && method === 'POST')
    const each =
      makers.length > 0 ? [] : ofAll.map(({ view }) => view).filter(({ output }) => output !== undefined)
    const views = [...own.map(([, view]) => view), ...each]
    const model = resourceModel(views, resource)
    const sent = sentFields(resource.isOnly === true ? asWrites(views) : views, resource)
    const later = laterShown(views, resource.place, writes)
    const refers = findReferences(views, resource, inference.resources, inference.routes)
    const hiddenIn = findHiddenParts(views, resource.place)
    for (const [route, view] of own) {
      const hidden = hiddenIn.get(view)
      const show = hidden?.reveals === undefined ? shownFields(view, views) : undefined
      stored.set(route, { model, resource, view, sent, later, refers, hidden, ...(show && { show }) })
    }
    for (const { route, view } of ofAll) {
      const show = shownFields(route, views)
      const known = { model, resource, sent, later, refers }
      const [, maker = view] = makers[0] ?? []
      // What is made of one entry is made of an item that is sent by itself, and shows what that has if less is sent.
      const ofOne = maker === view ? view : { ...maker, samples: [...maker.samples, ...view.samples] }
      const makes = { ...known, view: ofOne }
      stored.set(route, { ...known, view: route, makes, ...(show && { show }) })
    }
  }
  storedOf.set(inference.resources, stored)
  return stored
}
