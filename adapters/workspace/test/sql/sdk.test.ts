import { describe } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask, clientOf, clientTest, failureOf, refusal } from '../client.ts'

const people = {
  columns: [
    { name: 'id', type: 'BIGINT' },
    { name: 'name', type: 'STRING' },
    { name: 'pay', type: 'DECIMAL(10,2)' },
  ],
  rows: [
    [1, 'Ada', 12.5],
    [2, 'Bob', null],
    [3, 'Eve "x", y', '7.00'],
    [4, '', true],
    [5, { a: 1 }, 0],
  ],
  rowsPerChunk: 2,
}
const fixture = {
  version: 1,
  users: [{ userName: 'ada@example.com' }],
  warehouses: [
    { id: 'w', name: 'w', state: 'RUNNING' },
    { id: 'cold', name: 'cold' },
  ],
  statements: [
    { sql: 'SELECT * FROM people', result: people },
    { sql: 'SELECT * FROM nobody', result: { columns: people.columns } },
    { text: 'DROP TABLE people', error: { message: 'Not today', code: 'BAD_REQUEST', sqlState: '42501' } },
    {
      sql: 'select sleep()',
      durationMs: 30_000,
      result: { columns: [{ name: 'x', type: 'INT' }], rows: [[1]] },
    },
  ],
}
const execute = { warehouse_id: 'w', statement: 'select * from people' }

const it = clientTest({ fixture })

