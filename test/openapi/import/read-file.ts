import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  importDescription,
  type ImportedDescription,
} from '../../../src/openapi/import/import-description.ts'
import { textFile } from '../../../src/data-files/text-file.ts'
import { problemLine } from '../../../src/openapi/import/problem.ts'
import type { RouteDefinition } from '../../../src/engine/route.ts'

/** Where the committed descriptions are. */
export const DESCRIPTIONS = join(import.meta.dirname, 'descriptions')

/** Reads one of the committed descriptions. */
export function importFile(name: string): ImportedDescription {
  const file = join(DESCRIPTIONS, name)
  return importDescription(textFile(file, readFileSync(file, 'utf8')))
}

/** Reads a description that is given as data, or as a text. */
export function importData(data: unknown): ImportedDescription {
  return importDescription(textFile('/tmp/api.yaml', typeof data === 'string' ? data : JSON.stringify(data)))
}

/** A description with paths and components. */
export function documentWith(paths: object, components: object = {}, version = '3.0.3'): object {
  return { openapi: version, info: { title: 'T', version: '1' }, paths, components }
}

/** A description whose only operation answers with a schema. */
export function answering(schema: unknown, schemas: object = {}, version?: string): object {
  const content = { 'application/json': { schema } }
  return documentWith(
    { '/a': { get: { responses: { 200: { description: 'A', content } } } } },
    { schemas },
    version,
  )
}

/** A description whose only operation takes a schema. */
export function taking(schema: unknown, schemas: object = {}, version?: string): object {
  const requestBody = { content: { 'application/json': { schema } } }
  return documentWith(
    { '/a': { post: { requestBody, responses: { 200: { description: 'A' } } } } },
    { schemas },
    version,
  )
}

/** The route of a method and path. */
export function routeOf(
  { routes }: ImportedDescription,
  key: string,
): RouteDefinition & { readonly operation: NonNullable<RouteDefinition['operation']> } {
  const route = routes.find((each) => each.key === key)
  if (route?.operation === undefined)
    throw new Error(`no ${key} among ${routes.map((each) => each.key).join(', ')}`)
  return { ...route, operation: route.operation }
}

/** The problems, as they are printed, with the files as seen from the descriptions' directory. */
export function problemsOf({ problems }: ImportedDescription): string[] {
  return problems.map((problem) => problemLine(problem, DESCRIPTIONS))
}
