import type { Operation, Parameter } from '../../engine/operation.ts'
import { InputInvalid, type InputIssue } from '../../errors.ts'
import { setEntry } from '../../engine/schema/schema.ts'
import type { HttpRequest } from '../../message.ts'
import { segmentsOf } from '../../routing/path-template.ts'
import { createBodyReader } from './body-reader.ts'
import { createParameterReader, type Reading } from './parameter-reader.ts'
import { sourcesOf } from './parameter-source.ts'

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

/** The values of a path's parameters as they are written, not yet percent-decoded. */
export type ReadPathTexts = (path: string) => Map<string, string>

/** Makes the reader of a path template's values; a path of another shape has none. */
export function createPathTexts(template: string): ReadPathTexts {
  const readers = segmentsOf(template).map(segmentReader)
  return (path) => {
    const texts = new Map<string, string>()
    const segments = segmentsOf(path)
    if (segments.length !== readers.length) return texts
    for (let index = 0; index < readers.length; index++) readers[index]?.(segments[index] ?? '', texts)
    return texts
  }
}

type ReadSegment = (segment: string, texts: Map<string, string>) => void

function segmentReader(template: string): ReadSegment | undefined {
  const names = [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? '')
  const [first, ...others] = names
  if (first === undefined) return undefined
  if (others.length === 0 && template === `{${first}}`) {
    return (segment, texts) => {
      if (segment !== '') texts.set(first, segment)
    }
  }
  const literals = template.split(/\{[^{}]+\}/).map((each) => each.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const expression = new RegExp(`^${literals.join('(.+?)')}$`, 's')
  return (segment, texts) => {
    const values = expression.exec(segment)?.slice(1) ?? []
    for (const [index, value] of values.entries()) texts.set(names[index] ?? '', value)
  }
}
