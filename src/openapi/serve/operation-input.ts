import { InputInvalid, type InputIssue } from '../../errors.ts'
import type { HttpRequest } from '../../message.ts'
import { setEntry } from '../../engine/schema/schema.ts'
import { createBodyReader } from './body-reader.ts'
import type { Operation, Parameter } from '../../engine/operation.ts'
import { createParameterReader, type Reading } from './parameter-reader.ts'
import { sourcesOf } from './parameter-source.ts'
import { createPathTexts } from './path-texts.ts'

/** Reads the input of a described operation's request: one flat object, so that links bind by name. */
export type ReadOperationInput = (
  call: HttpRequest,
  params: Readonly<Record<string, string>>,
) => Readonly<Record<string, unknown>>

/** The weakest first: a name of the path wins over the same name anywhere else. */
const PLACES: readonly Parameter['in'][] = ['cookie', 'header', 'query', 'path']

/**
 * Makes the reader of an operation's input: the body's fields, then cookie, header, query and path parameters.
 * Each is validated by its own model before they are joined; what the description does not name is ignored.
 * @param path the route's path template
 */
export function createOperationReader(path: string, operation: Operation): ReadOperationInput {
  const readers = PLACES.flatMap((place) => {
    const names = operation.parameters.filter((each) => each.in === place)
    return names.map((each) => [each.name, createParameterReader(each, takenBy(names, each))] as const)
  })
  const readPath = createPathTexts(path)
  const readBody = operation.body === undefined ? undefined : createBodyReader(operation.body)

  return (call, params) => {
    const texts = readPath(call.path)
    // Where the path is of another shape, below a prefix for instance, the router knows its values, decoded.
    for (const name in params) if (!texts.has(name)) texts.set(name, encodeURIComponent(params[name] ?? ''))
    const sources = sourcesOf(call, texts)
    const body: Reading = readBody?.(call) ?? NO_BODY
    const values: Record<string, unknown> = { ...(body.value as object) }
    const issues: InputIssue[] = []
    for (const [name, read] of readers) {
      const { value, issues: own } = read(sources)
      if (own !== undefined) issues.push(...own)
      if (value !== undefined) setEntry(values, name, value)
    }
    if (body.issues !== undefined) issues.push(...body.issues)
    if (issues.length > 0) throw new InputInvalid(issues)
    return values
  }
}

const NO_BODY: Reading = { value: {} }

function takenBy(parameters: readonly Parameter[], own: Parameter): ReadonlySet<string> {
  return new Set(parameters.filter((each) => each !== own).map(({ name }) => name))
}