describe('SQL statements, used by the real client', () => {
  it('answers a statement with its manifest and first chunk, and the others one by one', async ({
    mock,
    client: { statementExecution },
    expect,
  }) => {
    const first = await statementExecution.executeStatement(execute)
    const id = first.statement_id as string

    expect(first).toEqual({
      statement_id: id,
      status: { state: 'SUCCEEDED' },
      manifest: {
        format: 'JSON_ARRAY',
        schema: {
          column_count: 3,
          columns: [
            { name: 'id', position: 0, type_name: 'LONG', type_text: 'BIGINT' },
            { name: 'name', position: 1, type_name: 'STRING', type_text: 'STRING' },
            {
              name: 'pay',
              position: 2,
              type_name: 'DECIMAL',
              type_text: 'DECIMAL(10,2)',
              type_precision: 10,
              type_scale: 2,
            },
          ],
        },
        chunks: [
          { chunk_index: 0, row_offset: 0, row_count: 2 },
          { chunk_index: 1, row_offset: 2, row_count: 2 },
          { chunk_index: 2, row_offset: 4, row_count: 1 },
        ],
        total_chunk_count: 3,
        total_row_count: 5,
        truncated: false,
      },
      result: {
        chunk_index: 0,
        row_offset: 0,
        row_count: 2,
        data_array: [
          ['1', 'Ada', '12.5'],
          ['2', 'Bob', null],
        ],
        next_chunk_index: 1,
        next_chunk_internal_link: `/api/2.0/sql/statements/${id}/result/chunks/1?row_offset=2`,
      },
    })
    expect(await statementExecution.getStatement({ statement_id: id })).toEqual(first)

    const rows = [...(first.result?.data_array ?? [])]
    for (let next = first.result; next?.next_chunk_index !== undefined;) {
      next = await statementExecution.getStatementResultChunkN({
        statement_id: id,
        chunk_index: next.next_chunk_index,
      })
      rows.push(...(next.data_array ?? []))
    }
    expect(rows.slice(2)).toEqual([
      ['3', 'Eve "x", y', '7.00'],
      ['4', '', 'true'],
      ['5', '{"a":1}', '0'],
    ])
    expect((await ask(mock, 'GET', first.result?.next_chunk_internal_link as string)).body).toMatchObject({
      chunk_index: 1,
    })
  })

  it('answers a result without rows by an empty one', async ({ mock, expect }) => {
    const answer = await clientOf(mock).statementExecution.executeStatement({
      ...execute,
      statement: 'select * from nobody',
    })
    expect(answer).toMatchObject({ status: { state: 'SUCCEEDED' }, result: {} })
    expect(answer.manifest).toMatchObject({ total_chunk_count: 0, total_row_count: 0, truncated: false })
    expect(answer.manifest).not.toHaveProperty('chunks')
    expect(answer.result).toEqual({})
  })

  it('answers a statement that fails with status 200, and so one that nothing fits', async ({
    client: { statementExecution },
    expect,
  }) => {
    const failed = await statementExecution.executeStatement({ ...execute, statement: 'DROP TABLE people' })
    expect(failed).toEqual({
      statement_id: failed.statement_id,
      status: {
        state: 'FAILED',
        error: { error_code: 'BAD_REQUEST', message: 'Not today' },
        sql_state: '42501',
      },
    })
    const unknown = await statementExecution.executeStatement({ ...execute, statement: 'drop table people' })
    expect(unknown.status?.error?.message).toBe(
      'No matcher in `statements` of the fixture fits this statement, its parameters and its warehouse.',
    )
    expect(
      await failureOf(
        statementExecution.getStatementResultChunkN({
          statement_id: unknown.statement_id as string,
          chunk_index: 0,
        }),
      ),
    ).toMatchObject({ errorCode: 'INVALID_STATE', statusCode: 400 })
  })

  it('waits as long as is requested, then goes on or cancels', async ({
    client: { statementExecution },
    expect,
  }) => {
    const statement = 'SELECT sleep()'
    const run = (request: object) =>
      statementExecution.executeStatement({ ...execute, statement, ...request })

    expect((await run({ wait_timeout: '50s' })).status).toEqual({ state: 'SUCCEEDED' })
    expect((await run({ wait_timeout: '30s' })).status).toEqual({ state: 'SUCCEEDED' })
    const going = await run({ wait_timeout: '29s' })
    expect(going).toEqual({ statement_id: going.statement_id, status: { state: 'RUNNING' } })
    expect((await run({})).status).toEqual({ state: 'RUNNING' })
    const canceled = await run({ wait_timeout: '5s', on_wait_timeout: 'CANCEL' })
    expect(canceled).toEqual({ statement_id: canceled.statement_id, status: { state: 'CANCELED' } })

    const later = await statementExecution.executeStatement({ ...execute, wait_timeout: '0s' })
    expect(later).toEqual({ statement_id: later.statement_id, status: { state: 'PENDING' } })
    const found = await statementExecution.getStatement({ statement_id: later.statement_id as string })
    expect(found).toMatchObject({ status: { state: 'SUCCEEDED' }, manifest: { total_row_count: 5 } })
    for (const wait_timeout of ['1s', '4s', '51s', '10', '5m', '-5s', ''])
      expect({ wait_timeout, ...(await failureOf(run({ wait_timeout }))) }).toMatchObject({
        wait_timeout,
        errorCode: 'INVALID_PARAMETER_VALUE',
        statusCode: 400,
      })
  })

  it('cancels a statement that runs, and leaves one that has ended', async ({
    client: { statementExecution },
    expect,
  }) => {
    const going = await statementExecution.executeStatement({ ...execute, wait_timeout: '0s' })
    const done = await statementExecution.executeStatement(execute)

    for (const { statement_id } of [going, done])
      await statementExecution.cancelExecution({ statement_id: statement_id as string })

    expect(
      (await statementExecution.getStatement({ statement_id: going.statement_id as string })).status,
    ).toEqual({
      state: 'CANCELED',
    })
    expect(await statementExecution.getStatement({ statement_id: done.statement_id as string })).toEqual(done)
    for (const call of [
      statementExecution.cancelExecution({ statement_id: 'none' }),
      statementExecution.getStatement({ statement_id: 'none' }),
      statementExecution.getStatementResultChunkN({ statement_id: 'none', chunk_index: 0 }),
    ])
      expect(await failureOf(call)).toEqual(refusal(404, 'NOT_FOUND', 'The statement none was not found.'))
  })

  it('closes a result, which nobody can fetch any more', async ({
    mock,
    client: { statementExecution },
    expect,
  }) => {
    const id = (await statementExecution.executeStatement(execute)).statement_id as string

    expect((await ask(mock, 'DELETE', `/api/2.0/sql/statements/${id}`)).body).toEqual({})

    expect(await statementExecution.getStatement({ statement_id: id })).toEqual({
      statement_id: id,
      status: { state: 'CLOSED' },
    })
    expect(
      await failureOf(statementExecution.getStatementResultChunkN({ statement_id: id, chunk_index: 0 })),
    ).toMatchObject({ errorCode: 'NOT_FOUND', statusCode: 404 })
  })

  it('cuts results off at the limits of rows and bytes', async ({
    client: { statementExecution },
    expect,
  }) => {
    const run = async (limits: object) =>
      (await statementExecution.executeStatement({ ...execute, ...limits })).manifest

    expect(await run({ row_limit: 3 })).toMatchObject({
      total_row_count: 3,
      total_chunk_count: 2,
      truncated: true,
    })
    expect(await run({ row_limit: 5 })).toMatchObject({ total_row_count: 5, truncated: false })
    expect(await run({ byte_limit: 12 })).toMatchObject({ total_row_count: 2, truncated: true })
    expect(await run({ byte_limit: 3 })).toMatchObject({
      total_row_count: 0,
      total_chunk_count: 0,
      truncated: true,
    })
    expect(await failureOf(run({ row_limit: 0 }))).toMatchObject({ errorCode: 'INVALID_PARAMETER_VALUE' })
  })

  it('starts a stopped warehouse for a statement, and fails where there is none', async ({
    client: { statementExecution, warehouses },
    expect,
  }) => {
    expect((await statementExecution.executeStatement({ ...execute, warehouse_id: 'cold' })).status).toEqual({
      state: 'SUCCEEDED',
    })
    expect((await warehouses.get({ id: 'cold' })).state).toBe('RUNNING')
    expect(
      await failureOf(statementExecution.executeStatement({ ...execute, warehouse_id: 'none' })),
    ).toMatchObject({ errorCode: 'RESOURCE_DOES_NOT_EXIST', statusCode: 404 })
  })

  it('refuses requests that cannot be', async ({ mock, client: { statementExecution }, expect }) => {
    const bad = [
      { statement: '' },
      { warehouse_id: '' },
      { on_wait_timeout: 'WAIT' },
      { disposition: 'NOWHERE' },
      { format: 'CSV' },
      { format: 'ARROW_STREAM' },
      { format: 'ARROW_STREAM', disposition: 'EXTERNAL_LINKS' },
      { byte_limit: -1 },
      { parameters: [{ value: '1' }] },
      {
        parameters: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      },
    ]
    const refused = await Promise.all(
      bad.map((request) =>
        failureOf(statementExecution.executeStatement({ ...execute, ...request } as never)),
      ),
    )
    const invalid = expect.objectContaining({
      errorCode: 'INVALID_PARAMETER_VALUE',
      statusCode: 400,
    }) as object
    expect(refused).toEqual(bad.map(() => invalid))
    const { status, body } = await ask(mock, 'POST', '/api/2.0/sql/statements/', execute)
    expect(status).toBe(200)
    const { statement_id: id } = body as { statement_id: string }
    for (const index of ['-1', '1.5', 'x'])
      expect(
        (await ask(mock, 'GET', `/api/2.0/sql/statements/${id}/result/chunks/${index}`)).body,
      ).toMatchObject({
        error_code: 'INVALID_PARAMETER_VALUE',
      })
  })

  it('takes a statement of 16 MiB, and none that is longer', async ({ expect }) => {
    using mock = new WorkspaceMockContext({ fixture: { ...fixture, statements: [] } })
    const longest = 'ä'.repeat(8 * 1024 * 1024)
    const run = (statement: string) => ask(mock, 'POST', '/api/2.0/sql/statements', { ...execute, statement })

    expect((await run(longest)).body).toMatchObject({ status: { state: 'FAILED' } })
    expect(await run(`${longest}x`)).toMatchObject({
      status: 400,
      body: { error_code: 'INVALID_PARAMETER_VALUE' },
    })
  })

  it('shows a statement in strict mode to its maker and to administrators only', async ({ expect }) => {
    const tokens = ['ada', 'bob', 'eve'].map((name) => ({ token: name, user: `${name}@example.com` }))
    await using mock = await WorkspaceMockContext.start({
      auth: { mode: 'strict', tokens },
      fixture: {
        ...fixture,
        permissions: [
          { type: 'warehouses', id: 'w', entries: [{ group_name: 'users', permission_level: 'CAN_USE' }] },
        ],
      },
    })
    const by = (token: string) => clientOf(mock, token).statementExecution
    const denied = { errorCode: 'PERMISSION_DENIED', statusCode: 403 }

    const { statement_id: id = '' } = await by('bob').executeStatement(execute)
    expect((await by('ada').getStatement({ statement_id: id })).status).toEqual({ state: 'SUCCEEDED' })
    expect(await failureOf(by('eve').getStatement({ statement_id: id }))).toMatchObject(denied)
    expect(await failureOf(by('eve').cancelExecution({ statement_id: id }))).toMatchObject(denied)
    expect(await failureOf(by('bob').executeStatement({ ...execute, warehouse_id: 'cold' }))).toMatchObject(
      denied,
    )
  })
})
