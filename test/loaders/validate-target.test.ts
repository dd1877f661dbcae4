import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { validateTarget } from '../../src/loaders/validate-target.ts'
import { LinksInvalid } from '../../src/errors.ts'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'

const shared = globalThis as { simTest?: object }

const SHOP = `
options: { seed: 1, server_urls: ['https://api.example.com'] }
routes:
  GET /products/{sku}:
    output:
      type: object
      properties:
        product:
          type: object
          properties: { name: { type: string } }
          x-sim-link: { fromNestedFixture: { path: shop.json, pointer: products, where: { sku: sku }, strict: true } }
  GET /self: { output: { const: { self: 'https://api.example.com/self' } } }
`

let folder: TemporaryFolder
beforeAll(() => {
  shared.simTest = {
    api: () => new SimAPI({ seed: 1 }).get('/x'),
    web: () => Fastify(),
    twice: () => new SimAPI().get('/x').get('/x'),
    links: () => {
      throw new LinksInvalid(['GET /x: A.b: is wrong', 'GET /y: A.c: is wrong'])
    },
    config: (directory: string) => SimAPI.fromConfig(`${directory}/sim.yaml`),
    fault: () => {
      throw new TypeError('a fault')
    },
  }
  const files = ['api', 'web', 'twice', 'links', 'fault'].map((name) => [
    `${name}.mjs`,
    `export const target = globalThis.simTest.${name}()\n`,
  ])
  folder = temporaryFolder({
    ...Object.fromEntries(files),
    'shop/shop.json': '{ "products": [{ "sku": "pot-1", "name": "Teapot" }] }',
    'shop/routes.yaml': SHOP,
    'bad/sim.yaml': 'sede: 1\nstateful: 2\n',
    'bad/api.mjs': 'export const target = globalThis.simTest.api()\n',
    'bad/config.mjs': 'export const target = globalThis.simTest.config(import.meta.dirname)\n',
  })
})
afterAll(() => {
  folder[Symbol.dispose]()
  delete shared.simTest
})

async function messagesOf(target: string): Promise<string[]> {
  const { problems } = await validateTarget(target, folder.path)
  return problems.map(({ message }) => message.replace(`${folder.path}/`, ''))
}

describe('a target', () => {
  it('may have strict fixtures without what is sampled, and URLs that its clients get as those of the gateway', async () => {
    const { problems, warnings } = await validateTarget('shop/routes.yaml', folder.path)
    expect([problems, warnings.map(({ message }) => message)]).toEqual([
      [],
      [expect.stringMatching(/GET \/products\/\{sku\}: no answer could be sampled: .*Fixture miss/)],
    ])
  })

  it('that works has no problems', async () => {
    expect(await validateTarget('api.mjs', folder.path)).toEqual({
      problems: [],
      warnings: [],
      notes: [],
      routes: 1,
      links: 0,
    })
  })

  it.for([
    ['web.mjs', ["'web.mjs' is a web app; only the declared routes of a SimAPI can be checked"]],
    ['nowhere.mjs', [expect.stringMatching(/^Module 'nowhere\.mjs' not found/) as unknown]],
    [
      'twice.mjs',
      [expect.stringMatching(/:\d+:\d+: Duplicate GET endpoint registered for path '\/x'$/) as string],
    ],
    ['links.mjs', ['GET /x: A.b: is wrong', 'GET /y: A.c: is wrong']],
    [
      'fault.mjs',
      [expect.stringMatching(/^Module 'fault.mjs' could not be loaded: \S+:\d+:\d+: a fault$/) as string],
    ],
  ] as const)('%s that cannot be loaded is a problem', async ([target, messages]) => {
    expect(await messagesOf(target)).toEqual(messages)
  })

  it.for(['bad/api.mjs', 'bad/config.mjs'])(
    '%s has the problems of its config file reported, once',
    async (target) => {
      expect(await messagesOf(target)).toEqual([
        "bad/sim.yaml:1: unknown key 'sede'. Did you mean 'seed'?",
        'bad/sim.yaml:2: stateful must be true or false, not 2',
      ])
    },
  )
})
