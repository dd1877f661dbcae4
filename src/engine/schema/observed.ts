import { KEEP } from '../links/link.ts'
import type { Observer, Origin } from '../observer.ts'
import type { Compiler, Generate } from './generate.ts'
import { textOf } from './keywords.ts'
import { linksOf } from './linked.ts'
import { positionName, plainName, type Position } from './position.ts'
import type { SaidValues } from './said.ts'
import { isObject, LINK, SAID, typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'
import { textByName } from './text-by-name.ts'

/** A generator that has an observer see its values. It does not write, so that they are made. */
export function observed(
  generate: Generate,
  at: Position,
  origin: Origin | undefined,
  observer: Observer,
): Generate {
  return (stream, scope, siblings) => {
    observer.begin(at, origin)
    let value: unknown
    try {
      value = generate(stream, scope, siblings)
    } catch (error) {
      observer.drop()
      throw error
    }
    if (value === KEEP) observer.drop()
    else observer.end(value)
    return value
  }
}

/** Where the values of a schema come from; `undefined` where that is said of their parts. */
export function originOf(
  schema: SchemaOrBoolean,
  at: Position,
  { fold }: Pick<Compiler, 'fold'>,
  isSaid: boolean,
): Origin | undefined {
  const model = positionName(at)
  if (isSaid) return { origin: hasExample(schema) ? 'example' : 'default', model }
  const folded = fold(schema)
  if (typeof folded === 'boolean') return { origin: 'seed', model, by: 'any value' }
  if (Object.hasOwn(folded, 'const')) return { origin: 'const', model }
  if (Array.isArray(folded['examples']) && folded['examples'].length > 0) return { origin: 'example', model }
  if (Array.isArray(folded['enum'])) return { origin: 'enum', model, by: 'the seed' }
  const [type = '', ...others] = typesOf(folded)
  if (others.length > 0 || type === 'object' || type === 'array') return undefined
  const by = type === 'string' ? textSource(folded, at) : type === '' ? 'any type' : `type ${type}`
  return { origin: 'seed', model, by }
}

// The same order in which texts are drawn.
function textSource(schema: Schema, at: Position): string {
  const [pattern, format] = [textOf(schema, 'pattern'), textOf(schema, 'format')]
  if (pattern !== undefined) return `pattern ${pattern}`
  if (format !== undefined) return `format ${format}`
  return textByName(at) === undefined ? 'words' : `its name '${plainName(at.field)}'`
}

function hasExample(schema: SchemaOrBoolean): boolean {
  const said = typeof schema === 'boolean' ? undefined : (schema[SAID] as SaidValues | undefined)
  return said === undefined || said.examples.length > 0
}

/** The links of a schema as the origin of the values that they give. */
export function originOfLinks(schema: Schema, at: Position, { resolve }: Pick<Compiler, 'resolve'>): Origin {
  const [first, ...others] = linksOf(schema, resolve)
  const names = [first, ...others].map((each) => each?.link.name ?? '')
  const [name = ''] = names
  const keyword = first?.part[LINK]
  const data = isObject(keyword) ? keyword[name] : undefined
  const { path, pointer } = isObject(data) ? data : {}
  return {
    origin: 'link',
    model: positionName(at),
    link: names.join(' or '),
    ...(typeof data === 'string' && { [name === 'fromFaker' ? 'faker' : 'field']: data }),
    ...(typeof path === 'string' && { file: path }),
    ...(typeof pointer === 'string' && { file_pointer: pointer }),
    ...(data !== undefined && typeof data !== 'string' && { argument: JSON.stringify(data).slice(0, 200) }),
  }
}
