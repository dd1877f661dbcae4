import { stringify } from 'yaml'
import type { SimAPI } from '../api.ts'
import type { OpenApiDocument } from '../openapi/export/document.ts'
import type { Sample } from './sampling/sample-routes.ts'
import { jsonText } from './write-file.ts'

/** The formats a document can be written in. */
export const DOCUMENT_FORMATS = ['json', 'yaml'] as const
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number]

/** A document as a file's text. YAML repeats what comes twice, and reads the same by versions 1.1 and 1.2. */
export function documentText(document: unknown, format: DocumentFormat): string {
  return format === 'json'
    ? jsonText(document)
    : stringify(document, { aliasDuplicateObjects: false, lineWidth: 0, compat: 'yaml-1.1' })
}

/** The OpenAPI document of an app's routes, with the bodies of sampled answers as examples. */
export function describeApi(api: SimAPI, samples: readonly Sample[] = []): OpenApiDocument {
  const examples = new Map<string, unknown>()
  for (const sample of samples) {
    if (sample.kind === 'answered' && sample.body !== undefined) examples.set(sample.route.key, sample.body)
  }
  return api.openapi(examples)
}
