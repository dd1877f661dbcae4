import {
  buildASTSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  GraphQLError,
  Kind,
  parse,
  validateSchema,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql'
import { DescriptionInvalid } from '../errors.ts'

/** A schema, and what is wrong with it that is served nevertheless. */
export interface ReadSchema {
  readonly schema: GraphQLSchema
  readonly problems: readonly string[]
}

const ASSUMED = { assumeValidSDL: true, assumeValid: true }
const MAX_TOKENS = 5_000_000

/**
 * Reads a schema in the schema definition language. Types that nothing defines, as in the schemas of federated services,
 * stand for any scalar, and extensions of types that are defined elsewhere for those types.
 * @param file its name, for messages
 * @throws DescriptionInvalid when it is not a document, or has no queries
 */
export async function readSchema(text: string, file: string): Promise<ReadSchema> {
  const document = parseText(text, file)
  try {
    const schema = buildASTSchema(document)
    const problems = validateSchema(schema).map((error) => lineOf(error, file))
    // Nothing could be requested of a schema that is known to be wrong.
    return checked(problems.length === 0 ? schema : buildASTSchema(document, ASSUMED), file, problems)
  } catch (error) {
    if (error instanceof DescriptionInvalid) throw error
    const problems = await problemsOf(document, file)
    try {
      const schema = buildASTSchema(completed(document), ASSUMED)
      return checked(schema, file, problems.length > 0 ? problems : [`${file}: ${(error as Error).message}`])
    } catch {
      throw new DescriptionInvalid(problems.length > 0 ? problems : [`${file}: ${(error as Error).message}`])
    }
  }
}

function parseText(text: string, file: string): DocumentNode {
  try {
    return parse(text, { maxTokens: MAX_TOKENS })
  } catch (error) {
    if (error instanceof RangeError) throw new DescriptionInvalid([`${file}: it is nested too deep`])
    throw new DescriptionInvalid([lineOf(error as GraphQLError, file)])
  }
}

function checked(schema: GraphQLSchema, file: string, problems: readonly string[]): ReadSchema {
  if (!isObjectType(schema.getQueryType()))
    throw new DescriptionInvalid([
      ...problems,
      `${file}: the schema has no object type Query, so nothing can be requested of it`,
    ])
  return { schema, problems }
}

function lineOf({ message, locations }: GraphQLError, file: string): string {
  const [place] = locations ?? []
  return place === undefined ? `${file}: ${message}` : `${file}:${place.line}:${place.column}: ${message}`
}

// The package's own check says where; its main entry does not have it, and good schemas do not need it.
async function problemsOf(document: DocumentNode, file: string): Promise<string[]> {
  const { validateSDL } = await import('graphql/validation/validate.js')
  return validateSDL(document).map((error) => lineOf(error, file))
}

const BUILT_IN = ['String', 'Int', 'Float', 'Boolean', 'ID']

// What is extended and nowhere defined is defined by its extension; what is only named is a scalar.
function completed(document: DocumentNode): DocumentNode {
  const defined = new Set(BUILT_IN)
  const definitions: DefinitionNode[] = []
  for (const each of document.definitions)
    if ('name' in each && each.name !== undefined && each.kind.endsWith('TypeDefinition')) {
      if (defined.has(each.name.value)) continue
      defined.add(each.name.value)
      definitions.push(each)
    } else if (!each.kind.endsWith('TypeExtension')) definitions.push(each)
  for (const each of document.definitions) {
    if (!each.kind.endsWith('TypeExtension') || !('name' in each) || each.name === undefined) continue
    if (defined.has(each.name.value)) definitions.push(each)
    else {
      defined.add(each.name.value)
      definitions.push({ ...each, kind: each.kind.replace('Extension', 'Definition') } as DefinitionNode)
    }
  }
  const missing = [...namesIn(document.definitions)].filter((name) => !defined.has(name))
  const scalars = missing.map((value): DefinitionNode => ({
    kind: Kind.SCALAR_TYPE_DEFINITION,
    name: { kind: Kind.NAME, value },
  }))
  return { ...document, definitions: [...definitions, ...scalars] }
}

// The types that are named anywhere in definitions.
function namesIn(definitions: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (definitions === null || typeof definitions !== 'object') return found
  const { kind, name } = definitions as {
    readonly kind?: unknown
    readonly name?: { readonly value: string }
  }
  if (kind === Kind.NAMED_TYPE && name !== undefined) found.add(name.value)
  for (const [key, part] of Object.entries(definitions)) if (key !== 'loc') namesIn(part, found)
  return found
}

/** How many operations of each kind a schema has, as a text. */
export function countsOf(schema: GraphQLSchema): string {
  const kinds: readonly (readonly [string, string, GraphQLObjectType | null | undefined])[] = [
    ['query', 'queries', schema.getQueryType()],
    ['mutation', 'mutations', schema.getMutationType()],
    ['subscription', 'subscriptions', schema.getSubscriptionType()],
  ]
  return kinds
    .flatMap(([one, many, type]) => {
      const count = Object.keys(type?.getFields() ?? {}).length
      return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
    })
    .join(', ')
}

const MAX_SAMPLED = 100

/** A query of every field that needs no arguments, and of the scalars in what it holds. */
export function sampleQuery(schema: GraphQLSchema): string {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(isOpen)
  return `{ __typename ${fields
    .slice(0, MAX_SAMPLED)
    .map(({ name, type }) => `${name}${selectionOf(type, 0)}`)
    .join(' ')} }`
}

function selectionOf(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  const own = 'getFields' in named ? Object.values(named.getFields()).filter(isOpen) : []
  const parts = own.flatMap((field) => {
    if (isLeafType(getNamedType(field.type))) return [field.name]
    return depth >= 2 ? [] : [`${field.name}${selectionOf(field.type, depth + 1)}`]
  })
  return ` { ${['__typename', ...parts.slice(0, MAX_FIELDS)].join(' ')} }`
}

const MAX_FIELDS = 5

function isOpen({ args }: { readonly args: readonly GraphQLArgument[] }): boolean {
  return !args.some(isRequiredArgument)
}
