import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { OptionInvalid } from '../../../src/errors.ts'
import { importFile } from '../import/read-file.ts'

describe('an app that a document describes', () => {
  it('is described by it', () => {
    const { routes, document } = importFile('library.json')
    expect(new SimAPI().addRoutes(routes, document).openapi()).toEqual(document())
  })

  it('has a title, a version and servers of its own where its options say so', () => {
    const { routes, document } = importFile('library.json')
    const api = new SimAPI({ title: 'Mine', version: '9', servers: ['https://mine.example'] })
    const described = api.addRoutes(routes, document).openapi()
    expect(described.info).toEqual({ title: 'Mine', version: '9' })
    expect(described.servers).toEqual([{ url: 'https://mine.example' }])
  })

  it('is described with its other routes, which have names of their own', () => {
    const { routes, document } = importFile('pets.yaml')
    const Pet = { title: 'Pet', type: 'object', properties: { wild: { type: 'boolean' } } }
    const api = new SimAPI().addRoutes(routes, document).get('/wild', { output: Pet, bearerTokens: ['t'] })
    const { paths, components } = api.openapi()
    expect(Object.keys(paths)).toEqual([...Object.keys(document().paths), '/wild'])
    expect(paths['/wild']?.get).toMatchObject({
      servers: [{ url: '/' }],
      security: [{ bearerAuth: [] }],
      responses: {
        200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet2' } } } },
      },
    })
    expect(components?.schemas?.['Pet']).toEqual(document().components?.schemas?.['Pet'])
    expect(components?.securitySchemes).toMatchObject({ bearerAuth: {}, basic: {} })
  })

  it('shows sampled answers where the document has no examples', () => {
    const { routes, document } = importFile('pets.yaml')
    const api = new SimAPI().addRoutes(routes, document)
    const examples = new Map([
      ['GET /v1/pets', ['sampled']],
      ['GET /v1/animals', ['sampled']],
    ])
    const text = JSON.stringify(api.openapi(examples))
    expect(text.match(/"example":\["sampled"\]/g)).toHaveLength(1)
    expect(api.openapi()).toEqual(document())
  })

  it('has one description only', () => {
    const { routes, document } = importFile('library.json')
    const api = new SimAPI().addRoutes(routes, document)
    expect(() => api.addRoutes([], document)).toThrow(OptionInvalid)
    expect(() => api.addRoutes(routes)).toThrow(/Duplicate GET endpoint/)
  })
})
