import { basename } from 'node:path'
import { SimAPI } from '../api.ts'
import type { TextFile } from '../data-files/text-file.ts'
import type { GraphqlSource } from '../engine/graphql-source.ts'
import type { Method, RouteDefinition } from '../engine/route.ts'
import { createRoute } from '../engine/route.ts'
import { DescriptionInvalid } from '../errors.ts'
import { countsOf, readSchema, sampleQuery } from '../graphql/read-schema.ts'
import { given, type DocumentOptions, type LoadedDocument } from './target.ts'

/** Where a schema is served. */
const PATH = '/graphql'

/** How many objects of each type there are where nothing else is said. */
const DEFAULT_COUNT = 10

const REQUEST = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    operationName: { type: 'string' },
    variables: { type: 'object' },
  },
  required: ['query'],
}

const RESPONSE = {
  type: 'object',
  properties: {
    data: { type: ['object', 'null'] },
    errors: {
      type: 'array',
      items: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    },
  },
}

/**
 * The app of a GraphQL schema: `POST /graphql` and `GET /graphql`, over the store of all routes.
 * @throws DescriptionInvalid when it cannot be served, or, with `strict`, when anything is wrong
 */
export async function loadGraphql(
  { file, text }: TextFile,
  { defaults, options = {}, strict = false }: DocumentOptions,
): Promise<LoadedDocument> {
  const api = new SimAPI({ ...defaults, ...given(options) })
  const { schema, problems } = await readSchema(text(), basename(file))
  if (strict && problems.length > 0) throw new DescriptionInvalid(problems)
  const { listCount, stateful } = api.options
  const graphql: GraphqlSource = {
    ...{ text: text(), file: basename(file), sample: sampleQuery(schema) },
    listCount: typeof listCount === 'number' ? listCount : DEFAULT_COUNT,
    isClosed: stateful === true,
  }
  const route = (method: Method): RouteDefinition => ({
    ...createRoute(method, PATH, {
      ...{ input: REQUEST, output: RESPONSE, tags: ['GraphQL'] },
      summary:
        method === 'GET' ? 'Queries, and subscriptions by events or a WebSocket' : 'Queries and mutations',
    }),
    graphql,
  })
  api.addRoutes([route('POST'), route('GET')])
  return { api, problems, document: `GraphQL schema, ${countsOf(schema)}` }
}
