import type { ErrorCase } from './error-case.ts'
import { PageTable } from './fixtures/page-table.ts'
import { HOST_FORM, isHostPattern } from '../routing/host.ts'
import { createChecker } from './schema/checker.ts'
import { fieldsOf } from './schema/fields.ts'
import { createResolver, isObject, typesOf, type Schema } from './schema/schema.ts'
import { listShapeOf } from './list-shape.ts'
import { itemModelOf, outputKind } from './output.ts'
import type { RouteOptions } from './route-options.ts'

/** What is wrong with a route's options, naming the option; `undefined` when nothing is. */
export function findOptionProblem(options: RouteOptions, parameters: readonly string[]): string | undefined {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(ROUTE_CHECKS, name))
  if (unknown !== undefined)
    return `there is no option '${unknown}'. Options: ${Object.keys(ROUTE_CHECKS).join(', ')}`
  for (const [name, value] of Object.entries(options)) {
    const wanted = value === undefined ? undefined : ROUTE_CHECKS[name as keyof RouteOptions](value)
    if (wanted !== undefined) return `${name} must be ${wanted}, not ${describe(value)}`
  }
  return (
    findNameProblem(options as RouteOptions<Schema>, parameters) ??
    findPageProblem(options as RouteOptions<Schema>)
  )
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
      return `pageTable has a row that does not fit: ${violation.path.join('.')}: ${violation.message}, in ${describe(row)}`
    }
  }
  return undefined
}

function namesOf(model: Schema): string[] {
  return [...fieldsOf(model, createResolver(model)).keys()]
}

function describe(value: unknown): string {
  return typeof value === 'function' ? 'a function' : (JSON.stringify(value)?.slice(0, 80) ?? String(value))
}

/** Says what a value must be, or nothing when it is that. */
type Check = (value: unknown) => string | undefined

const model: Check = (value) => (isObject(value) ? undefined : 'a JSON Schema object')
const text: Check = (value) => (typeof value === 'string' ? undefined : 'a text')
const nameOfField: Check = (value) => (typeof value === 'string' ? undefined : 'the name of a field')
const atLeast =
  (least: number, what: string): Check =>
  (value) =>
    typeof value === 'number' && Number.isFinite(value) && value >= least ? undefined : what
const listOf =
  (fits: (item: unknown) => boolean, what: string): Check =>
  (value) =>
    Array.isArray(value) && value.every(fits) ? undefined : what

function isStatus(value: unknown, least = 200): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= 599
}

function isObjectModel(value: unknown): boolean {
  const types = isObject(value) ? typesOf(value) : []
  return types.length === 0 || types.includes('object')
}

function isStep(value: unknown): boolean {
  return isObject(value) && isStatus(value['status'])
}

function isCount(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value) && value >= 0)
}

/** What each option of a route must be. */
export const ROUTE_CHECKS: Readonly<Record<keyof RouteOptions, Check>> = {
  input: (value) =>
    model(value) ?? (isObjectModel(value) ? undefined : 'a model of an object, whose fields are the input'),
  output: model,
  status: (value) => (isStatus(value) ? undefined : 'a status from 200 to 599'),
  headers: (value) =>
    isObject(value) && Object.values(value).every((each) => typeof each === 'string')
      ? undefined
      : 'texts by name',
  listCount: (value) => (isCount(value) ? undefined : 'a number of items or the name of an input field'),
  stateful: (value) => (typeof value === 'boolean' ? undefined : 'true or false'),
  filterBy: nameOfField,
  seedFrom: nameOfField,
  pageTable: (value) => (value instanceof PageTable ? undefined : 'a PageTable'),
  errorRate: (value) =>
    typeof value === 'number' && value >= 0 && value <= 1 ? undefined : 'a number from 0 to 1',
  errorCodes: listOf((item) => isStatus(item, 400), 'a list of statuses from 400 to 599'),
  errors: listOf(
    (item) =>
      isStep(item) && (item as ErrorCase).status !== 422 && typeof (item as ErrorCase).when === 'function',
    'a list of ErrorCase({ when, status, detail, body }) with any status but 422',
  ),
  scenario: listOf(isStep, 'a list of ScenarioStep({ status, detail, body })'),
  latencyMs: atLeast(0, 'a number of milliseconds, 0 or more'),
  jitterMs: atLeast(0, 'a number of milliseconds, 0 or more'),
  rateLimit: atLeast(0, 'a number of requests per second, 0 or more'),
  bearerTokens: listOf((item) => typeof item === 'string' && item !== '', 'a list of texts'),
  summary: text,
  description: text,
  tags: listOf((item) => typeof item === 'string', 'a list of texts'),
  host: (value) => (isHostPattern(value) ? undefined : HOST_FORM),
}
