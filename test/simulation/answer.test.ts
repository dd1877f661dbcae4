import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { linkFromData } from '../../src/engine/links/link.ts'
import { Paged } from '../../src/engine/schema/list.ts'
import type { RouteOptions } from '../../src/engine/route-options.ts'

interface Received {
  readonly status: number
  readonly type: unknown
  readonly headers: Readonly<Record<string, unknown>>
  readonly raw: Buffer
}

async function get(api: SimAPI, url: string): Promise<Received> {
  const { statusCode: status, headers, rawPayload } = await api.asWebApp().inject({ method: 'GET', url })
  return { status, type: headers['content-type'], headers, raw: rawPayload }
}

function apiOf(options: RouteOptions, more = {}): SimAPI {
  return new SimAPI({ seed: 1, ...more }).get('/things', options)
}

const THING = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const pageInput = {
  type: 'object',
  properties: { page: { type: 'integer' }, per_page: { type: 'integer', default: 2 } },
}

describe('an answer of a declared route', () => {
  it('is sent as the media type that its model names, text and bytes alike', async () => {
    const csv = apiOf({
      output: { const: 'a,b\n', type: 'string', contentMediaType: 'text/csv; header=present' },
    })
    expect(await get(csv, '/things')).toMatchObject({
      type: 'text/csv; header=present',
      raw: Buffer.from('a,b\n'),
    })
    const bytes = { const: '//4A', contentMediaType: 'image/png', contentEncoding: 'base64' }
    expect((await get(apiOf({ output: bytes }), '/things')).raw).toEqual(Buffer.from([0xff, 0xfe, 0]))
  })

  it('is a whole list where a link stands on the list', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sim-answer-'))
    writeFileSync(join(folder, 'list.json'), '[{"id":1},{"id":2},{"id":3}]')
    const link = linkFromData({ fromJsonFixture: { path: 'list.json', pointer: '' } }, folder)
    const { raw } = await get(apiOf({ output: { type: 'array', items: THING, ...link } }), '/things')
    expect(JSON.parse(String(raw))).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  })

  it('is a page by the names of its fields, generated alike on every page', async () => {
    const output = Paged({
      type: 'object',
      required: ['data', 'total', 'total_pages'],
      properties: {
        data: { type: 'array', items: THING },
        total: { type: 'integer' },
        total_pages: { type: 'integer' },
      },
    })
    const api = apiOf({ input: pageInput, output, listCount: 5 })
    const read = async (
      query: string,
    ): Promise<{ data: { id: number }[]; total: number; total_pages: number }> =>
      JSON.parse(String((await get(api, `/things?${query}`)).raw))
    const whole = await read('per_page=5')
    expect(whole.data).toHaveLength(5)
    const pages = [await read('page=1'), await read('page=2'), await read('page=3')]
    expect(pages.flatMap(({ data }) => data)).toEqual(whole.data)
    expect(pages.map(({ total, total_pages }) => [total, total_pages])).toEqual([
      [5, 3],
      [5, 3],
      [5, 3],
    ])
  })

  it('is a page of what is stored, filtered too, and describes it by headers', async () => {
    const api = apiOf(
      {
        input: { ...pageInput, properties: { ...pageInput.properties, id: { type: 'integer' } } },
        output: Paged({ type: 'array', items: THING }),
        headers: { link: '{links}', 'x-total': '{total}', 'x-next': '{next}' },
        filterBy: 'id',
      },
      { stateful: true },
    )
    api.seedStore('/things', [{ id: 1 }, { id: 2 }, { id: 3 }])
    const first = await get(api, '/things')
    expect(JSON.parse(String(first.raw))).toEqual([{ id: 1 }, { id: 2 }])
    expect(first.headers).toMatchObject({ 'x-total': '3', 'x-next': '2' })
    expect(first.headers['link']).toContain('/things?page=2>; rel="next"')
    const last = await get(api, '/things?page=2')
    expect(JSON.parse(String(last.raw))).toEqual([{ id: 3 }])
    expect(last.headers).not.toHaveProperty('x-next')
    const one = await get(api, '/things?id=3')
    expect([JSON.parse(String(one.raw)), one.headers['x-total']]).toEqual([[{ id: 3 }], '1'])
  })

  it('begins after the token that a header of the page before it has', async () => {
    const input = { type: 'object', properties: { page_token: { type: 'string' } } }
    const output = Paged({ type: 'array', maxItems: 2, items: THING })
    const api = apiOf({ input, output, headers: { 'x-next-token': '{next}' } }, { stateful: true })
    api.seedStore('/things', [{ id: 1 }, { id: 2 }, { id: 3 }])
    const first = await get(api, '/things')
    const second = await get(api, `/things?page_token=${String(first.headers['x-next-token'])}`)
    expect(JSON.parse(String(second.raw))).toEqual([{ id: 3 }])
    expect(second.headers).not.toHaveProperty('x-next-token')
  })

  it('is as long as its list may be where requests cannot say how long', async () => {
    const input = { type: 'object', properties: { page: { type: 'integer' } } }
    const output = Paged({ type: 'array', maxItems: 3, items: THING })
    const { raw } = await get(apiOf({ input, output, listCount: 8 }), '/things?page=2')
    expect(JSON.parse(String(raw))).toHaveLength(3)
  })

  it('is stored or not as its route says, whatever the app says', async () => {
    const list = { type: 'array', items: THING }
    const kept = await get(apiOf({ output: list, stateful: true }), '/things')
    expect(JSON.parse(String(kept.raw))).toEqual([])
    const made = await get(apiOf({ output: list, stateful: false }, { stateful: true }), '/things')
    expect(JSON.parse(String(made.raw))).toHaveLength(5)
  })

  it('needs a list to be paged', () => {
    expect(() => apiOf({ output: Paged(THING) })).toThrow(
      'GET /things: output is Paged(model) of a model that neither is a list nor has one',
    )
  })
})
