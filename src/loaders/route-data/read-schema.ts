import { hintAt, shown } from '../../data-files/words.ts'
import { linkFromData, linkNames } from '../../engine/links/link.ts'
import { checkSchema } from '../../engine/schema/checker.ts'
import { LINK, isObject, type Schema } from '../../engine/schema/schema.ts'
import { placeBelow, type DataPlace } from './read-entries.ts'
import { unescapeKey } from '../../engine/schema/pointer.ts'
import { DATA_KEYWORDS, SUBSCHEMAS } from '../../engine/schema/keywords.ts'

// How a document refers to its models.
const MODEL_REFERENCE = '#/models/'

/** A schema that was read, and the models it refers to. */
export interface ReadSchema {
  readonly model: Schema
  /** Names of models, which it refers to as definitions of its own. */
  readonly uses: ReadonlySet<string>
}

/** A schema whose links know their directory, and whose references mean the definitions it will be given. */
export function readSchema(
  schema: unknown,
  place: DataPlace,
  names: readonly string[],
  name?: string,
): ReadSchema | undefined {
  if (!isObject(schema)) {
    place.report([], `must be a JSON Schema, not ${shown(schema)}`)
    return undefined
  }
  reportViolations(schema, place)
  const uses = new Set<string>()
  const model = copyModel(schema, (keyword, value, keys) => {
    if (keyword === LINK) return readLink(value, placeBelow(place, ...keys))
    if (keyword !== '$ref' || typeof value !== 'string') return value
    if (!value.startsWith(MODEL_REFERENCE))
      return name === undefined ? value : value.replace(/^#/, `#/$defs/${name}`)
    const [used = '', ...inside] = value.slice(MODEL_REFERENCE.length).split('/')
    const known = decodePointer(used)
    if (!names.includes(known))
      place.report(keys, `names no model: '${value}'. ${hintAt(known, names, 'Models')}`)
    uses.add(known)
    return ['#/$defs', used, ...inside].join('/')
  })
  return { model, uses }
}

function reportViolations(schema: Record<string, unknown>, place: DataPlace): void {
  const reported: string[] = []
  for (const { path, message } of checkSchema(schema)) {
    const key = path.join('/')
    // The first violation of a place says most; those of the places above it follow from it.
    if (reported.some((known) => known.startsWith(key))) continue
    reported.push(key)
    place.report(path.map(String), message)
  }
}

function readLink(keyword: unknown, place: DataPlace): unknown {
  try {
    return linkFromData(keyword as Record<string, unknown>, place.directory)[LINK]
  } catch (error) {
    const [name = ''] = isObject(keyword) ? Object.keys(keyword) : []
    const isKnown = !isObject(keyword) || Object.keys(keyword).length !== 1 || linkNames().includes(name)
    place.report(
      [],
      isKnown ? (error as Error).message : `no such link: '${name}'. ${hintAt(name, linkNames(), 'Links')}`,
    )
    return keyword
  }
}

/** A part of a JSON pointer as the key it stands for. */
export function decodePointer(part: string): string {
  try {
    return unescapeKey(decodeURIComponent(part))
  } catch {
    return part
  }
}

/** What stands in the copy for the value of a keyword; `keys` lead to it from the schema that is copied. */
type ChangeKeyword = (keyword: string, value: unknown, keys: readonly string[]) => unknown

const UNCOPIED = new Set([...DATA_KEYWORDS, 'required', '$ref'])

/** A copy of a schema in which links and references at any depth are changed. */
function copyModel(schema: Readonly<Record<string, unknown>>, change: ChangeKeyword): Schema {
  const copy = (value: unknown, keys: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((each: unknown, index) => copy(each, [...keys, String(index)]))
    if (!isObject(value)) return value
    const entries = Object.entries(value).map(([keyword, part]) => {
      const at = [...keys, keyword]
      if (UNCOPIED.has(keyword)) return [keyword, change(keyword, part, at)]
      return [
        keyword,
        SUBSCHEMAS.get(keyword) === 'named' && isObject(part) ? copyNamed(part, at) : copy(part, at),
      ]
    })
    return Object.fromEntries(entries)
  }
  const copyNamed = (named: Record<string, unknown>, keys: readonly string[]): unknown =>
    Object.fromEntries(Object.entries(named).map(([name, part]) => [name, copy(part, [...keys, name])]))
  return copy(schema, []) as Schema
}
