import { InputInvalid } from '../../errors.ts'
import type { HttpRequest } from '../../message.ts'
import { createBodyReader } from './body-reader.ts'
import type { Operation, Parameter } from '../../engine/operation.ts'
import { createParameterReader, type ReadParameter, type Reading } from './parameter-reader.ts'
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
    const encoded = Object.entries(params).map(([name, text]): [string, string] => [
      name,
      encodeURIComponent(text),
    ])
    const sources = sourcesOf(call, new Map([...encoded, ...readPath(call.path)]))
    const readings = readers.map(
      ([name, read]: readonly [string, ReadParameter]) => [name, read(sources)] as const,
    )
    const body: Reading = readBody?.(call) ?? { value: {} }
    const issues = [...readings.map(([, reading]) => reading), body].flatMap(({ issues = [] }) => issues)
    if (issues.length > 0) throw new InputInvalid(issues)

    const values = readings.flatMap(([name, { value }]) =>
      value === undefined ? [] : [[name, value] as const],
    )
    return { ...(body.value as object), ...Object.fromEntries(values) }
  }
}

function takenBy(parameters: readonly Parameter[], own: Parameter): ReadonlySet<string> {
  return new Set(parameters.filter((each) => each !== own).map(({ name }) => name))
}
