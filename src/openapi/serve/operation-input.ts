import type { Operation, Parameter } from '../../engine/operation.ts'
import { InputInvalid, type InputIssue } from '../../errors.ts'
import { remembered } from '../../engine/lazy.ts'
import { setEntry, type Entries } from '../../engine/schema/schema.ts'
import type { HttpRequest } from '../../message.ts'
import { createBodyReader } from './body-reader.ts'
import { createParameterReader } from './parameter-reader.ts'
import { createSources } from './parameter-source.ts'

/** Reads the input of a described operation's request: one flat object, so that links bind by name. */
export type ReadOperationInput = (
  request: HttpRequest,
  params: Readonly<Record<string, string>>,
) => Readonly<Record<string, unknown>>

/** The weakest first: a name of the path wins over the same name anywhere else. */
const PLACES: readonly Parameter['in'][] = ['cookie', 'header', 'query', 'path']

/**
 * Makes the reader of an operation's input: the body's fields, then cookie, header, query and path parameters.
 * Each is validated by its own model before they are joined; what the description does not name is ignored.
 * @param template the route's path template
 */
export function createOperationReader(template: string, operation: Operation): ReadOperationInput {
  const namesIn = (place: Parameter['in']): string[] =>
    operation.parameters.filter((each) => each.in === place).map(({ name }) => name)
  const places = { query: namesIn('query'), template }
  const takenIn = remembered((place: Parameter['in']) => new Set(namesIn(place)))
  const readers = operation.parameters
    .toSorted((one, other) => PLACES.indexOf(one.in) - PLACES.indexOf(other.in))
    .map((parameter) => {
      const read = createParameterReader(parameter, places, takenIn(parameter.in))
      return { name: parameter.name, read }
    })
  const takeApart = createSources(places)
  const readBody = operation.body && createBodyReader(operation.body)

  return (request, params) => {
    const body = readBody?.(request)
    const values: Entries = { ...body?.fields }
    const issues: InputIssue[] = []
    const sources = takeApart(request, params)
    for (const { name, read } of readers) {
      const value = read(sources, issues)
      if (value !== undefined) setEntry(values, name, value)
    }
    if (body?.issues !== undefined) issues.push(...body.issues)
    if (issues.length > 0) throw new InputInvalid(issues)
    return values
  }
}
