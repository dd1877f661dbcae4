import { isDeepStrictEqual } from 'node:util'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { createAsking, forAll, type Asking } from '../ask.ts'
import { follow, isJson, textOf, type Json } from '../json.ts'
import { operationsOf, type Operation } from '../operations.ts'
import { createRequests, type Request } from '../request.ts'
import { createSchemas } from '../schemas.ts'
import { createValidate } from '../validator.ts'
import {
  bodyExamplesOf,
  compareParts,
  createDecided,
  plain,
  saidOf,
  successOf,
  type Decided,
  type Fits,
  type Spoken,
} from './spoken.ts'

/** What one operation answered, by what its description says. */
export interface Heard {
  readonly operation: string
  /** Why it was not compared: it could not be requested, or did not succeed. */
  readonly failed?: string
  /** Whether its answer is one of the examples; absent where the description has none that fits. */
  readonly isExample?: boolean
  /** Of answers without an example: each part that the description says something of. */
  readonly parts: readonly Spoken[]
}

/** Asks each operation of a description that says what it answers, of a server at an address. */
export async function checkSpeech(document: Json, url: string): Promise<readonly Heard[]> {
  const asking = createAsking(url)
  try {
    return await askAll(document, asking, url)
  } finally {
    await asking.close()
  }
}

// A document may be given as its text.
function readings(example: unknown): readonly unknown[] {
  const read = typeof example === 'string' ? attempt(() => JSON.parse(example) as unknown) : undefined
  return typeof read === 'object' && read !== null ? [example, read] : [example]
}

