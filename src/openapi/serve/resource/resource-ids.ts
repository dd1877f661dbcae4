import { createIds, type AssignId, type Candidate } from '../../../collections/ids.ts'
import { readIdTemplate, templateLike } from '../../../collections/id-template.ts'
import { plainName } from '../../../collections/paging/page-parameters.ts'
import type { Seed } from '../../../engine/random.ts'
import { createChecker } from '../../../engine/schema/checker.ts'
import { compileGenerator } from '../../../engine/schema/compile.ts'
import { createFold, mergeSchemas } from '../../../engine/schema/merge.ts'
import { saidOf } from '../../../engine/schema/said.ts'
import {
  createResolver,
  isObject,
  SAID,
  typesOf,
  type Schema,
  type SchemaOrBoolean,
} from '../../../engine/schema/schema.ts'
import { eitherNamesOf } from './path-words.ts'
import type { Resource } from './resource.ts'

/** Assigns the ids of a resource's items: those that it begins with, and of those that are created the next ones. */
export function createResourceIds(resource: Resource, seed: Seed): AssignId {
  const schema = idSchemaOf(resource)
  return createIds(schema, seed, typeof schema === 'boolean' ? undefined : candidateOf(schema, resource))
}

const NAMES = /^(slug|login|user_?name|name|code|handle|key|title|symbol|isbn|sku|domain|email)$/i

function candidateOf(schema: Schema, resource: Resource): Candidate | undefined {
  const { idPath, evidence } = resource
  const types = typesOf(schema)
  if (types.includes('number')) return (ordinal) => ordinal + 1
  const name = idPath?.at(-1) ?? ''
  const isPlain = ['format', 'pattern', 'enum', 'const'].every((keyword) => schema[keyword] === undefined)
  if (!types.includes('string') || !isPlain) return undefined
  // A text that the path has as a whole number is one.
  if (typesOf(plain(evidence.model) ?? {}).includes('integer')) return (ordinal) => String(ordinal + 1)
  if (!NAMES.test(name)) return likeExample(schema, resource)
  const model: Schema = {
    type: 'object',
    title: evidence.singular,
    properties: { [name]: schema },
    required: [name],
  }
  const generate = compileGenerator(model)
  const checker = createChecker(schema)
  return (ordinal, place) => {
    const made = generate(place(ordinal), { route: '', input: {}, headers: {}, depth: 0 })
    const text = isObject(made) ? String(made[name]) : ''
    // A name in a path is easier to read without spaces.
    const slug = text.toLowerCase().replaceAll(/[^a-z0-9@._]+/g, '-')
    return checker.fits(slug) ? slug : text
  }
}

// Ids look like the one that the description shows, which is that of the first item.
function likeExample(schema: Schema, { idSchema, evidence }: Resource): Candidate | undefined {
  const checker = createChecker(schema)
  const said = typeof idSchema === 'boolean' ? [] : saidOf(idSchema, createResolver(idSchema))
  for (const example of [...(evidence.examples ?? []), ...said].map(String)) {
    const template = checker.fits(example) ? templateLike(example) : undefined
    const make = template === undefined ? undefined : readIdTemplate(template)
    if (make !== undefined)
      return (ordinal, place) => (ordinal === 0 ? example : make(ordinal, place(ordinal)))
  }
  return undefined
}

// What the field and the path's parameter both ask for; values that an author wants to see are for one item only.
function idSchemaOf({ idSchema, evidence }: Resource): SchemaOrBoolean {
  const field = plain(idSchema)
  const parameter = plain(evidence.model)
  if (field === undefined) return idSchema
  if (parameter === undefined || !mayName(parameter, field)) return field
  const merged = mergeSchemas([field, parameter], createResolver({}))
  return typeof merged === 'boolean' ? field : merged
}

function mayName(parameter: Schema, field: Schema): boolean {
  const values: unknown = parameter['enum']
  return (
    typesOf(field).some((type) => typesOf(parameter).includes(type)) &&
    (!Array.isArray(values) || values.some((value) => createChecker(field).fits(value)))
  )
}

function plain(schema: SchemaOrBoolean): Schema | undefined {
  if (typeof schema === 'boolean') return undefined
  const folded = createFold(createResolver(schema))(schema)
  if (typeof folded === 'boolean') return undefined
  const { examples: _examples, default: _default, description: _description, title: _title, ...rest } = folded
  const { [SAID]: _said, ...own } = rest
  return own
}

/** Puts ids in the form that a model asks for: as they are, as texts or as numbers; `undefined` where none fits. */
export function createIdForm(model: Schema): (id: unknown) => unknown {
  const checker = createChecker(model)
  return (id) => [id, String(id), Number(id)].find((each) => checker.fits(each))
}

/** The fields besides its id by which the path of an item may name it, too. */
export function eitherFieldsOf({ parameter, idField, evidence, shape }: Resource): readonly string[] {
  const byPlainName = new Map([...shape.fields.keys()].toReversed().map((name) => [plainName(name), name]))
  const singular = plainName(evidence.singular)
  const [, ...others] = eitherNamesOf(parameter).map(plainName)
  return others.flatMap((name) => {
    const own = name.startsWith(singular) ? name.slice(singular.length) : name
    const field = [name, own, singular + own].map((each) => byPlainName.get(each)).find(Boolean)
    return field === undefined || field === idField ? [] : [field]
  })
}
