import { checkSchema, createChecker } from '../engine/schema/checker.ts'
import { modelName, type Schema } from '../engine/schema/schema.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { distinct, routeProblem, type Problem } from './problem.ts'

/** What is wrong with a route's input and output models as JSON Schemas. */
export function checkModels(route: RouteDefinition): Problem[] {
  const { input, output } = route.options
  const problems = [
    ...(input === undefined ? [] : problemsOf(input, 'input')),
    ...(output === undefined ? [] : problemsOf(output, 'output')),
  ]
  return distinct(problems.map((message) => routeProblem('model', route.key, message)))
}

function problemsOf(model: Schema, role: string): string[] {
  const name = modelName(model, role)
  // Which meta-schema a model names makes no difference to how it is read.
  const { $schema: _metaSchema, ...own } = model
  const places = new Map<string, string>()
  for (const { path, message } of checkSchema(own)) {
    const place = path.join('.')
    // The first violation of a place tells most; those of the places above it follow from it.
    if (![...places.keys()].some((known) => known.startsWith(place))) {
      places.set(place, `${[name, ...fieldOf(path)].join('.')}: ${path.at(-1) ?? 'the schema'}: ${message}`)
    }
  }
  return places.size > 0 ? [...places.values()] : unusable(model).map((message) => `${name}: ${message}`)
}

// In a schema, the names of fields follow the keyword that holds them.
function fieldOf(path: readonly (string | number)[]): (string | number)[] {
  return path.filter((_part, index) => path[index - 1] === 'properties')
}

// A reference to nothing and a pattern that is no expression are valid by the meta-schema.
function unusable(model: Schema): string[] {
  try {
    createChecker(model).fits(null)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}
