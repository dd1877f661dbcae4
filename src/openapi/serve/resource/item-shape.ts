import { plainName } from '../../../collections/paging/page-parameters.ts'
import { lazy, remembered, withLazy } from '../../../engine/lazy.ts'
import { partOf } from '../../../engine/list-shape.ts'
import type { RouteDefinition } from '../../../engine/route.ts'
import { alternativesOf, createTextReader } from '../../../engine/schema/coerce.ts'
import { fieldsIn } from '../../../engine/schema/fields.ts'
import { kindOf, requiredOf, schemasOf, textOf } from '../../../engine/schema/keywords.ts'
import { foldOf } from '../../../engine/schema/merge.ts'
import {
  createResolver,
  propertiesOf,
  type Schema,
  type SchemaOrBoolean,
} from '../../../engine/schema/schema.ts'
import { eitherNamesOf, singularOf } from './path-words.ts'

/** Where in an answer its item lies. */
export interface ItemShape extends FieldModels {
  /** The names that lead to the item; none where the answer is the item. */
  readonly path: readonly string[]
  /** The model of the item, which stands by itself. */
  readonly item: Schema
  /** What the description calls that model, if it has a name. */
  readonly component: string | undefined
}

/**
 * The item of an answer that is one, or that wraps one as `{ pet: {…} }` or `{ data: { pet: {…} } }`; `undefined` for an
 * answer of another kind.
 */
export function itemShapeOf(model: Schema, evidence: IdEvidence): ItemShape | undefined {
  const known = objectShapeOf(model)
  if (known === undefined) return undefined
  const { whole, innerOf } = known
  const idPath = idPathOf(whole, evidence)
  const isNamed = plainName(idPath?.at(-1) ?? '') === plainName(evidence.parameter)
  // Metadata that have the very field of the path are of the item, whatever else it holds.
  if (idPath !== undefined && (idPath.length === 1 || isNamed)) return whole
  const wrapped = wrappedIn(known, [plainName(evidence.singular), ...ITEM_HOLDERS], evidence)
  if (wrapped === undefined) return whole
  const inner = innerOf(wrapped)
  if (!ENVELOPES.has(plainName(wrapped)) || idPathOf(inner, evidence) !== undefined) return inner
  const further = objectShapeOf(inner.item)
  const name = further && wrappedIn(further, [plainName(evidence.singular)], evidence)
  if (further === undefined || name === undefined) return inner
  return { ...further.innerOf(name), path: [wrapped, name] }
}

const ITEM_HOLDERS = ['data', 'item', 'result', 'resource', 'response', 'payload']
/** Holders of what an answer is about that may wrap it once more. */
const ENVELOPES = new Set(['data', 'result', 'response', 'payload'])

// The property of an object that holds the item.
function wrappedIn(
  { whole, objects, innerOf }: ObjectShape,
  names: readonly string[],
  { component }: IdEvidence,
): string | undefined {
  const byPlainName = plainNamesOf(objects())
  return (
    names.map((name) => byPlainName.get(name)).find((name) => name !== undefined) ??
    (objects().size === 1 && whole.fields.size === 1 ? [...objects().keys()][0] : undefined) ??
    (component && [...objects().keys()].find((name) => innerOf(name).component === component))
  )
}

interface ObjectShape {
  readonly whole: ItemShape
  /** The fields that hold objects. */
  objects(this: void): ReadonlyMap<string, SchemaOrBoolean>
  innerOf(this: void, name: string): ItemShape
}

// Many operations answer with one model, and what it holds does not depend on their paths.
const shapes = new WeakMap<Schema, { readonly shape: ObjectShape | undefined }>()

function objectShapeOf(model: Schema): ObjectShape | undefined {
  const known = shapes.get(model) ?? { shape: readShape(model) }
  shapes.set(model, known)
  return known.shape
}

function readShape(model: Schema): ObjectShape | undefined {
  const fold = foldOf(model)
  const folded = fold(model)
  if (!isObjectModel(folded)) return undefined
  const required = new Set(requiredOf(folded))
  if (propertiesOf(folded).some(([name, part]) => required.has(name) && fold(part) === false))
    return undefined
  // An item with an id is looked at no further.
  const holdsObject = (part: SchemaOrBoolean): boolean => isObjectModel(fold(part))
  const objects = lazy(() => new Map(propertiesOf(folded).filter(([, part]) => holdsObject(part))))
  const innerOf = remembered((name: string) => shapeOf([name], partOf(model, objects().get(name) ?? true)))
  return { whole: shapeOf([], model), objects, innerOf }
}

