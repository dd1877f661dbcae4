import { expect, it } from 'vitest'
import { connect } from '../../src/state/redis/connection.ts'
import { namespaceOf } from '../../src/state/redis/keys.ts'
import { emptySession, restoreSession } from '../../src/state/redis/session-items.ts'
import { SessionKeys } from '../../src/state/redis/session-keys.ts'
import { snapshotPieces } from '../../src/state/redis/snapshot-pieces.ts'
import { openStateServer, type StateServer } from '../../src/state/redis/state-server.ts'
import { atEnd } from '../at-end.ts'
import { hasRedis, startRedis } from './redis-server.ts'
import { crudOf, statesOn } from './shared-states.ts'

const NAMESPACE = namespaceOf({ name: 'busy' })
const keys = new SessionKeys(NAMESPACE, '')
const ITEMS = 2500

interface Snapshot {
  readonly collections: Record<string, { readonly assigned: number; readonly items: [string, object][] }>
}

/** A session of so many notes, and what writes to it. */
async function startNotes() {
  const redis = await startRedis()
  atEnd(() => redis.stop())
  const server = await openStateServer(redis.unixUrl, NAMESPACE)
  atEnd(() => server.close())
  const restoring = restoreSession(server, keys)
  for (let id = 1; id <= ITEMS; id++)
    await restoring.add({ path: '/notes', id: `${id}`, text: JSON.stringify({ id: `${id}`, n: 0 }) })
  const notes = { assigned: ITEMS, items: [] }
  await restoring.finish({ version: 1, collections: { '/notes': notes }, cleared: [] })
  const connection = await connect({ url: redis.unixUrl, name: 'busy' })
  atEnd(() => connection.close())
  const state = statesOn(connection, 'busy', 'g').of('')
  return { server, state, crud: crudOf('/notes', 1_000_000) }
}

/** A server before whose scripts something else happens. */
function interrupted(server: StateServer, happens: (script: string) => Promise<unknown>): StateServer {
  return {
    ...server,
    async run(script, scriptKeys, args) {
      if (script.name === 'readSnapshot') await happens(script.name)
      return server.run(script, scriptKeys, args)
    },
  }
}

it.skipIf(!hasRedis)(
  'is of one moment where others write all the while, and leaves nothing behind',
  async () => {
    const { server, state, crud } = await startNotes()
    // Items of pages that were read, that are read next, and that are read last are changed, taken away and made again.
    let pages = 0
    const busy = interrupted(server, async () => {
      pages++
      for (const id of ['1', '1200', `${ITEMS}`]) await crud.patch(state, { id, fields: { n: pages } })
      for (const id of [`${10 + pages}`, `${1500 + pages}`, `${2400 + pages}`])
        await crud.remove(state, { id })
      await crud.create(state, { id: `${1500 + pages}`, fields: { n: 'again' } })
      await crud.create(state, { fields: { n: 'new' } })
    })
    let text = ''
    const restarts: number[] = []
    const restart = (): Promise<void> => Promise.resolve(void restarts.push(text.length))
    for await (const piece of snapshotPieces(busy, keys, null, restart)) text += piece.text
    const notes = (JSON.parse(text) as Snapshot).collections['/notes']
    expect(restarts).toEqual([])
    expect(pages).toBeGreaterThan(2)
    expect(notes?.assigned).toBe(ITEMS)
    expect(notes?.items).toEqual(
      Array.from({ length: ITEMS }, (_, at) => [`${at + 1}`, { id: `${at + 1}`, n: 0 }]),
    )
    expect(await server.command(['KEYS', `${keys.prefix}a:*`])).toEqual([])

    // What is read then has all of it.
    let after = ''
    for await (const piece of snapshotPieces(server, keys, null, restart)) after += piece.text
    const then = new Map((JSON.parse(after) as Snapshot).collections['/notes']?.items)
    expect(then.get('1200')).toMatchObject({ n: pages })
    expect([then.has('11'), then.get('1501')]).toEqual([false, expect.objectContaining({ n: 'again' })])
    expect(then.size).toBe(ITEMS - 2 * pages + pages)
  },
)

it.skipIf(!hasRedis)('starts again where the session began again, and gives up in the end', async () => {
  const { server, state, crud } = await startNotes()
  let times = 1
  const emptied = interrupted(server, async () => {
    if (times-- <= 0) return
    await emptySession(server, keys)
    await crud.create(state, { id: 'first', fields: {} })
  })
  const take = async (): Promise<string> => {
    let text = ''
    const restart = (): Promise<void> => Promise.resolve(void (text = ''))
    for await (const piece of snapshotPieces(emptied, keys, null, restart)) text += piece.text
    return text
  }
  expect((JSON.parse(await take()) as Snapshot).collections['/notes']?.items.map(([id]) => id)).toEqual([
    'first',
  ])
  times = Infinity
  await expect(take()).rejects.toMatchObject({ code: 'SIM_STATE_CONTENDED' })
  expect(await server.command(['KEYS', `${keys.prefix}a:*`])).toEqual([])
})
