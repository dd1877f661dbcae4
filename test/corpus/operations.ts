import { follow, isJson, textOf, type Json } from './json.ts'

/** An operation as the description states it, OpenAPI 3 and Swagger 2 alike. */
export interface Operation {
  /** `METHOD /path`, without a base path. */
  readonly name: string
  readonly method: string
  /** Below the first server's base path. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Body | undefined
  /** By status, class of statuses, or `default`. */
  readonly responses: ReadonlyMap<string, Content>
  /** Those of each response, without the content type; no key for a response without any. */
  readonly headers: ReadonlyMap<string, readonly Parameter[]>
  readonly credentials: readonly Json[]
}

/** A parameter; `schema` is undefined where the description gives none. */
export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly style: string
  readonly explode: boolean
  /** For a value that is a document of its own. */
  readonly mediaType: string | undefined
  readonly schema: unknown
}

/** A request's body. */
export interface Body {
  readonly required: boolean
  readonly content: Content
  /** How the fields of forms are written, by media type. */
  readonly encodings: ReadonlyMap<string, Json>
}

/** Schemas by media type; undefined where the description gives none. */
export type Content = ReadonlyMap<string, unknown>

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

/** Every operation of a document. */
export function operationsOf(document: Json): Operation[] {
  return Object.entries((document['paths'] ?? {}) as Json).flatMap(([path, item]) => {
    const shared = follow(document, item)
    return METHODS.filter((method) => isJson(shared[method])).map((method) =>
      operation(document, method, path, shared, shared[method] as Json),
    )
  })
}

function operation(document: Json, method: string, path: string, shared: Json, own: Json): Operation {
  const isSwagger = document['swagger'] === '2.0'
  const all = new Map<string, Json>()
  for (const source of [...list(shared['parameters']), ...list(own['parameters'])]) {
    const parameter = follow(document, source)
    if (typeof parameter['in'] !== 'string' || typeof parameter['name'] !== 'string') continue
    all.set(`${parameter['in']} ${parameter['name']}`, parameter)
  }
  for (const [, name = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    const isNamed = all.has(`path ${name}`)
    if (!isNamed) all.set(`path ${name}`, { name, in: 'path', required: true, schema: { type: 'string' } })
  }
  for (const [name, value] of new URLSearchParams(/[?#](.*)$/.exec(path)?.[1] ?? '')) {
    const [, open = ''] = /^\{([^{}]+)\}$/.exec(value) ?? []
    const filled = all.get(`path ${open}`)
    if (filled !== undefined) {
      // Called one of the path, since it stands there: it is a field of the query, which may be described beside it.
      all.delete(`path ${open}`)
      all.set(`query ${name}`, { ...(all.get(`query ${name}`) ?? filled), name, in: 'query', required: true })
      continue
    }
    const isNamed = [...all.values()].some(
      (each) => textOf(each['name']).toLowerCase() === name.toLowerCase(),
    )
    const only = isSwagger ? { type: 'string', enum: [value] } : { schema: { type: 'string', enum: [value] } }
    if (!isNamed && value !== '') all.set(`query ${name}`, { name, in: 'query', required: true, ...only })
  }
  const parameters = [...all.values()]
  const responses = Object.entries((own['responses'] ?? {}) as Json)
    .filter(([status]) => /^([1-5](\d\d|xx)|default)$/i.test(status))
    .map(([status, response]) => [status, follow(document, response)] as const)
  const isBody = ({ in: place }: Json): boolean => place === 'body' || place === 'formData'
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path: `${basePathOf(document, shared, own)}${path.replace(/[?#].*$/, '')}`,
    parameters: parameters
      .filter((parameter) => !isBody(parameter))
      .map(isSwagger ? swaggerParameter : openApiParameter),
    body: isSwagger
      ? swaggerBody(parameters.filter(isBody), list(own['consumes'] ?? document['consumes']))
      : openApiBody(follow(document, own['requestBody']), document),
    responses: new Map(
      responses.map(([status, response]) => [
        status,
        isSwagger
          ? swaggerContent(response, list(own['produces'] ?? document['produces']))
          : content(follow(document, response['content'])),
      ]),
    ),
    headers: new Map(
      responses.flatMap(([status, response]) => {
        const found = headersOf(document, response, isSwagger)
        return found.length === 0 ? [] : [[status, found] as const]
      }),
    ),
    credentials: credentialsOf(document, own),
  }
}

function basePathOf(document: Json, shared: Json, own: Json): string {
  if (document['swagger'] === '2.0') return textOf(document['basePath'] ?? '').replace(/\/$/, '')
  const servers = [own, shared, document]
    .map((holder) => list(holder['servers']))
    .find((each) => each.length > 0)
  const server = (servers?.[0] ?? {}) as Json
  const variables = (server['variables'] ?? {}) as Record<string, Json>
  const url = textOf(server['url'] ?? '')
    .replaceAll(/\{([^{}]*)\}/g, (_, name: string) => textOf(variables[name]?.['default'] ?? ''))
    .replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i, '')
    .replace(/[?#].*$/, '')
  const path = url
    .split('/')
    .filter((part) => !['', '.', '..'].includes(part))
    .join('/')
  return path === '' ? '' : `/${path}`
}

function headersOf(document: Json, response: Json, isSwagger: boolean): Parameter[] {
  return Object.entries((response['headers'] ?? {}) as Json)
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, header]) => {
      const source = { ...follow(document, header), name, in: 'header' }
      return isSwagger ? swaggerParameter(source) : openApiParameter(source)
    })
}

