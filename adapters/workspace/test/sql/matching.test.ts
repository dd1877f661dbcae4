import { describe, expect, it } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import type { StatementCall } from '../../src/sql/result.ts'
import { ask } from '../client.ts'

const answering = (value: string) => ({ columns: [{ name: 'x', type: 'STRING' }], rows: [[value]] })

interface Answer {
  readonly status: { readonly state: string; readonly error?: { readonly message: string } }
  readonly result?: { readonly data_array: readonly (readonly (string | null)[])[] }
}

function open(statements: readonly object[], config: object = {}): WorkspaceMockContext {
  const warehouses = [
    { id: 'w', name: 'w', state: 'RUNNING' },
    { id: 'v', name: 'v', state: 'RUNNING' },
  ]
  return new WorkspaceMockContext({ ...config, fixture: { version: 1, warehouses, statements } })
}

async function run(
  mock: WorkspaceMockContext,
  statement: string,
  request: object = {},
): Promise<string | null> {
  const { body } = await ask(mock, 'POST', '/api/2.0/sql/statements', {
    warehouse_id: 'w',
    statement,
    ...request,
  })
  const { status, result } = body as Answer
  return result?.data_array[0]?.[0] ?? status.error?.message ?? status.state
}

const NONE = expect.stringMatching(/^No matcher/) as string

describe('matchers of statements', () => {
  it('fit a text character by character, a statement by its sense, and a pattern as a whole', async () => {
    using mock = open([
      { text: 'SELECT 1', result: answering('text') },
      { sql: 'select a from T', result: answering('sql') },
      { pattern: String.raw`insert into \w+\s+.*`, result: answering('pattern') },
    ])

    expect(await run(mock, 'SELECT 1')).toBe('text')
    expect(await run(mock, 'select 1')).toEqual(NONE)
    expect(await run(mock, ' SELECT a -- the column\nFROM\tt /* all\nof it */ ; ')).toBe('sql')
    expect(await run(mock, 'INSERT INTO people\nVALUES (1)')).toBe('pattern')
    expect(await run(mock, 'EXPLAIN insert into people values (1)')).toEqual(NONE)
  })

  it('fit by parameters, warehouse, catalog and schema too, and the first wins', async () => {
    const sql = 'select :id'
    using mock = open([
      { sql, parameters: { id: 7 }, result: answering('seven') },
      { sql, parameters: { id: null }, result: answering('null') },
      { sql, warehouse: 'v', result: answering('v') },
      { sql, catalog: 'main', schema: 'sales', result: answering('sales') },
      { sql, result: answering('other') },
      { sql, result: answering('never') },
    ])
    const given = (value?: string) => ({ parameters: [{ name: 'id', type: 'INT', ...(value && { value }) }] })

    expect(await run(mock, sql, given('7'))).toBe('seven')
    expect(await run(mock, sql, given())).toBe('null')
    expect(await run(mock, sql, given('8'))).toBe('other')
    expect(await run(mock, sql)).toBe('other')
    expect(await run(mock, sql, { warehouse_id: 'v' })).toBe('v')
    expect(await run(mock, sql, { catalog: 'main', schema: 'sales' })).toBe('sales')
    expect(await run(mock, sql, { catalog: 'main' })).toBe('other')
  })

  it('step back once they have answered as often as they may', async () => {
    using mock = open([
      { sql: 'select 1', times: 2, error: { message: 'busy' } },
      { sql: 'select 1', result: answering('done') },
    ])
    const answers = async () => [await run(mock, 'select 1'), await run(mock, 'select 1')]

    expect(await answers()).toEqual(['busy', 'busy'])
    const snapshot = JSON.parse(JSON.stringify(mock.adapter.snapshot())) as never
    expect(await answers()).toEqual(['done', 'done'])
    mock.reset()
    expect(await answers()).toEqual(['busy', 'busy'])
    mock.adapter.restore(snapshot)
    expect(await answers()).toEqual(['done', 'done'])
  })

  it('cannot be made to hang by a pattern that backtracks without end', { timeout: 20_000 }, async () => {
    using mock = open([
      { pattern: '(a+)+b', result: answering('never') },
      { pattern: '.*', result: answering('rest') },
    ])
    expect(await run(mock, 'a'.repeat(60))).toMatch(
      /pattern of the fixture at \/statements\/0 takes too long/,
    )
    expect(await run(mock, 'aab')).toBe('never')
    expect(await run(mock, 'c')).toBe('rest')
  })

  it('answer by callbacks that the configuration lists, and by no others', async () => {
    const calls: StatementCall[] = []
    const statementCallbacks = {
      rowsOf: async (call: StatementCall) => {
        calls.push(call)
        return answering(`called with ${call.parameters['id']}`)
      },
      refusing: () => ({ error: { message: 'refused' } }),
      throwing: () => {
        throw new Error('out of order')
      },
      crooked: () => ({ columns: [{ name: 'x', type: 'INT' }], rows: [[1, 2]] }),
      odd: () => ({}) as never,
    }
    using mock = open(
      [...Object.keys(statementCallbacks), 'unlisted', 'toString'].map((callback) => ({
        sql: callback,
        callback,
      })),
      { statementCallbacks },
    )

    expect(await run(mock, 'rowsOf', { parameters: [{ name: 'id', value: '5' }], catalog: 'main' })).toBe(
      'called with 5',
    )
    expect(calls).toEqual([
      { statement: 'rowsOf', parameters: { id: '5' }, warehouseId: 'w', catalog: 'main', schema: undefined },
    ])
    expect(await run(mock, 'refusing')).toBe('refused')
    expect(await run(mock, 'throwing')).toBe("The callback 'throwing' threw: out of order")
    expect(await run(mock, 'crooked')).toMatch(/must have 1 values in row 0/)
    expect(await run(mock, 'odd')).toMatch(/must have columns and rows/)
    for (const name of ['unlisted', 'toString'])
      expect(await run(mock, name)).toMatch(`names '${name}', which is not among statementCallbacks`)
  })

  it('give no result inline that is larger than 25 MiB', async () => {
    const row = ['x'.repeat(1024 * 1024)]
    using mock = open([
      {
        sql: 'big',
        result: { columns: [{ name: 'x', type: 'STRING' }], rows: Array.from({ length: 26 }, () => row) },
      },
    ])
    expect(await run(mock, 'big')).toMatch(/larger than 26214400 bytes/)
  })

  it.for([
    { why: 'says twice what it fits', matcher: { sql: 'x', text: 'x', error: { message: '' } } },
    { why: 'does not say what it fits', matcher: { error: { message: '' } } },
    { why: 'does not say what it answers', matcher: { sql: 'x' } },
    { why: 'has a pattern that is none', matcher: { pattern: '(', error: { message: '' } } },
    {
      why: 'has rows that do not fit its columns',
      matcher: { sql: 'x', result: { columns: [], rows: [[1]] } },
    },
  ])('are refused when one $why', ({ matcher }) => {
    expect(() => open([matcher]).state).toThrow(/statements/)
  })
})
