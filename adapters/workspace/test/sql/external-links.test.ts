import { describe } from 'vitest'
import { clientOf, clientTest } from '../client.ts'

const rows = [
  ['1', 'plain'],
  ['2', 'a "quoted", one\r\nof two lines'],
  [null, ''],
]
const columns = [
  { name: 'id', type: 'INT' },
  { name: 'the, text', type: 'STRING' },
]
const config = {
  auth: { mode: 'strict', tokens: [{ token: 'ada', user: 'ada@example.com' }] },
  fixture: {
    version: 1,
    users: [{ userName: 'ada@example.com' }],
    warehouses: [{ id: 'w', name: 'w', state: 'RUNNING' }],
    statements: [{ sql: 'select 1', result: { columns, rows, rowsPerChunk: 2 } }],
  },
} as const
const execute = { warehouse_id: 'w', statement: 'SELECT 1', disposition: 'EXTERNAL_LINKS' } as const

const it = clientTest(config)

describe('external links', () => {
  it('lead to the rows of each chunk as JSON, without credentials', async ({ mock, expect }) => {
    const { statementExecution } = clientOf(mock, 'ada')

    const answer = await statementExecution.executeStatement(execute)
    const [link] = answer.result?.external_links ?? []
    const response = await fetch(link?.external_link as string)
    const text = await response.text()

    expect(response.headers.get('content-type')).toBe('application/json')
    expect(text).toBe(JSON.stringify(rows.slice(0, 2)))
    expect(link).toMatchObject({
      chunk_index: 0,
      row_offset: 0,
      row_count: 2,
      byte_count: text.length,
      next_chunk_index: 1,
      expiration: '2026-01-01T00:15:00.000Z',
    })
    expect(link?.external_link?.startsWith(`${mock.baseUrl}/`)).toBe(true)
    const next = await statementExecution.getStatementResultChunkN({
      statement_id: answer.statement_id as string,
      chunk_index: 1,
    })
    const [last] = next.external_links ?? []
    expect(last).not.toHaveProperty('next_chunk_index')
    const rest = await (await fetch(last?.external_link as string)).text()
    expect(JSON.parse(rest)).toEqual(rows.slice(2))
    expect(answer.manifest).toMatchObject({
      chunks: [{ byte_count: text.length }, { byte_count: rest.length }],
      total_byte_count: text.length + rest.length,
    })
  })

  it('lead to the rows of each chunk as CSV, with a header in the first', async ({ mock, expect }) => {
    const { statementExecution } = clientOf(mock, 'ada')

    const answer = await statementExecution.executeStatement({ ...execute, format: 'CSV' })
    const links = await Promise.all(
      [0, 1].map(async (chunk_index) => {
        const { external_links } = await statementExecution.getStatementResultChunkN({
          statement_id: answer.statement_id as string,
          chunk_index,
        })
        return external_links?.[0]?.external_link as string
      }),
    )

    expect(await Promise.all(links.map(async (link) => (await fetch(link)).text()))).toEqual([
      'id,"the, text"\r\n1,plain\r\n2,"a ""quoted"", one\r\nof two lines"\r\n',
      'null,\r\n',
    ])
  })

  it('end after a quarter of an hour, and cannot be made up', async ({ mock, expect }) => {
    const { statementExecution } = clientOf(mock, 'ada')
    const answer = await statementExecution.executeStatement(execute)
    const link = new URL(answer.result?.external_links?.[0]?.external_link as string)
    const fetched = async (url: URL) => {
      const response = await fetch(url)
      return [response.status, ((await response.json()) as { message: string }).message]
    }
    const changed = (change: (url: URL) => void): URL => {
      const url = new URL(link)
      change(url)
      return url
    }

    for (const forged of [
      changed((url) => url.searchParams.set('expires', '9999999999999')),
      changed((url) => url.searchParams.delete('signature')),
      changed((url) => void (url.pathname = url.pathname.replace(/0$/, '1'))),
    ])
      expect(await fetched(forged)).toEqual([403, 'This link was not made here.'])
    mock.adapter.clock.advance(15 * 60_000)
    expect((await fetch(link)).status).toBe(200)
    mock.adapter.clock.advance(1)
    expect(await fetched(link)).toEqual([
      403,
      'This link has expired; ask for the chunk again to get another.',
    ])
  })
})
