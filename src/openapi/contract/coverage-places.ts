import { readFragment, readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { OperationCoverage } from './coverage-report.ts'

/** A place of a description's file, and how often it was seen. */
export interface CoveredPlace {
  readonly path: readonly string[]
  readonly count: number
}

/** Where in a file parameters, statuses, media types and fields of an operation are. What is in others is left out. */
export function placesOf(
  document: unknown,
  operation: readonly string[],
  { parameters, request, responses }: OperationCoverage,
): readonly CoveredPlace[] {
  const look = createLook(document)
  const found: CoveredPlace[] = []
  const add = (path: readonly string[] | undefined, count: number): void => {
    if (path !== undefined) found.push({ path, count })
  }
  const addTypes = (content: readonly string[] | undefined, types: typeof request): void => {
    for (const { media_type: type, count, fields } of types) {
      const media = content && look.child(look.follow(content), type)
      if (media === undefined) continue
      add(media, count)
      const schema = look.child(look.follow(media), 'schema')
      for (const field of fields) add(schema && look.field(schema, readPointer(field.pointer)), field.count)
    }
  }
  for (const { in: where, name, count } of parameters)
    for (const holder of [operation, operation.slice(0, -1)])
      add(look.item(look.child(holder, 'parameters'), { in: where, name }), count)
  const body = look.child(operation, 'requestBody')
  addTypes(body && look.child(look.follow(body), 'content'), request)
  for (const { status, count, media_types: types } of responses) {
    const response = look.child(look.child(operation, 'responses') ?? operation, status)
    if (response === undefined) continue
    add(response, count)
    addTypes(look.child(look.follow(response), 'content'), types)
  }
  return found
}

interface Look {
  child(path: readonly string[], key: string): readonly string[] | undefined
  /** Where a place leads by its references within the file. */
  follow(path: readonly string[]): readonly string[]
  /** The item of a list that has these values. */
  item(
    list: readonly string[] | undefined,
    wanted: Readonly<Record<string, string>>,
  ): readonly string[] | undefined
  /** A declared field of a schema. */
  field(schema: readonly string[], keys: readonly string[]): readonly string[] | undefined
}

const MAX_REFERENCES = 20

function createLook(document: unknown): Look {
  const at = (path: readonly string[]): unknown =>
    path.reduce<unknown>(
      (value, key) =>
        value !== null && typeof value === 'object' && Object.hasOwn(value, key)
          ? (value as Readonly<Record<string, unknown>>)[key]
          : undefined,
      document,
    )
  const child: Look['child'] = (path, key) => (at([...path, key]) === undefined ? undefined : [...path, key])
  const follow: Look['follow'] = (path) => {
    let place = path
    for (let count = 0; count < MAX_REFERENCES; count++) {
      const value = at(place)
      const reference = isObject(value) ? value['$ref'] : undefined
      if (typeof reference !== 'string' || !reference.startsWith('#/')) return place
      place = readFragment(reference.slice(1))
    }
    return place
  }
  // A schema may be a part of itself.
  const field = (
    given: readonly string[],
    [key, ...rest]: readonly string[],
    left = MAX_REFERENCES,
  ): readonly string[] | undefined => {
    if (key === undefined) return given
    if (left === 0) return undefined
    const schema = follow(given)
    const own = key === '-' ? child(schema, 'items') : child([...schema, 'properties'], key)
    if (own !== undefined) return field(own, rest)
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const parts = at([...schema, keyword])
      if (!Array.isArray(parts)) continue
      for (const index of parts.keys()) {
        const found = field([...schema, keyword, String(index)], [key, ...rest], left - 1)
        if (found !== undefined) return found
      }
    }
    return undefined
  }
  return {
    child,
    follow,
    field,
    item(list, wanted) {
      const items = list && at(list)
      if (list === undefined || !Array.isArray(items)) return undefined
      const index = items.findIndex((_, each) => {
        const value = at(follow([...list, String(each)]))
        return isObject(value) && Object.entries(wanted).every(([key, text]) => value[key] === text)
      })
      return index < 0 ? undefined : [...list, String(index)]
    },
  }
}
