import { describe, expect, it } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask, clientOf } from '../client.ts'

const MINUTE = 60_000

async function stateOf(mock: WorkspaceMockContext, id: string): Promise<string> {
  const { body } = await ask(mock, 'GET', `/api/2.0/sql/warehouses/${id}`)
  return (body as { state?: string; error_code: string }).state ?? (body as { error_code: string }).error_code
}

async function listed(mock: WorkspaceMockContext): Promise<string[]> {
  const { body } = await ask(mock, 'GET', '/api/2.0/sql/warehouses')
  return ((body as { warehouses?: { state: string }[] }).warehouses ?? []).map(({ state }) => state)
}

describe('the life of a SQL warehouse', () => {
  it('is shown in its steps to as many reads as the fixture asks for', async () => {
    using mock = new WorkspaceMockContext({
      fixture: {
        version: 1,
        lifecycle: { warehouses: { by: 'reads', intermediateReads: 2 } },
        warehouses: [{ id: 'w', name: 'w' }],
      },
    })
    const post = (path: string) => ask(mock, 'POST', `/api/2.0/sql/warehouses/w/${path}`)
    const read = async (times: number) => {
      const states: string[] = []
      for (let time = 0; time < times; time += 1) states.push(await stateOf(mock, 'w'))
      return states
    }

    await post('start')
    expect(await listed(mock)).toEqual(['STARTING'])
    expect(await read(4)).toEqual(['STARTING', 'STARTING', 'RUNNING', 'RUNNING'])
    await post('stop')
    expect(await read(3)).toEqual(['STOPPING', 'STOPPING', 'STOPPED'])
    await ask(mock, 'DELETE', '/api/2.0/sql/warehouses/w')
    expect(await read(3)).toEqual(['DELETING', 'DELETING', 'RESOURCE_DOES_NOT_EXIST'])
  })

  it('goes by the virtual clock alone where that is configured', async () => {
    using mock = new WorkspaceMockContext({
      fixture: {
        version: 1,
        lifecycle: { warehouses: { by: 'time' } },
        warehouses: [{ id: 'w', name: 'w' }],
      },
    })

    await ask(mock, 'POST', '/api/2.0/sql/warehouses/w/start')
    for (let read = 0; read < 5; read += 1) expect(await stateOf(mock, 'w')).toBe('STARTING')
    mock.adapter.clock.advance(4999)
    expect(await stateOf(mock, 'w')).toBe('STARTING')
    mock.adapter.clock.advance(1)
    expect(await stateOf(mock, 'w')).toBe('RUNNING')
  })

  it('ends by itself after its idle time, unless that is zero', async () => {
    using mock = new WorkspaceMockContext({
      fixture: {
        version: 1,
        lifecycle: { warehouses: { by: 'time' } },
        warehouses: [
          { id: 'w', name: 'w', state: 'RUNNING', auto_stop_mins: 10 },
          { id: 'forever', name: 'forever', state: 'RUNNING', auto_stop_mins: 0 },
        ],
        statements: [{ sql: 'SELECT 1', result: { columns: [] } }],
      },
    })

    mock.adapter.clock.advance(9 * MINUTE)
    await ask(mock, 'POST', '/api/2.0/sql/statements', { warehouse_id: 'w', statement: 'select 1' })
    mock.adapter.clock.advance(10 * MINUTE - 1)
    expect(await listed(mock)).toEqual(['RUNNING', 'RUNNING'])
    mock.adapter.clock.advance(1)
    expect(await listed(mock)).toEqual(['STOPPING', 'RUNNING'])
    mock.adapter.clock.advance(24 * 60 * MINUTE)
    expect(await listed(mock)).toEqual(['STOPPED', 'RUNNING'])
  })

  it('goes on after a snapshot where it was', async () => {
    using mock = new WorkspaceMockContext({
      fixture: {
        version: 1,
        lifecycle: { warehouses: { by: 'time' } },
        warehouses: [
          { id: 'starting', name: 'a', state: 'STARTING' },
          { id: 'idle', name: 'b', state: 'RUNNING', auto_stop_mins: 10 },
        ],
      },
    })
    mock.adapter.clock.advance(2000)
    const snapshot = JSON.parse(JSON.stringify(mock.adapter.snapshot())) as never
    mock.adapter.clock.advance(60 * MINUTE)
    expect(await listed(mock)).toEqual(['RUNNING', 'STOPPED'])

    mock.adapter.restore(snapshot)
    expect(await listed(mock)).toEqual(['STARTING', 'RUNNING'])
    mock.adapter.clock.advance(3000)
    expect(await listed(mock)).toEqual(['RUNNING', 'RUNNING'])
    mock.adapter.clock.advance(10 * MINUTE)
    expect(await listed(mock)).toEqual(['RUNNING', 'STOPPED'])
  })

  it('keeps waiters going with one state on the way, within their patience', async () => {
    await using mock = await WorkspaceMockContext.start({
      fixture: { version: 1, lifecycle: { warehouses: { by: 'reads', intermediateReads: 1 } } },
    })
    const seen: (string | undefined)[] = []
    const waiter = await clientOf(mock).warehouses.create({ name: 'w' })
    await waiter.wait({ onProgress: async ({ state }) => void seen.push(state) })
    expect(seen).toContain('STARTING')
  })

  it.for([
    { why: 'two of one name', warehouses: [{ name: 'a' }, { name: 'a' }] },
    {
      why: 'two of one id',
      warehouses: [
        { name: 'a', id: 'x' },
        { name: 'b', id: 'x' },
      ],
    },
    {
      why: 'fewer clusters at most than at least',
      warehouses: [{ name: 'a', min_num_clusters: 2, max_num_clusters: 1 }],
    },
    { why: 'an idle time below ten minutes', warehouses: [{ name: 'a', auto_stop_mins: 5 }] },
    { why: 'an unknown size', warehouses: [{ name: 'a', cluster_size: 'Tiny' }] },
  ])('is not begun by a fixture with $why', ({ warehouses }) => {
    expect(() => new WorkspaceMockContext({ fixture: { version: 1, warehouses } }).state).toThrow(
      /warehouses/,
    )
  })
})
