import { expect, it } from 'vitest'
import { restoreSession } from '../../src/state/redis/session-items.ts'
import { SessionKeys } from '../../src/state/redis/session-keys.ts'
import { snapshotPieces } from '../../src/state/redis/snapshot-pieces.ts'
import { openStateServer, type StateServer } from '../../src/state/redis/state-server.ts'
import { atEnd } from '../at-end.ts'
import { hasRedis, startRedis } from './redis-server.ts'

const NAMESPACE = 'sim:{sim}'
const keys = new SessionKeys(NAMESPACE, 'busy')

it.skipIf(!hasRedis)(
  'is of one moment where others write all the while, and leaves nothing behind',
  async () => {
    const redis = await startRedis()
    atEnd(() => redis.stop())
    const server = await openStateServer(redis.unixUrl, NAMESPACE)
    atEnd(() => server.close())
    const restoring = restoreSession(server, keys)
    for (let id = 1; id <= 1500; id++)
      await restoring.add({ path: '/notes', id: `${id}`, text: `{"id":${id}}` })
    await restoring.finish({
      version: 1,
      collections: { '/notes': { assigned: 1500, items: [] } },
      cleared: [],
    })

    // Whenever a page is read, another has just changed the last item, and said so.
    let changes = 0
    const busy: StateServer = {
      ...server,
      async command(args, isReadOnly) {
        if (args[0] === 'ZRANGE') {
          changes++
          await server.command([
            'HSET',
            keys.items('/notes'),
            '1500',
            `v${changes}:{"id":1500,"n":${changes}}`,
          ])
          await server.command(['HSET', keys.meta('/notes'), 'seq', `${changes}`])
        }
        return server.command(args, isReadOnly)
      },
    }
    let text = ''
    const restarts: number[] = []
    const restart = (): Promise<void> => {
      restarts.push(text.length)
      text = ''
      return Promise.resolve()
    }
    for await (const piece of snapshotPieces(busy, keys, null, restart)) text += piece.text
    const { collections } = JSON.parse(text) as {
      collections: Record<string, { assigned: number; items: [] }>
    }
    expect(collections['/notes']?.assigned).toBe(1500)
    expect(collections['/notes']?.items.length).toBe(1500)
    // Two pages were read in vain twice; what is copied after that has the fourth change, and none of those that follow.
    expect([restarts.length, collections['/notes']?.items.at(-1)]).toEqual([2, ['1500', { id: 1500, n: 4 }]])
    expect(await server.command(['KEYS', `${keys.prefix}a:*`])).toEqual([])
  },
)