function openApiParameter(source: Json): Parameter {
  const [mediaType, described] = Object.entries((source['content'] ?? {}) as Json)[0] ?? []
  const isForm = source['in'] === 'query' || source['in'] === 'cookie'
  const style = textOf(source['style'] ?? (isForm ? 'form' : 'simple'))
  return {
    name: textOf(source['name']),
    in: textOf(source['in']),
    required: source['required'] === true,
    style,
    explode: source['explode'] === undefined ? style === 'form' : source['explode'] === true,
    mediaType,
    schema: mediaType === undefined ? source['schema'] : (described as Json)['schema'],
  }
}

const COLLECTION_STYLES: Json = { ssv: 'spaceDelimited', pipes: 'pipeDelimited', tsv: 'tabDelimited' }

function swaggerParameter(source: Json): Parameter {
  const { name, in: place, required, collectionFormat, ...schema } = source
  const simple = place === 'query' ? 'form' : 'simple'
  return {
    name: textOf(name),
    in: textOf(place),
    required: required === true,
    style: textOf(COLLECTION_STYLES[textOf(collectionFormat)] ?? simple),
    // Of no effect but on lists, where OpenAPI 3 has `form` explode unless it says otherwise.
    explode: schema['type'] === 'array' ? collectionFormat === 'multi' : simple === 'form',
    mediaType: undefined,
    schema,
  }
}

function openApiBody(source: Json, document: Json): Body | undefined {
  if (source['content'] === undefined) return undefined
  const described = follow(document, source['content'])
  const encodings = Object.entries(described).map(
    ([type, media]) => [type, ((media as Json)['encoding'] ?? {}) as Json] as const,
  )
  return {
    required: source['required'] === true,
    content: content(described),
    encodings: new Map(encodings),
  }
}

function swaggerBody(parameters: readonly Json[], consumes: readonly unknown[]): Body | undefined {
  const [first] = parameters
  if (first === undefined) return undefined
  const required = parameters.some((parameter) => parameter['required'] === true)
  if (first['in'] === 'body') {
    const types = consumes.length === 0 ? ['application/json'] : consumes.map(textOf)
    return { required, content: new Map(types.map((type) => [type, first['schema']])), encodings: new Map() }
  }
  const hasFile = parameters.some((parameter) => parameter['type'] === 'file')
  const type = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, in: _in, required: _required, ...rest }) => [name, rest]),
    ),
    required: parameters.filter((parameter) => parameter['required'] === true).map(({ name }) => name),
  }
  return { required, content: new Map([[type, schema]]), encodings: new Map() }
}

function content(source: unknown): Content {
  return new Map(
    Object.entries((source ?? {}) as Json).map(([type, media]) => [type, (media as Json)['schema']]),
  )
}

function swaggerContent(response: Json, produces: readonly unknown[]): Content {
  const { schema } = response
  if (schema === undefined) return new Map()
  const types = produces.length === 0 ? ['application/json'] : produces.map(textOf)
  return new Map(types.map((type) => [type, schema]))
}

function credentialsOf(document: Json, own: Json): Json[] {
  const [first] = list(own['security'] ?? document['security'])
  const schemes = ((document['components'] as Json | undefined)?.['securitySchemes'] ??
    document['securityDefinitions'] ??
    {}) as Json
  return Object.keys((first ?? {}) as Json).map((name) => follow(document, schemes[name]))
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
