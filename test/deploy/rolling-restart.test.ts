import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { describe, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { atEnd } from '../at-end.ts'
import { openFolder, spawnSim } from '../flow/kit.ts'
import type { SimServer } from '../flow/sim-process.ts'
import { hasRedis, startRedis } from '../state/redis-server.ts'
import { programFor, startBalancer } from './balancer.ts'
import { ORDERS } from './orders.ts'

// It takes some 20 s: npm run rolling-restart
const isWanted = hasRedis && process.env['SIM_ROLLING_RESTART'] !== undefined
const CLIENTS = 12

const routesWith = (
  more: string,
): string => `${ORDERS}  GET /orders/{id}: { output: { $ref: '#/models/Order' } }
  GET /plain: { output: { text: string } }
${more}`

/** What clients of a balancer were answered. */
interface Seen {
  readonly created: Map<number, string>
  readonly problems: string[]
  requests: number
}

/** Creates and reads, by connections that are kept, until it is stopped. */
function putLoad(url: string): { readonly seen: Seen; stop(): Promise<void> } {
  const seen: Seen = { created: new Map(), problems: [], requests: 0 }
  const agents = Array.from({ length: CLIENTS }, () => new Agent({ connections: 1 }))
  const running = { isOver: false }
  const ask = async (dispatcher: Agent, path: string, product?: string): Promise<unknown> => {
    seen.requests++
    const what = `${product === undefined ? 'GET' : 'POST'} ${path}`
    try {
      const response = await fetch(url + path, {
        dispatcher,
        ...(product !== undefined && {
          method: 'POST',
          body: JSON.stringify({ product }),
          headers: { 'content-type': 'application/json' },
        }),
      })
      const text = await response.text()
      if (response.status < 300) return JSON.parse(text)
      seen.problems.push(`${what}: ${response.status} ${text.slice(0, 200)}`)
    } catch (error) {
      seen.problems.push(`${what}: ${String((error as Error).cause ?? error)}`)
    }
    return undefined
  }
  const client = async (dispatcher: Agent, number: number): Promise<void> => {
    for (let turn = 0; !running.isOver; turn++) {
      const product = `${number}-${turn}`
      const made = (await ask(dispatcher, '/orders', product)) as { readonly id: number } | undefined
      if (made !== undefined && seen.created.has(made.id)) seen.problems.push(`id ${made.id} came twice`)
      if (made !== undefined) seen.created.set(made.id, product)
      await ask(dispatcher, '/plain')
      await wait(5)
    }
  }
  const clients = agents.map(client)
  return {
    seen,
    async stop() {
      running.isOver = true
      await Promise.all(clients)
      await Promise.all(agents.map((each) => each.close()))
    },
  }
}

describe.skipIf(!isWanted)(
  'gateways behind haproxy that are restarted one after the other, under load',
  () => {
    it('lose no request, and no item where the routes change with it', async ({ skip }) => {
      const program = programFor('haproxy', skip)
      const redis = await startRedis({ aof: 'everysec' })
      atEnd(() => redis.stop())
      const folder = openFolder({ 'shop.yaml': routesWith('') })
      const ports = [await freePort(), await freePort(), await freePort()]
      const start = (index: number, ...more: string[]): Promise<SimServer> =>
        spawnSim(
          [
            ...['run', 'shop.yaml', '--seed', '42', '--port', String(ports[index]), '--log-format', 'none'],
            ...['--state', redis.unixUrl, '--state-gateway', `gateway-${index + 1}`, ...more],
          ],
          folder.path,
        )
      const gateways = await Promise.all(ports.map((_, index) => start(index)))
      const url = await startBalancer('haproxy', program, 'haproxy-state.cfg', ports)
      const { seen, stop } = putLoad(url)
      const restart = async (index: number, ...more: string[]): Promise<void> => {
        expect(await gateways[index]?.stop()).toBe(0)
        gateways[index] = await start(index, ...more)
        const at = seen.requests
        await expect.poll(() => seen.requests).toBeGreaterThan(at + 300)
      }
      for (const index of ports.keys()) await restart(index)
      expect(seen.problems).toEqual([])

      // Another version of the app, which takes over what is stored; those of the old one go on until they are restarted.
      writeFileSync(join(folder.path, 'shop.yaml'), routesWith('  GET /new: { output: { text: string } }\n'))
      for (const index of ports.keys()) await restart(index, '--state-app', 'adopt')
      await stop()
      expect(seen.problems).toEqual([])
      process.stdout.write(`${seen.requests} requests while gateways were restarted six times\n`)
      const ids = [...seen.created.keys()].toSorted((a, b) => a - b)
      expect(ids).toEqual(ids.map((_, index) => index + 1))
      expect((await fetch(`${gateways[0]?.url}/new`)).status).toBe(200)
      for (const [id, product] of seen.created) {
        const answer = await fetch(`${gateways[id % 3]?.url}/orders/${id}`)
        expect(await answer.json()).toEqual({ id, product })
      }
    })
  },
)
