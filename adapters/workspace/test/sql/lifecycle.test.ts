import { describe, expect, it } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask } from '../client.ts'

const PATH = '/api/2.0/sql/statements'
const statements = [
  { sql: 'select 1', durationMs: 20_000, result: { columns: [{ name: 'x', type: 'INT' }], rows: [[1]] } },
]

interface Found {
  readonly statement_id: string
  readonly status?: { readonly state: string; readonly error?: { readonly message: string } }
  readonly error_code?: string
}

async function stateOf(mock: WorkspaceMockContext, id: string): Promise<string | undefined> {
  const { body } = await ask(mock, 'GET', `${PATH}/${id}`)
  return (body as Found).status?.state ?? (body as Found).error_code
}

async function execute(mock: WorkspaceMockContext, wait_timeout = '0s'): Promise<Found> {
  const request = { warehouse_id: 'w', statement: 'select 1', wait_timeout }
  return (await ask(mock, 'POST', PATH, request)).body
}

describe('the life of a SQL statement', () => {
  it('waits on the virtual clock for its warehouse, then for its time', async () => {
    using mock = new WorkspaceMockContext({
      fixture: {
        version: 1,
        lifecycle: { statements: { by: 'time' }, warehouses: { by: 'time' } },
        warehouses: [{ id: 'w', name: 'w' }],
        statements,
      },
    })
    const { statement_id: id } = await execute(mock)

    expect(await stateOf(mock, id)).toBe('PENDING')
    mock.adapter.clock.advance(5000)
    expect(await stateOf(mock, id)).toBe('RUNNING')
    mock.adapter.clock.advance(19_999)
    expect(await stateOf(mock, id)).toBe('RUNNING')
    mock.adapter.clock.advance(1)
    expect(await stateOf(mock, id)).toBe('SUCCEEDED')
    mock.adapter.clock.advance(12 * 3_600_000 - 1)
    expect(await stateOf(mock, id)).toBe('SUCCEEDED')
    mock.adapter.clock.advance(1)
    expect(await stateOf(mock, id)).toBe('NOT_FOUND')
  })

  it('shows its steps to as many reads as the fixture asks for', async () => {
    using mock = new WorkspaceMockContext({
      fixture: {
        version: 1,
        lifecycle: { statements: { by: 'reads', intermediateReads: 1 } },
        warehouses: [{ id: 'w', name: 'w' }],
        statements,
      },
    })
    const { statement_id: id } = await execute(mock)
    const seen: (string | undefined)[] = []
    for (let read = 0; read < 4; read += 1) seen.push(await stateOf(mock, id))
    expect(seen).toEqual(['PENDING', 'RUNNING', 'SUCCEEDED', 'SUCCEEDED'])
  })

  it('keeps its warehouse from stopping while it runs', async () => {
    using mock = new WorkspaceMockContext({
      fixture: {
        version: 1,
        lifecycle: { statements: { by: 'time' }, warehouses: { by: 'time' } },
        warehouses: [{ id: 'w', name: 'w', state: 'RUNNING', auto_stop_mins: 10 }],
        statements: [{ ...statements[0], durationMs: 3_600_000 }],
      },
    })
    const { statement_id: id } = await execute(mock, '10s')

    mock.adapter.clock.advance(3_600_000)
    expect(await stateOf(mock, id)).toBe('SUCCEEDED')
    expect(mock.state.warehouses.get('w').state).toBe('RUNNING')
    mock.adapter.clock.advance(610_000)
    expect(mock.state.warehouses.get('w').state).toBe('STOPPED')
  })

  it('fails with a warehouse that cannot start, or is gone', async () => {
    using mock = new WorkspaceMockContext({
      fixture: {
        version: 1,
        warehouses: [{ id: 'w', name: 'w', startFailure: { summary: 'none left' } }],
        statements,
      },
    })
    expect(await execute(mock, '50s')).toMatchObject({
      status: {
        state: 'FAILED',
        error: { message: 'SQL warehouse w is not running: it could not start, was stopped or deleted.' },
      },
    })
    const { statement_id: id } = await execute(mock)
    await ask(mock, 'DELETE', '/api/2.0/sql/warehouses/w')
    await ask(mock, 'GET', '/api/2.0/sql/warehouses/w')
    expect(await stateOf(mock, id)).toBe('FAILED')
  })

  it('goes on after a snapshot where it was', async () => {
    using mock = new WorkspaceMockContext({
      fixture: {
        version: 1,
        lifecycle: { statements: { by: 'time' } },
        warehouses: [{ id: 'w', name: 'w', state: 'RUNNING' }],
        statements,
      },
    })
    const { statement_id: id } = await execute(mock, '5s')
    expect(await stateOf(mock, id)).toBe('RUNNING')
    const snapshot = JSON.parse(JSON.stringify(mock.adapter.snapshot())) as never

    mock.reset()
    expect(await stateOf(mock, id)).toBe('NOT_FOUND')
    mock.adapter.restore(snapshot)
    expect(await stateOf(mock, id)).toBe('RUNNING')
    mock.adapter.clock.advance(20_000)
    expect(await stateOf(mock, id)).toBe('SUCCEEDED')
  })

  it('is forgotten, the oldest first, once ten thousand others have ended', async () => {
    using mock = new WorkspaceMockContext({
      fixture: { version: 1, warehouses: [{ id: 'w', name: 'w', state: 'RUNNING' }], statements },
    })
    const { statement_id: first } = await execute(mock, '50s')
    const { statement_id: second } = await execute(mock, '50s')
    for (let count = 2; count <= 10_000; count += 1) await execute(mock, '50s')
    expect(await stateOf(mock, first)).toBe('NOT_FOUND')
    expect(await stateOf(mock, second)).toBe('SUCCEEDED')
  })

  it('is forgotten, the oldest first, where results would take more than 256 MiB', async () => {
    const columns = [{ name: 'x', type: 'STRING' }]
    const rows = Array.from({ length: 24 }, (_, index) => [
      String(index)
        .repeat(512 * 1024)
        .slice(0, 1024 * 1024),
    ])
    using mock = new WorkspaceMockContext({
      fixture: {
        version: 1,
        warehouses: [{ id: 'w', name: 'w', state: 'RUNNING' }],
        statements: [{ sql: 'select 1', result: { columns, rows, rowsPerChunk: 1 } }],
      },
    })
    const ids: string[] = []
    for (let count = 0; count < 25; count += 1) ids.push((await execute(mock, '5s')).statement_id)

    const states = await Promise.all(ids.map(async (id) => stateOf(mock, id)))
    const kept = states.filter((state) => state === 'SUCCEEDED').length

    expect(states).toEqual(ids.map((_, index) => (index < ids.length - kept ? 'NOT_FOUND' : 'SUCCEEDED')))
    expect(kept).toBeGreaterThanOrEqual(10)
    expect(kept).toBeLessThan(25)
  })
})
