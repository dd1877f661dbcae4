import { isRefused } from './callers.ts'
import { owningItemOf } from './files/owned-files.ts'
import type { SightingsOf } from './parents.ts'
import type { Resource } from './resources.ts'
import type { LearnedFiles } from './files/learn-files.ts'
import { emptyRoute, type InferredRoute } from './infer-route.ts'
import { findRefusals } from './refusals.ts'

/** Routes of files: what they answer is in their `file` options, but for what they refuse to those who send no credentials. */
export function fileRoutesOf(
  { routes }: LearnedFiles,
  resources: readonly Resource[],
  sightingsOf: SightingsOf,
): readonly InferredRoute[] {
  const found = routes.map((learned): InferredRoute => {
    const { method, host, path, when, name, options, samples } = learned
    const item = owningItemOf(learned, resources, sightingsOf)
    const file = item === undefined ? options : { ...options, item }
    return { ...emptyRoute(method, host, path), when, name, samples, file }
  })
  const judged = found.map((route): InferredRoute => ({
    ...route,
    samples: route.samples.filter((sample) => sample.status < 400 || isRefused(sample)),
  }))
  const refusals = findRefusals(judged, [])
  return found.map((route, at) => {
    const { requires, errorAnswers } = refusals.get(judged[at] as InferredRoute) ?? {}
    return requires === undefined ? route : { ...route, refusals: { requires, errorAnswers } }
  })
}
