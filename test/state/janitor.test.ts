import { expect, it } from 'vitest'
import { openJanitor, type JanitorOptions } from '../../src/state/redis/janitor.ts'

it('says once that the server drops items by now', async () => {
  const infos: string[] = []
  const warnings: string[] = []
  let isLookedAtAgain = (): void => undefined
  const again = new Promise<void>((resolve) => (isLookedAtAgain = resolve))
  const connection = {
    isUp: true,
    run: () => Promise.resolve([]),
    command(args: readonly string[]) {
      infos.push(args.join(' '))
      if (infos.length > 1) isLookedAtAgain()
      return Promise.resolve('used_memory:1\r\nmaxmemory_policy:allkeys-lru\r\n')
    },
  }
  const janitor = openJanitor({
    ...{ connection, keys: { sessions: 's', janitor: 'j' }, instance: 'one' },
    sessions: { reportUse: () => Promise.resolve() },
    options: { idleSeconds: 0.04 },
    warn: (text: string) => void warnings.push(text),
  } as unknown as JanitorOptions)
  await again
  await janitor.close()
  expect(infos).toEqual(['INFO memory', 'INFO memory'])
  expect(warnings).toEqual([expect.stringContaining('maxmemory-policy allkeys-lru, which drops items')])
})
