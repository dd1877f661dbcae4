import { createChecker } from './schema/checker.ts'
import { fieldsOf } from './schema/fields.ts'
import { createResolver, type Schema } from './schema/schema.ts'
import { listShapeOf } from './list-shape.ts'
import { itemModelOf, outputKind } from './output.ts'
import type { RouteOptions } from './route-options.ts'

/** What does not go together in the options of a route, naming the option; `undefined` when all does. */
export function findOptionProblem(
  options: RouteOptions<Schema>,
  parameters: readonly string[],
): string | undefined {
  return findNameProblem(options, parameters) ?? findPageProblem(options)
}

// Options that name a field name one that is there.
function findNameProblem(options: RouteOptions<Schema>, parameters: readonly string[]): string | undefined {
  const { input, output, listCount, filterBy, seedFrom } = options
  const inputFields = input === undefined ? parameters : namesOf(input)
  const named = { seedFrom, filterBy, listCount: typeof listCount === 'string' ? listCount : undefined }
  for (const [option, field] of Object.entries(named)) {
    if (field !== undefined && !inputFields.includes(field)) {
      return `${option} names the input field '${field}', which is not there. Fields: ${inputFields.join(', ') || 'none'}`
    }
  }
  if (filterBy === undefined) return undefined
  const outputFields = output === undefined ? [] : namesOf(itemModelOf(output))
  if (outputFields.includes(filterBy)) return undefined
  return `filterBy names the output field '${filterBy}', which is not there. Fields: ${outputFields.join(', ') || 'none'}`
}

function findPageProblem({ output, pageTable }: RouteOptions<Schema>): string | undefined {
  if (outputKind(output) === 'paged' && listShapeOf(output ?? {}, '') === undefined)
    return 'output is Paged(model) of a model that neither is a list nor has one'
  if (pageTable === undefined) return undefined
  const kind = outputKind(output)
  if (output === undefined || (kind !== 'list' && kind !== 'slice')) {
    return 'pageTable requires list(model) or PageSlice(model) as output'
  }
  const checker = createChecker(itemModelOf(output))
  for (const row of pageTable.rows) {
    const [violation] = checker.check(row)
    if (violation !== undefined) {
      return `pageTable has a row that does not fit: ${violation.path.join('.')}: ${violation.message}, in ${JSON.stringify(row).slice(0, 80)}`
    }
  }
  return undefined
}

function namesOf(model: Schema): string[] {
  return [...fieldsOf(model, createResolver(model)).keys()]
}
