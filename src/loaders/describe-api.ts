import type { SimAPI } from '../api.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import type { Sample } from './sampling/sample-routes.ts'

/** The OpenAPI document of an app's routes, with the bodies of sampled answers as examples. */
export function describeApi(api: SimAPI, samples: readonly Sample[] = []): OpenApiDocument {
  const examples = new Map<string, unknown>()
  for (const sample of samples) {
    if (sample.kind === 'answered' && sample.body !== undefined) examples.set(sample.route.key, sample.body)
  }
  return api.openapi(examples)
}
