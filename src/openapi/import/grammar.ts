/** The objects of a description, and what each is called in messages. */
export const KIND_NAMES = {
  document: 'an object',
  components: 'an object',
  pathItem: 'a path item',
  operation: 'an operation',
  parameter: 'a parameter',
  requestBody: 'a request body',
  mediaType: 'a media type',
  encoding: 'an encoding',
  response: 'a response',
  header: 'a header',
  schema: 'a schema',
  example: 'an example',
  link: 'a link',
  callback: 'a callback',
  securityScheme: 'a security scheme',
  server: 'a server',
} as const

export type Kind = keyof typeof KIND_NAMES

/** What a field holds: an object of a kind, several by name, or a list of them. */
export interface Field {
  readonly holds: 'one' | 'named' | 'list'
  readonly kind: Kind
}

const one = (kind: Kind): Field => ({ holds: 'one', kind })
const named = (kind: Kind): Field => ({ holds: 'named', kind })
const list = (kind: Kind): Field => ({ holds: 'list', kind })

/** The methods that a path item has a field for; it has others under `additionalOperations`. */
export const METHODS = [
  ...['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'],
  // OpenAPI 3.2.
  'query',
]

const BODY = { schema: one('schema'), examples: named('example') }

/** The fields of each kind that hold objects. What a schema holds its keywords say. */
export const FIELDS: Readonly<Partial<Record<Kind, Readonly<Record<string, Field>>>>> = {
  document: {
    paths: named('pathItem'),
    webhooks: named('pathItem'),
    'x-webhooks': named('pathItem'),
    components: one('components'),
    servers: list('server'),
  },
  components: {
    schemas: named('schema'),
    responses: named('response'),
    parameters: named('parameter'),
    examples: named('example'),
    requestBodies: named('requestBody'),
    headers: named('header'),
    securitySchemes: named('securityScheme'),
    links: named('link'),
    callbacks: named('callback'),
    pathItems: named('pathItem'),
    mediaTypes: named('mediaType'),
  },
  pathItem: {
    ...Object.fromEntries(METHODS.map((method) => [method, one('operation')])),
    additionalOperations: named('operation'),
    parameters: list('parameter'),
    servers: list('server'),
  },
  operation: {
    parameters: list('parameter'),
    requestBody: one('requestBody'),
    responses: named('response'),
    callbacks: named('callback'),
    servers: list('server'),
  },
  parameter: { ...BODY, content: named('mediaType') },
  requestBody: { content: named('mediaType') },
  mediaType: {
    ...BODY,
    // OpenAPI 3.2.
    itemSchema: one('schema'),
    encoding: named('encoding'),
    prefixEncoding: list('encoding'),
    itemEncoding: one('encoding'),
  },
  encoding: { headers: named('header') },
  response: { headers: named('header'), content: named('mediaType'), links: named('link') },
  header: { ...BODY, content: named('mediaType') },
}
