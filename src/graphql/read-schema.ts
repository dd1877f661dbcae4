import {
  buildASTSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  GraphQLError,
  Kind,
  parse,
  Source,
  validateSchema,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql'
import { lazy } from '../engine/lazy.ts'
import { DescriptionInvalid } from '../errors.ts'

/** A schema, and what is wrong with it that is served nevertheless. */
export interface ReadSchema {
  readonly schema: GraphQLSchema
  readonly problems: readonly string[]
}

const ASSUMED = { assumeValidSDL: true, assumeValid: true }

/** What a schema may be like: the memory that reading takes grows with its tokens, and the time with extensions squared. */
const MAX_CHARACTERS = 16 * 2 ** 20
const MAX_TOKENS = 500_000
const MAX_EXTENSIONS = 5_000

/** How many mistakes are reported: the package looks for what each was meant to be among all names. */
const MAX_PROBLEMS = 100

/** A schema's text, and what it holds. */
interface Parsed {
  readonly document: DocumentNode
  /** What an error says, with its place. */
  lineOf(error: GraphQLError): string
}

/**
 * Reads a schema in the schema definition language. Types that nothing defines, as in the schemas of federated services,
 * stand for any scalar, and extensions of types that are defined elsewhere for those types.
 * @param file its name, for messages
 * @throws DescriptionInvalid when it is not a document, or has no queries
 */
export async function readSchema(text: string, file: string): Promise<ReadSchema> {
  const parsed = parseText(text, file)
  const { document, lineOf } = parsed
  const mistakes = await mistakesIn(parsed)
  try {
    if (mistakes.length > 0) return checked(buildASTSchema(completed(document), ASSUMED), file, mistakes)
    const schema = buildASTSchema(document, { assumeValidSDL: true })
    const problems = validateSchema(schema).slice(0, MAX_PROBLEMS).map(lineOf)
    // Nothing could be requested of a schema that is known to be wrong.
    return checked(problems.length === 0 ? schema : buildASTSchema(document, ASSUMED), file, problems)
  } catch (error) {
    if (error instanceof DescriptionInvalid) throw error
    const isEndless = error instanceof RangeError
    const reason = isEndless ? 'the default value of an input type goes in circles' : (error as Error).message
    throw new DescriptionInvalid(mistakes.length > 0 ? mistakes : [`${file}: ${reason}`])
  }
}

function parseText(text: string, file: string): Parsed {
  if (text.length > MAX_CHARACTERS)
    throw new DescriptionInvalid([`${file}: it has ${text.length} characters; the most is ${MAX_CHARACTERS}`])
  const source = new Source(text)
  try {
    const document = parse(source, { maxTokens: MAX_TOKENS })
    const extended = findExcess(document)
    if (extended !== undefined)
      throw new DescriptionInvalid([`${file}: ${extended} is extended more than ${MAX_EXTENSIONS} times`])
    // The package counts the lines before each error that it makes: without lines, a column is an offset.
    source.body = ''
    const located = placesIn(text)
    return {
      document,
      lineOf: ({ message, locations: [place] = [] }) =>
        `${file}${place === undefined ? '' : located(place.column - 1)}: ${message}`,
    }
  } catch (error) {
    if (error instanceof DescriptionInvalid) throw error
    if (error instanceof RangeError) throw new DescriptionInvalid([`${file}: it is nested too deep`])
    const { message, locations: [place] = [] } = error as GraphQLError
    throw new DescriptionInvalid([`${file}:${place?.line ?? 1}:${place?.column ?? 1}: ${message}`])
  }
}

/** Says where an offset of a text is. */
function placesIn(text: string): (offset: number) => string {
  const starts = lazy(() => [
    0,
    ...[...text.matchAll(/\r\n|[\n\r]/g)].map((end) => end.index + end[0].length),
  ])
  return (offset) => {
    const line = starts().findLastIndex((start) => start <= offset)
    return `:${line + 1}:${offset - (starts()[line] ?? 0) + 1}`
  }
}

/** The first type that has too many extensions. */
function findExcess({ definitions }: DocumentNode): string | undefined {
  const counts = new Map<string, number>()
  for (const each of definitions) {
    if (!each.kind.endsWith('Extension')) continue
    const name = 'name' in each ? (each.name?.value ?? '') : 'schema'
    const count = (counts.get(name) ?? 0) + 1
    if (count > MAX_EXTENSIONS) return name
    counts.set(name, count)
  }
  return undefined
}

function checked(schema: GraphQLSchema, file: string, problems: readonly string[]): ReadSchema {
  if (!isObjectType(schema.getQueryType()))
    throw new DescriptionInvalid([
      ...problems,
      `${file}: the schema has no object type Query, so nothing can be requested of it`,
    ])
  return { schema, problems }
}

// The package's own check says where, and would go on for each of any number; its main entry does not have it.
async function mistakesIn({ document, lineOf }: Parsed): Promise<readonly string[]> {
  const { validateSDL } = await import('graphql/validation/validate.js')
  const { specifiedSDLRules } = await import('graphql/validation/specifiedRules.js')
  const found: string[] = []
  const enough = new Error('enough')
  const collect: (typeof specifiedSDLRules)[number] = (context) => {
    context.reportError = (error) => {
      found.push(lineOf(error))
      if (found.length === MAX_PROBLEMS) throw enough
    }
    return {}
  }
  try {
    validateSDL(document, undefined, [collect, ...specifiedSDLRules])
  } catch (error) {
    if (error !== enough) throw error
  }
  return found
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