/** A description's document. */
export function readText(file: string): Json {
  const text = readFileSync(file, 'utf8')
  return (/^\s*\{/.test(text) ? JSON.parse(text) : parse(text, { maxAliasCount: -1, merge: true })) as Json
}

async function askAll(document: Json, asking: Asking, url: string): Promise<readonly Heard[]> {
  const [requests, responses] = [createSchemas(document, 'request'), createSchemas(document, 'response')]
  const requestOf = createRequests(requests)
  const validate = createValidate(responses)
  const known = new Map<unknown, Map<string, boolean>>()
  const fits: Fits = (given, value) => {
    // What is only referred to is one schema, wherever it is.
    const schema = isJson(given) && Object.keys(given).join('') === '$ref' ? follow(document, given) : given
    const own = known.get(schema) ?? new Map<string, boolean>()
    known.set(schema, own)
    const text = JSON.stringify(value)
    const before = own.get(text)
    if (before !== undefined) return before
    const isFit = attempt(() => validate(schema, value) === undefined) ?? false
    own.set(text, isFit)
    return isFit
  }
  const operations = operationsOf(document)
  const paths = document['paths'] as Json
  const collections = new Set(Object.keys(paths).map((path) => path.replace(/\/\{[^/]*\}\/?$/, '')))

  const nouns = nounsOf(Object.keys(paths))

  const hear = async (operation: Operation): Promise<Heard | undefined> => {
    const [method = '', path = ''] = operation.name.split(' ')
    const item = follow(document, paths[path])
    const own = item[method.toLowerCase()] as Json
    const media = successOf(document, own)
    if (media === undefined || method === 'HEAD') return undefined
    const { schema } = media
    const examples = [...media.examples, ...(schema === undefined ? [] : saidOf(document, schema))].filter(
      (each) => schema === undefined || fits(schema, each),
    )
    if (examples.length === 0 && schema === undefined) return undefined
    let answer
    let requested: ReadonlySet<string>
    try {
      const request = requestOf(withExamples(document, operation, item, own, examples), 'required')
      requested = valuesIn(operation.path, request.path)
      answer = await asking.ask({ ...request, path: pathBelow(document, item, own, operation, request) })
    } catch (error) {
      return { operation: operation.name, failed: (error as Error).message, parts: [] }
    }
    if (answer.status >= 400)
      return {
        operation: operation.name,
        failed: `${answer.status} ${answer.body.toString('utf8').slice(0, 300)}`,
        parts: [],
      }
    const spoken = attempt(() => JSON.parse(answer.body.toString('utf8')) as unknown)
    // URLs of the described server lead back to the one that answers.
    const [origin = url, ...others] = originsOf(document, item, own).flatMap(withPort)
    const value = withOrigin(spoken, url, origin)
    const isOfResource = isOf(collections, path)
    const decided = createDecided(
      new Set(operation.parameters.map(({ name }) => plain(name))),
      isOfResource,
      nouns,
    )
    if (examples.length > 0) {
      const isDecided: Decided = isOfResource ? decided : () => false
      const isExample = examples.flatMap(readings).some((each) =>
        isSame(
          others.reduce((said, other) => withOrigin(said, other, origin), each),
          value,
          isDecided,
          requested,
        ),
      )
      return { operation: operation.name, isExample, parts: [] }
    }
    return { operation: operation.name, parts: compareParts(document, { schema, value, fits, decided }) }
  }
  const heard = await forAll(operations, (operation) =>
    hear(operation).catch((error: Error) => ({
      operation: operation.name,
      failed: error.message,
      parts: [],
    })),
  )
  return heard.filter((each) => each !== undefined)
}

// Of a resource's item the id is that of the request, in the example as well, and so is what else a path says.
function isSame(said: unknown, shown: unknown, decided: Decided, requested: ReadonlySet<string>): boolean {
  if (isDeepStrictEqual(said, shown)) return true
  const isId = (name: string): boolean =>
    /(id|key|name|slug|number|code|url|uri|href|self)$/i.test(name) && decided([name], undefined, undefined)
  const same = (one: unknown, other: unknown): boolean => {
    if (Array.isArray(one))
      return (
        Array.isArray(other) && one.length === other.length && one.every((each, i) => same(each, other[i]))
      )
    if (!isJson(one) || !isJson(other))
      return (
        isDeepStrictEqual(one, other) ||
        (isScalar(one) && isScalar(other) && differsAsRequested(String(one), String(other), requested))
      )
    const names = Object.keys(one)
    return (
      names.length === Object.keys(other).length &&
      names.every(
        (name) =>
          Object.hasOwn(other, name) &&
          (isId(name) || isCounted(name, other) || same(one[name], other[name])),
      )
    )
  }
  return same(said, shown)
}

// An example may show one of 40; an answer has the total of what there is, which is the list beside it.
function isCounted(name: string, { [name]: count, ...beside }: Json): boolean {
  return (
    /^total_?(count|results|items)?$/i.test(name) &&
    Object.values(beside).some((each) => Array.isArray(each) && each.length === count)
  )
}

// Such as an address, of which the segments differ that the request names.
function differsAsRequested(said: string, shown: string, requested: ReadonlySet<string>): boolean {
  const [own, others] = [said, shown].map((text) => text.split('/')) as [string[], string[]]
  if (requested.has(shown)) return true
  return (
    own.length > 1 &&
    own.length === others.length &&
    own.every((each, index) => {
      const other = others[index] ?? ''
      return each === other || requested.has(other) || requested.has(decoded(other))
    })
  )
}

function decoded(text: string): string {
  return attempt(() => decodeURIComponent(text)) ?? text
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

// What stands in a path for the parameters of its template.
function valuesIn(template: string, path: string): ReadonlySet<string> {
  const segments = (path.split('?', 1)[0] ?? '').split('/')
  const named = template.split('/').flatMap((each, index) => (each.includes('{') ? [index] : []))
  return new Set(named.map((index) => decodeURIComponent(segments[index] ?? '')))
}

// What the items of collections are called, by the paths of both: `billinggroup` of `/billing_groups/{id}`.
function nounsOf(paths: readonly string[]): ReadonlySet<string> {
  const found = paths.flatMap((path) => /([^/{}]+)\/\{[^/]*\}\/?$/.exec(path)?.[1] ?? [])
  return new Set(found.map((each) => plain(each).replace(/ies$/, 'y').replace(/s$/, '')))
}

function isOf(collections: ReadonlySet<string>, path: string): boolean {
  const parent = path.replace(/\/\{[^/]*\}\/?$/, '')
  return collections.has(path) || collections.has(parent)
}

// What a description shows of a parameter or a body is what is sent, and the id that an example of the answer has.
function withExamples(
  document: Json,
  operation: Operation,
  item: Json,
  own: Json,
  answers: readonly unknown[],
): Operation {
  const given = [...listOf(item['parameters']), ...listOf(own['parameters'])].map((each) =>
    follow(document, each),
  )
  const parameters = operation.parameters.map((parameter) => {
    const source =
      given.findLast((each) => each['name'] === parameter.name && each['in'] === parameter.in) ?? {}
    const [shown] = [...bodyExamplesOf(document, source), ...saidOf(document, source['schema'] ?? {})]
    const sent =
      shown ?? (parameter.in === 'path' ? idShown(operation.path, parameter.name, answers) : undefined)
    const isPlain = sent !== undefined && sent !== null && sent !== '' && typeof sent !== 'object'
    return isPlain ? { ...parameter, schema: { enum: [sent] } } : parameter
  })
  return { ...operation, parameters }
}

// By the whole name of the last parameter of a path, or by what of it says which field it means: `id` of `petId`.
function idShown(path: string, name: string, [answer]: readonly unknown[]): unknown {
  if (!path.endsWith(`/{${name}}`) || !isJson(answer)) return undefined
  const suffix = /(uuid|guid|id|key|slug|code|number|sha|name|login)$/.exec(plain(name))?.[0]
  const wanted = [plain(name), suffix, ...(plain(name) === 'username' ? ['login'] : [])]
  const fields = Object.entries(answer)
  return wanted
    .map((each) => fields.find(([field]) => plain(field) === each)?.[1])
    .find((each) => isScalar(each))
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

// Below the first server that is named for the operation, with the defaults of its variables.
function pathBelow(document: Json, item: Json, own: Json, { path }: Operation, request: Request): string {
  if (document['swagger'] === '2.0') return request.path
  const server = [own, item, document].map((holder) => listOf(holder['servers'])[0]).find(isJson)
  const variables = isJson(server?.['variables']) ? server['variables'] : {}
  const url = textOf(server?.['url'] ?? '').replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    textOf((variables[name] as Json | undefined)?.['default'] ?? ''),
  )
  const base = url.replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i, '').replace(/[?#].*$/, '')
  const name = operationPath(document, path)
  const before = request.path.slice(0, path.length - name.length)
  const segments = base.split('/').filter((each) => each !== '' && each !== '.' && each !== '..')
  return `${segments.map((each) => `/${each}`).join('')}${request.path.slice(before.length)}`
}

function originsOf(document: Json, item: Json, own: Json): readonly string[] {
  const { host, schemes } = document
  if (typeof host === 'string')
    return (Array.isArray(schemes) ? schemes : ['https']).map((scheme) => `${textOf(scheme)}://${host}`)
  const servers = [own, item, document]
    .map((holder) => listOf(holder['servers']))
    .find((each) => each.length > 0)
  return (servers ?? []).flatMap((server) =>
    isJson(server) ? (/^https?:\/\/[^/?#{}]+/i.exec(textOf(server['url'])) ?? []) : [],
  )
}

// An origin is the same with the port that its scheme has anyway (RFC 6454, 4).
function withPort(origin: string): readonly string[] {
  if (/:\d+$/.test(origin)) return [origin]
  return [origin, `${origin}:${/^https:/i.test(origin) ? 443 : 80}`]
}

function withOrigin(value: unknown, from: string, to: string): unknown {
  const text = JSON.stringify(value)
  if (value === undefined || !text.includes(from)) return value
  return JSON.parse(
    ['/', '"', '?', '#'].reduce((done, end) => done.replaceAll(`"${from}${end}`, () => `"${to}${end}`), text),
  ) as unknown
}

function operationPath(document: Json, path: string): string {
  const names = Object.keys(document['paths'] as Json).filter((each) => path.endsWith(each))
  return names.toSorted((a, b) => b.length - a.length)[0] ?? path
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
