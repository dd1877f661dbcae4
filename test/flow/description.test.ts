import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DESCRIPTIONS } from '../openapi/import/read-file.ts'
import { runSim, startSim, type SimServer } from './sim-process.ts'

const describedBy = (name: string): string => join(DESCRIPTIONS, name)
const KEY = { 'x-api-key': 'k' }
const BEARER = { authorization: 'Bearer t' }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sim-description-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('sim run', () => {
  let server: SimServer
  beforeAll(async () => {
    server = await startSim(['run', describedBy('pets.yaml'), '--seed', '1'])
  })
  afterAll(() => server.stop())

  it('says what is not simulated', async () => {
    await server.prints(/not simulated: 1 security scheme, 1 callback, 1 link, 1 external example/)
  })

  it('serves each operation below its base path', async () => {
    const animals = await fetch(`${server.url}/v1/animals`, { headers: BEARER })
    expect(animals.status).toBe(200)
    expect(await animals.json()).toHaveLength(5)
    const diff = await fetch(`${server.url}/v1/diff/a...b`, { headers: BEARER })
    expect([diff.status, await diff.text()]).toEqual([200, ''])
    const missing = (await (await fetch(`${server.url}/animals`)).json()) as { detail: string }
    expect(missing.detail).toContain('ask for /v1/animals')
  })

  it('keeps what is created where the description says so', async () => {
    const headers = { ...KEY, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Rex', secret: 's' })
    const created = await fetch(`${server.url}/v1/pets`, { method: 'POST', headers, body })
    expect(created.status).toBe(201)
    expect(await created.json()).toMatchObject({ id: 1, name: 'Rex' })
    const listed = await fetch(`${server.url}/v1/pets`, { headers: { ...BEARER, 'x-tenant': 'a' } })
    expect(await listed.json()).toMatchObject([{ id: 1, name: 'Rex' }])
  })

  it('answers HEAD by an operation of its own', async () => {
    const response = await fetch(`${server.url}/v1/pets/7`, { method: 'HEAD', headers: BEARER })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

describe('a described target', () => {
  it('is served with others by sim proxy', async () => {
    const server = await startSim([
      'proxy',
      '--routes',
      describedBy('library.json'),
      describedBy('shop/openapi.yaml'),
    ])
    try {
      expect(await (await fetch(`${server.url}/api/books`)).json()).toHaveLength(2)
      expect(await (await fetch(`${server.url}/items`)).json()).toEqual([
        { name: 'Nail', price: { amount: 1 } },
      ])
    } finally {
      await server.stop()
    }
  })

  it('is refused by --strict when it gets something wrong, and served without', async () => {
    const refused = await runSim(['run', describedBy('broken/dangling.yaml'), '--strict', '--port', '0'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /dangling\.yaml:11: #\/paths\/~1a\S+: refers to #\/components\/schemas\/Gone: it is not there\n$/,
    )

    const server = await startSim(['run', describedBy('broken/dangling.yaml')])
    try {
      expect(server.stderr()).toContain('refers to #/components/schemas/Gone')
      expect((await fetch(`${server.url}/b`)).status).toBe(200)
    } finally {
      await server.stop()
    }
  })

  it('is checked by sim validate', async () => {
    expect(await runSim(['validate', describedBy('pets.yaml')])).toMatchObject({
      code: 0,
      stdout: 'OK: 9 routes, 5 links\n',
    })
    const { code, stderr } = await runSim(['validate', describedBy('broken/duplicate-path.yaml')])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /duplicate-path\.yaml:\d+: #\/paths\/~1a~1\{name\}\/get: .*\n1 problem in 2 routes\n$/,
    )
  })

  it('is exported as one document that is served the same', async () => {
    const file = join(folder, 'shop.json')
    expect((await runSim(['export', 'openapi', describedBy('shop/openapi.yaml'), '-o', file])).code).toBe(0)
    expect(await runSim(['validate', file])).toMatchObject({ code: 0, stdout: 'OK: 3 routes, 0 links\n' })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Shop' },
    })
  })

  it('is exported as fixtures', async () => {
    const directory = join(folder, 'fixtures')
    expect(await runSim(['export', 'fixtures', describedBy('orders.json'), '-o', directory])).toMatchObject({
      code: 0,
    })
    expect(readdirSync(directory).toSorted()).toEqual([
      'openapi.json',
      'v2_orders_GET.json',
      'v2_orders_POST.json',
      'v2_orders_id_proof_POST.json',
      'v2_orders_id_proof_PUT.json',
    ])
    expect(JSON.parse(readFileSync(join(directory, 'v2_orders_GET.json'), 'utf8'))).toEqual([
      { id: 1, kind: 'Order' },
    ])
  })

  it.for([
    ['openapi: 3.0.3\na: [', /not valid YAML/],
    ['openapi: 9.9.9', /OpenAPI 9\.9\.9 is not supported/],
    [`openapi: 3.0.3\na: ${'['.repeat(100_000)}`, /more than 200 deep/],
  ] as const)('that begins with %j ends the command with one message', async ([text, message]) => {
    const file = join(folder, 'broken.yaml')
    writeFileSync(file, text)
    const { code, stderr } = await runSim(['run', file, '--port', '0'])
    expect(code).toBe(1)
    expect(stderr).toMatch(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})
