/**
 * The part of the page's script that knows OpenAPI: what a schema allows in words, a sample of it, a request
 * and its curl line. It touches no page.
 */
export const MODEL_SCRIPT = String.raw`
function resolveReference(doc, schema) {
  let found = schema
  for (let step = 0; step < 32 && found && typeof found.$ref === 'string'; step++) {
    found = found.$ref
      .slice(2)
      .split('/')
      .reduce((at, key) => at?.[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')], doc)
  }
  return found ?? {}
}

function typesOf(schema) {
  return schema.type === undefined ? [] : [schema.type].flat()
}

function typeText(doc, schema) {
  if (schema === null || typeof schema !== 'object') return schema === false ? 'nothing' : 'anything'
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const members = schema.anyOf ?? schema.oneOf
  if (Array.isArray(members)) return members.map((member) => typeText(doc, member)).join(' | ')
  const names = typesOf(schema).map((type) =>
    type === 'array' ? 'list of ' + typeText(doc, schema.items) : type,
  )
  const bounds = [
    schema.format,
    ...Object.entries(BOUNDS).flatMap(([keyword, sign]) =>
      keyword in schema ? [sign + ' ' + schema[keyword]] : [],
    ),
  ]
  const known = bounds.filter((bound) => bound !== undefined)
  return (names.join(' | ') || 'anything') + (known.length > 0 ? ' (' + known.join(', ') + ')' : '')
}

const BOUNDS = {
  minimum: '≥',
  exclusiveMinimum: '>',
  maximum: '≤',
  exclusiveMaximum: '<',
  minLength: 'length ≥',
  maxLength: 'length ≤',
  minItems: 'items ≥',
  maxItems: 'items ≤',
  multipleOf: 'multiple of',
  pattern: 'matches',
}

const FORMATS = {
  'date-time': '2024-01-01T00:00:00Z',
  date: '2024-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'ada@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'urn:example:1',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
}

function sampleOf(doc, given, depth = 0) {
  const schema = resolveReference(doc, given)
  if (typeof schema !== 'object') return 'text'
  for (const shown of [
    schema.default,
    schema.example,
    schema.examples?.[0],
    schema.const,
    schema.enum?.[0],
  ]) {
    if (shown !== undefined) return shown
  }
  const [member] = (schema.anyOf ?? schema.oneOf ?? []).filter(
    (each) => resolveReference(doc, each).type !== 'null',
  )
  if (member !== undefined)
    return merged(sampleOf(doc, member, depth + 1), schema.properties && sampleObject(doc, schema, depth))
  if (Array.isArray(schema.allOf)) {
    return [
      ...schema.allOf.map((part) => sampleOf(doc, part, depth + 1)),
      schema.properties && sampleObject(doc, schema, depth),
    ].reduce(merged)
  }
  const type =
    typesOf(schema).find((each) => each !== 'null') ??
    (schema.properties ? 'object' : schema.type === undefined ? 'string' : 'null')
  return SAMPLES[type]?.(doc, schema, depth) ?? null
}

function merged(left, right) {
  if (right === undefined) return left
  return left !== null && typeof left === 'object' && right !== null && typeof right === 'object'
    ? { ...left, ...right }
    : right
}

const SAMPLES = {
  string: (doc, { format, minLength = 0, maxLength = Infinity }) =>
    FORMATS[format] ?? 'text'.padEnd(Math.min(minLength, 1000), 'x').slice(0, maxLength),
  integer: (doc, schema) => sampleNumber(schema),
  number: (doc, schema) => sampleNumber(schema),
  boolean: () => true,
  object: sampleObject,
  array(doc, { items, prefixItems = [], minItems = 1 }, depth) {
    if (depth > 6) return []
    const first = prefixItems.map((item) => sampleOf(doc, item, depth + 1))
    const more = items === false ? 0 : Math.max(0, Math.min(minItems, 20) - first.length)
    return [...first, ...Array.from({ length: more }, () => sampleOf(doc, items ?? true, depth + 1))]
  },
}

function sampleNumber({ minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf }) {
  const least = exclusiveMinimum === undefined ? (minimum ?? 1) : exclusiveMinimum + (multipleOf ?? 1)
  const most = exclusiveMaximum === undefined ? (maximum ?? Infinity) : exclusiveMaximum - (multipleOf ?? 1)
  const value = Math.min(least, most)
  return multipleOf === undefined ? value : Math.ceil(value / multipleOf) * multipleOf
}

function sampleObject(doc, { properties = {}, required = [] }, depth) {
  const shown = Object.entries(properties).filter(
    ([name]) => depth < 3 || (required.includes(name) && depth < 12),
  )
  return Object.fromEntries(shown.map(([name, property]) => [name, sampleOf(doc, property, depth + 1)]))
}

function sampleText(doc, parameter) {
  const sample = sampleOf(doc, parameter.schema)
  if (Array.isArray(sample)) return sample.join(',')
  return parameter.in === 'path' && sample === 'text' ? '1' : String(sample)
}

function urlOf(base, path, parameters, values) {
  const byName = (place) =>
    parameters
      .map((parameter, index) => [parameter, values[index] ?? ''])
      .filter(([parameter]) => parameter.in === place)
  const texts = new Map(byName('path').map(([{ name }, value]) => [name, value]))
  const filled = path.replace(/\{([^{}]+)\}/g, (whole, name) => encodeURIComponent(texts.get(name) ?? ''))
  const query = new URLSearchParams()
  for (const [{ name, explode }, value] of byName('query')) {
    if (value !== '') for (const each of explode ? value.split(',') : [value]) query.append(name, each.trim())
  }
  const search = query.toString()
  return base.replace(/\/$/, '') + filled + (search === '' ? '' : '?' + search)
}

function headersOf(parameters, values) {
  return Object.fromEntries(
    parameters
      .map((parameter, index) => [parameter, values[index] ?? ''])
      .filter(([parameter, value]) => parameter.in === 'header' && value !== '')
      .map(([{ name }, value]) => [name.toLowerCase(), value]),
  )
}

function bodyOf(doc, operation) {
  const content = Object.entries(resolveReference(doc, resolveReference(doc, operation.requestBody).content))
  const [type, media] = content.find(([name]) => /[/+]json/.test(name)) ?? content[0] ?? []
  if (type === undefined) return undefined
  const sample = media.example ?? Object.values(media.examples ?? {})[0]?.value ?? sampleOf(doc, media.schema ?? true)
  return { type, schema: media.schema ?? {}, text: bodyText(type, sample) }
}

function bodyText(type, sample) {
  if (typeof sample === 'string') return sample
  if (type !== 'application/x-www-form-urlencoded') return JSON.stringify(sample, null, 2)
  const fields = Object.entries(sample ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return new URLSearchParams(fields).toString()
}

function credentialsOf(doc, operation) {
  const needs = operation.security ?? doc.security ?? []
  const schemes = needs.flatMap((need) => Object.keys(need)).map((name) => doc.components?.securitySchemes?.[name])
  return [...new Set(schemes.filter(Boolean))]
}

function present(schemes, secret, headers, url) {
  for (const { type, scheme, name, in: place } of secret === '' ? [] : schemes) {
    if (type === 'apiKey' && place === 'header') headers[name.toLowerCase()] = secret
    else if (type === 'apiKey' && place === 'query') url.searchParams.set(name, secret)
    else if (scheme?.toLowerCase() === 'basic') headers.authorization = 'Basic ' + btoa(secret)
    else if (type !== 'apiKey') headers.authorization = 'Bearer ' + secret
  }
}

function quote(text) {
  return "'" + text.replaceAll("'", "'\\''") + "'"
}

function compact(text) {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

function curlOf(method, url, guarded, body, type = 'application/json', headers = {}) {
  const parts = ['curl -X ' + method, quote(url)]
  if (guarded) parts.push('-H "Authorization: Bearer $TOKEN"')
  for (const [name, value] of Object.entries(headers)) parts.push('-H ' + quote(name + ': ' + value))
  if (body !== '') parts.push("-H 'Content-Type: " + type + "'", '-d ' + quote(body))
  return parts.join(' ')
}

function operationsByGroup(doc) {
  const groups = new Map()
  for (const [path, item] of Object.entries(doc.paths ?? {})) {
    const fields = ['get', 'head', 'query', 'post', 'put', 'patch', 'delete']
      .map((field) => [field.toUpperCase(), item[field]])
    for (const [method, operation] of [...fields, ...Object.entries(item.additionalOperations ?? {})]) {
      if (operation === undefined) continue
      const group = operation.tags?.[0] ?? '/' + (path.split('/')[1] ?? '')
      groups.set(group, [...(groups.get(group) ?? []), { path, method, operation }])
    }
  }
  return groups
}
`