function shapeOf(path: readonly string[], item: Schema): ItemShape {
  return { path, item, ...fieldModelsOf(item), component: componentOf(item) }
}

/** The fields that items of a model can have, and the model of each. */
export function fieldModelsOf(item: Schema): FieldModels {
  const fold = foldOf(item)
  const fields = new Map([...fieldsIn(item, fold)].filter(([, field]) => fold(field) !== false))
  const modelOf = (name: string): Schema => partOf(item, fold(fields.get(name) ?? true))
  return { fields, modelOf }
}

/** What a description calls a model: the name that its reference ends in, or its title. */
export function componentOf(model: Schema): string | undefined {
  const [only, ...others] = schemasOf(model, 'allOf') ?? []
  const reference = textOf(model, '$ref')
  if (reference !== undefined) return reference.slice(reference.lastIndexOf('/') + 1)
  if (typeof only === 'object' && others.length === 0) return componentOf(only)
  return textOf(model, 'title')
}

function isObjectModel(schema: SchemaOrBoolean): schema is Schema {
  if (typeof schema === 'boolean') return false
  return kindOf(schema) === 'object' || ['anyOf', 'oneOf'].some((keyword) => schemasOf(schema, keyword))
}

/** The fields of items, and the model of each, which stands by itself. */
export interface FieldModels {
  readonly fields: ReadonlyMap<string, SchemaOrBoolean>
  modelOf(this: void, name: string): Schema
}

/** What a path says of the ids of its items. */
export interface IdEvidence {
  /** The name of the path's last parameter. */
  readonly parameter: string
  /** The collection's name in the singular. */
  readonly singular: string
  /** The model of the path parameter. */
  readonly model: SchemaOrBoolean
  /** What the model of the listed items is called. */
  readonly component?: string | undefined
  /** The values that it is shown with. */
  readonly examples?: readonly unknown[]
  /** The fields that a request for a new item may give it. */
  readonly given?: readonly string[]
}

type Named = Pick<IdEvidence, 'parameter' | 'singular'>

/** What the routes of a collection's items say of their ids. @param component what the model of those it lists is called */
export function evidenceOf(
  template: string,
  parameter: string,
  items: readonly RouteDefinition[],
  component: () => string | undefined,
  given: () => readonly string[] = () => [],
): IdEvidence {
  const last = template.split('/').findLast((part) => !part.includes('{')) ?? ''
  const name = last.replace(/\.[A-Za-z]\w*$/, '')
  const declared = lazy(() =>
    items
      .flatMap(({ operation }) => operation?.parameters ?? [])
      .filter((each) => each.name === parameter && each.in === 'path'),
  )
  // Most paths have ids that their names alone show, and nobody asks what the parameters hold.
  return withLazy<Named, Omit<IdEvidence, keyof Named>>(
    { parameter: eitherNamesOf(parameter)[0] ?? parameter, singular: singularOf(name) },
    {
      model() {
        const models = declared().map(({ model }) => model)
        // What is a whole number for one of them is a text for the others, too.
        const number = models.find((model) => typeof model === 'object' && kindOf(model) === 'integer')
        return number ?? models[0] ?? true
      },
      component,
      given,
      examples: () => declared().flatMap(({ examples: shown = [] }) => shown.map(({ value }) => value)),
    },
  )
}

// The parts of a parameter's name that say which field it means, such as `id` in `petId`.
const SUFFIX = /(uuid|guid|id|key|slug|code|number|no|sha|hash|name|login|email|token|symbol|alias|sku)$/
const OWN_IDS = ['id', 'uuid', 'guid']
const ID_NAMES = [
  ...OWN_IDS,
  'identifier',
  'key',
  'slug',
  'code',
  'number',
  'sha',
  'login',
  'username',
  'name',
  'title',
  'entityid',
]

/**
 * The field that holds an item's id: of the parameter's name, or of that name without the collection's; else one with
 * a usual name, of those that can hold what the path does before any other.
 */
