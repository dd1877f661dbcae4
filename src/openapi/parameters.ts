import type { RouteDefinition } from '../engine/route.ts'
import type { Components } from './components.ts'
import type { Parameter } from './document.ts'
import { isList, type InputField, type InputModel } from './input-fields.ts'
import { createScope } from './scope.ts'

/**
 * The parameters of an operation: all of the path, and for GET the other fields of the input model.
 * @param names the path's parameters as the document's path has them, in order
 */
export function parametersOf(
  route: RouteDefinition,
  names: readonly string[],
  input: InputModel | undefined,
  components: Components,
): Parameter[] {
  const scope = input?.scope ?? createScope({})
  const describe = ({
    flat,
    schema,
  }: InputField): Pick<Parameter, 'description' | 'deprecated' | 'schema'> => ({
    ...(typeof flat['description'] === 'string' && { description: flat['description'] }),
    ...(flat['deprecated'] === true && { deprecated: true }),
    schema: components.use(schema, scope),
  })
  const fromPath = route.parameters.map((name, index): Parameter => {
    const field = input?.fields.get(name) ?? TEXT
    return { name: names[index] ?? name, in: 'path', required: true, ...describe(field) }
  })
  if (route.method !== 'GET') return fromPath

  const own = [...(input?.fields ?? [])].filter(([name]) => !route.parameters.includes(name))
  const fromQuery = [...own, ...tokenOf(route, input)].map(([name, field]): Parameter => ({
    name,
    in: 'query',
    ...(field.required && { required: true }),
    ...describe(field),
    ...(isList(field) && { style: 'form', explode: true }),
  }))
  return [...fromPath, ...fromQuery]
}

const TEXT: InputField = { schema: { type: 'string' }, flat: {}, required: false }

// A page table reads its token whether or not the input model names it.
function tokenOf(
  { options: { pageTable } }: RouteDefinition,
  input: InputModel | undefined,
): [string, InputField][] {
  if (pageTable === undefined || input?.fields.has(pageTable.tokenField) === true) return []
  return [[pageTable.tokenField, { ...TEXT, flat: { description: 'Token of the page; none for the first' } }]]
}
