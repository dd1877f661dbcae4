import { describe, expect, it } from 'vitest'
import { textFile } from '../../../src/data-files/text-file.ts'
import { loadDescription } from '../../../src/loaders/load-description.ts'
import { sampleRoutes } from '../../../src/loaders/sampling/sample-routes.ts'

const LIST = { type: 'array', minItems: 2, items: { type: 'string', minLength: 1, pattern: '^[a-z ,|é]+$' } }
const TABLE = {
  type: 'object',
  required: ['a', 'b'],
  properties: { a: { type: 'integer' }, b: { type: 'string', minLength: 1 } },
}

async function sampled(operation: object, path = '/x', more: object = {}) {
  const responses = { 200: { description: 'A' } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { [path]: { post: { responses, ...operation } } },
    ...more,
  }
  const { api, problems } = await loadDescription(textFile('/tmp/a.json', JSON.stringify(document)), {
    defaults: {},
  })
  expect(problems).toEqual([])
  const [sample] = await sampleRoutes(api)
  return sample?.kind === 'answered' ? 'answered' : sample?.reason
}

describe('a sampled request to an operation', () => {
  it.for([
    ...['simple', 'label', 'matrix'].map((style) => ['path', style] as const),
    ...['form', 'spaceDelimited', 'pipeDelimited'].map((style) => ['query', style] as const),
    ['header', 'simple'],
    ['cookie', 'form'],
  ] as const)('has parameters in the %s in the style %s', async ([place, style]) => {
    for (const schema of [{ type: 'integer' }, LIST, TABLE]) {
      for (const explode of [false, true]) {
        // These two are for lists alone, and an exploded object has no name of its own among cookies.
        if (style.endsWith('Delimited') && (schema !== LIST || explode)) continue
        if (place === 'cookie' && explode && schema !== TABLE) continue
        const parameters = [{ name: 'p', in: place, required: true, style, explode, schema }]
        expect(await sampled({ parameters }, place === 'path' ? '/x/{p}' : '/x')).toBe('answered')
      }
    }
  })

  it('has parameters in deepObject style, and documents of their own', async () => {
    const parameters = [
      { name: 'deep', in: 'query', required: true, style: 'deepObject', schema: TABLE },
      { name: 'json', in: 'query', required: true, content: { 'application/json': { schema: TABLE } } },
    ]
    expect(await sampled({ parameters })).toBe('answered')
  })

  it.for([
    ['application/json'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data'],
    ['application/*'],
  ] as const)('has a body of the type %s', async ([type]) => {
    expect(await sampled({ requestBody: { required: true, content: { [type]: { schema: TABLE } } } })).toBe(
      'answered',
    )
  })

  it('has a body of text', async () => {
    const content = { 'text/plain': { schema: { type: 'string', minLength: 3 } } }
    expect(await sampled({ requestBody: { required: true, content } })).toBe('answered')
  })

  it.for([
    [{ type: 'http', scheme: 'bearer' }],
    [{ type: 'apiKey', in: 'header', name: 'X-Key' }],
    [{ type: 'apiKey', in: 'query', name: 'key' }],
    [{ type: 'apiKey', in: 'cookie', name: 'key' }],
    [{ type: 'oauth2', flows: {} }],
  ])('shows the credentials of %o', async ([scheme]) => {
    const components = { securitySchemes: { scheme } }
    expect(await sampled({ security: [{ scheme: [] }] }, '/x', { components })).toBe('answered')
    expect(
      await sampled({ security: [{ scheme: [] }], 'x-sim-bearer-tokens': ['t'] }, '/x', { components }),
    ).toBe('answered')
  })

  it('shows a name and a password', async () => {
    const components = { securitySchemes: { scheme: { type: 'http', scheme: 'basic' } } }
    expect(await sampled({ security: [{ scheme: [] }] }, '/x', { components })).toBe('answered')
  })
})