export function idFieldOf({ fields, modelOf }: FieldModels, evidence: IdEvidence): string | undefined {
  const { parameter, singular } = evidence
  const byPlainName = plainNamesOf(fields)
  // A gift wrapping is also known as a wrapping.
  const [, noun] = /[-_]([a-z]+)$/.exec(singular) ?? []
  // A comment has an id, and its `comment` is what it says.
  const isNoun = plainName(parameter) === plainName(singular)
  const own = isNoun ? OWN_IDS.flatMap((each) => byPlainName.get(each) ?? []) : []
  const ownId = own.find((each) => isScalar(modelOf(each)) && isAlike(modelOf(each), evidence.model))
  if (ownId !== undefined) return ownId
  const strong = [
    ...meantBy(plainName(parameter), plainName(singular)),
    ...(noun === undefined ? [] : [`${noun}id`]),
  ]
    .map((each) => byPlainName.get(each))
    .find((each) => each !== undefined && kindOf(modelOf(each)) !== 'object')
  if (strong !== undefined) return idBeside(strong, byPlainName, modelOf, evidence) ?? strong
  const usual = ID_NAMES.flatMap((each) => byPlainName.get(each) ?? []).filter((each) => {
    const [only, ...others] = namedValues(modelOf(each))
    return isScalar(modelOf(each)) && (only === undefined || others.length > 0)
  })
  return (
    usual.find((each) => isAlike(modelOf(each), evidence.model)) ??
    usual.find((each) => /^(id|uuid|guid)$/.test(plainName(each)) || !plainName(parameter).endsWith('id'))
  )
}

// What a client gives an item of its own, as a `company_id`, is not the `id` that the server gives it.
function idBeside(
  strong: string,
  byPlainName: ReadonlyMap<string, string>,
  modelOf: FieldModels['modelOf'],
  { given = [], model }: IdEvidence,
): string | undefined {
  const id = byPlainName.get('id')
  if (id === undefined || id === strong || !plainName(strong).endsWith('id')) return undefined
  const isSame = kindOf(modelOf(id)) === kindOf(modelOf(strong))
  if (!isSame || !isScalar(modelOf(id)) || !isAlike(modelOf(id), model)) return undefined
  return given.includes(strong) && !given.includes(id) ? id : undefined
}

const plainNamesOf = remembered(
  (fields: FieldModels['fields']): ReadonlyMap<string, string> =>
    new Map([...fields.keys()].toReversed().map((name) => [plainName(name), name])),
  new WeakMap(),
)

/** The names that lead to an item's id: its field, or one of its metadata. `undefined` where an item shows none. */
export function idPathOf(models: FieldModels, evidence: IdEvidence): readonly string[] | undefined {
  const field = idFieldOf(models, evidence)
  if (field !== undefined) return [field]
  const holder = HOLDERS.find((name) => models.fields.has(name))
  if (holder === undefined) return undefined
  const within = fieldModelsOf(models.modelOf(holder))
  const deeper = idFieldOf(within, evidence)
  return deeper === undefined ? undefined : [holder, deeper]
}

const HOLDERS = ['metadata', 'meta', 'attributes']

function meantBy(name: string, thing: string): readonly string[] {
  // What is left of this one without its `user` is seldom what a person is known by.
  if (name === 'username') return [name, 'login', 'handle', 'nickname', 'name']
  const [suffix] = SUFFIX.exec(name) ?? []
  return [
    name,
    ...(name.includes(thing) ? [name.replace(thing, '')] : []),
    ...(suffix === undefined ? [] : [suffix]),
    thing + name,
    `${thing}id`,
  ]
}

function isScalar(schema: Schema): boolean {
  return !['object', 'array', 'boolean'].includes(kindOf(schema))
}

// A parameter that is a whole number does not hold a name, and one that is a text seldom means a number. It may be both.
function isAlike(field: Schema, parameter: SchemaOrBoolean): boolean {
  if (typeof parameter === 'boolean') return true
  const type = typeRead(field)
  return alternativesOf(parameter, createResolver(parameter)).some(
    (each) => typeRead(partOf(parameter, each)) === type,
  )
}

function typeRead(schema: Schema): string {
  const [value = createTextReader(schema, createResolver(schema))('1')] = namedValues(schema)
  return typeof value
}

// The values that a schema lists: what has one alone, as the `code: 200` of each answer, is that of no item.
function namedValues(schema: Schema): readonly unknown[] {
  if (Object.hasOwn(schema, 'const')) return [schema['const']]
  return Array.isArray(schema['enum']) ? schema['enum'] : []
}
