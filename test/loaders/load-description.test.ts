import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { textFile } from '../../src/data-files/text-file.ts'
import { loadDescription } from '../../src/loaders/load-description.ts'
import type { DocumentOptions } from '../../src/loaders/target.ts'
import { validateApp } from '../../src/loaders/validate-app.ts'
import { sampleRoutes } from '../../src/loaders/sampling/sample-routes.ts'
import { DescriptionInvalid } from '../../src/errors.ts'
import { DESCRIPTIONS } from '../openapi/import/read-file.ts'

async function load(name: string, options: Partial<DocumentOptions> = {}) {
  const file = join(DESCRIPTIONS, name)
  return loadDescription(textFile(file, readFileSync(file, 'utf8')), { defaults: {}, ...options })
}

describe('loadDescription', () => {
  it('gives an app with the options of routes that the description has', async () => {
    const { api, notes } = await load('pets.yaml', { defaults: { listCount: 4 }, options: { seed: 7 } })
    expect(api.seed).toBe(7)
    expect(api.routes[0]?.options).toMatchObject({ listCount: 3, latencyMs: 0, errorRate: 0 })
    expect(api.routes[5]?.options).toMatchObject({ listCount: 4 })
    expect(notes).toEqual([
      'security scheme: digest',
      'callback: onSold',
      'link: GetPet',
      'external example: far',
    ])
  })

  it('reports options that cannot be with their places', async () => {
    const text =
      'openapi: 3.1.0\npaths:\n  /a:\n    get:\n      x-sim-latency-ms: -1\n      x-sim-nothing: 1\n      responses: {200: {}}'
    const { problems } = await loadDescription(textFile('/tmp/a.yaml', text), { defaults: {} })
    expect(problems).toEqual([
      expect.stringMatching(/^\/tmp\/a\.yaml:5: #\/paths\/~1a\/get\/x-sim-latency-ms: .*must be a number/),
      expect.stringMatching(/^\/tmp\/a\.yaml:6: #\/paths\/~1a\/get\/x-sim-nothing: .*no such option/),
    ])
  })

  it('names the other files it read', async () => {
    const { files } = await load('shop/openapi.yaml')
    expect(files?.map((file) => file.slice(DESCRIPTIONS.length))).toEqual([
      '/shop/items.yaml',
      '/shop/parts.json',
      '/shop/schemas/item.yaml',
    ])
  })

  it('serves what is right, unless it is strict', async () => {
    const { api, problems } = await load('broken/dangling.yaml')
    expect([api.routes.length, problems.length]).toEqual([2, 1])
    await expect(load('broken/dangling.yaml', { strict: true })).rejects.toThrow(DescriptionInvalid)
  })

  it('checks the rules of the specification when it is thorough', async () => {
    const text =
      'openapi: 3.0.3\ninfo:\n  title: A\n  version: "1"\npaths:\n  /a:\n    get:\n      responses:\n        200: {content: {}}\n      tags: [1]'
    const defaults = {}
    expect((await loadDescription(textFile('/tmp/a.yaml', text), { defaults })).problems).toEqual([])
    expect(
      (await loadDescription(textFile('/tmp/a.yaml', text), { defaults, thorough: true })).problems,
    ).toEqual([
      "/tmp/a.yaml:9: #/paths/~1a/get/responses/200: must have required property 'description'",
      '/tmp/a.yaml:10: #/paths/~1a/get/tags/0: must be string',
    ])
    await expect(loadDescription(textFile('/tmp/a.yaml', text), { defaults, strict: true })).rejects.toThrow(
      /must be string/,
    )
  })

  it.for(['pets.yaml', 'library.json', 'orders.json', 'shop/openapi.yaml'])(
    'gives an app whose every operation answers as %s says',
    async (name) => {
      const { api } = await load(name, { thorough: true, options: { seed: 1 } })
      const { problems } = await validateApp(api)
      expect(problems).toEqual([])
      for (const { kind } of await sampleRoutes(api)) expect(kind).toBe('answered')
    },
  )

  it('warns of examples that do not fit', async () => {
    const schema = 'schema: {type: integer}, example: a'
    const text = `openapi: 3.1.0\ninfo: {title: a, version: a}\npaths: {/a: {get: {responses: {200: {description: A, content: {application/json: {${schema}}}}}}}}`
    const { api } = await loadDescription(textFile('/tmp/a.yaml', text), { defaults: {} })
    const { warnings } = await validateApp(api)
    expect(warnings.map(({ message }) => message)).toEqual([
      "GET /a: 200 application/json: the example 'default' does not fit its schema and is passed over: the value: Value must be integer",
    ])
  })
})
