import { isObject } from '../../../src/engine/schema/schema.ts'
import type { MediaType } from '../../../src/engine/operation.ts'
import type { RouteDefinition } from '../../../src/engine/route.ts'
import type { ImportedDescription } from '../../../src/openapi/import/import-description.ts'

/** All that routes of a description mean, as plain data in which names of models do not matter. */
export function meaningOf({ routes }: ImportedDescription): unknown[] {
  return routes.map(routeMeaning)
}

function routeMeaning({ method, path, parameters, options, operation }: RouteDefinition): unknown {
  const { output, ...others } = options
  return {
    method,
    path,
    parameters,
    options: { ...others, output: modelMeaning(output) },
    basePath: operation?.basePath,
    stateful: operation?.stateful,
    security: operation?.security,
    operationParameters: operation?.parameters.map((each) => ({ ...each, model: modelMeaning(each.model) })),
    body: operation?.body && { ...operation.body, content: contentMeaning(operation.body.content) },
    responses: operation?.responses.map(({ status, content, headers }) => ({
      status,
      content: contentMeaning(content),
      headers: headers.map((each) => ({ ...each, model: modelMeaning(each.model) })),
    })),
  }
}

function contentMeaning(content: ReadonlyMap<string, MediaType>): unknown {
  return [...content].map(([type, media]) => [type, { ...media, model: modelMeaning(media.model) }])
}

/** A model with numbers for names, given in the order in which they are met. */
export function modelMeaning(model: unknown): unknown {
  if (!isObject(model)) return model
  const { $defs = {}, title: _title, ...root } = model
  const numbers = new Map<string, number>()
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isObject(value)) return value
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(
      entries.map(([key, each]) => [
        key,
        key === '$ref' && typeof each === 'string' ? named(each) : walk(each),
      ]),
    )
  }
  const named = (reference: string): unknown => {
    const name = reference.replace('#/$defs/', '')
    const known = numbers.get(name)
    if (known !== undefined) return known
    numbers.set(name, numbers.size)
    return [numbers.size - 1, walk(($defs as Record<string, unknown>)[name])]
  }
  return walk(root)
}
