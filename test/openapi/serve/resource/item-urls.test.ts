import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { described, gatewayOf, inPath, json } from '../describing.ts'

type Entry = Record<string, unknown>

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const uri = { type: 'string', format: 'uri' }
const Client = {
  type: 'object',
  required: ['id', 'url', 'website', 'href', 'uri'],
  properties: {
    id: { type: 'string' },
    url: { ...uri, readOnly: true },
    website: { ...uri, readOnly: true },
    href: uri,
    uri: { ...uri, readOnly: true, examples: ['https://cdn.example/logo'] },
  },
}

it('are those of items where servers alone set them, and nothing else is shown', async () => {
  const app = gatewayOf([
    described('GET', '/clients', [json(200, { type: 'array', items: Client })]),
    described('GET', '/clients/{id}', [json(200, Client)], { parameters: [inPath('id')] }),
  ])
  open.push(app)
  const list = (await app.inject({ url: '/clients', headers: { host: 'sim.test' } })).json<Entry[]>()
  for (const { id, url, website, href, uri: logo } of list) {
    expect(url).toBe(`http://sim.test/clients/${String(id)}`)
    expect(logo).toBe('https://cdn.example/logo')
    for (const other of [website, href]) expect(other).not.toContain('sim.test')
  }
})
