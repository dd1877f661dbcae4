import { once } from 'node:events'
import { EventSource } from 'eventsource'
import { fetch, ProxyAgent } from 'undici'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openWorld, TunnelAgent } from './setup.ts'

const world = openWorld()

async function firstTwo(url: string, dispatcher?: ProxyAgent): Promise<string[]> {
  const source = new EventSource(url, {
    fetch: (input, init) => fetch(input, { ...init, ...(dispatcher !== undefined && { dispatcher }) }),
  })
  const events: string[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      source.addEventListener('message', ({ data }) => {
        events.push(String(data))
        if (events.length === 2) resolve()
      })
      source.addEventListener('error', ({ message }) => reject(new Error(message)))
    })
    return events
  } finally {
    source.close()
  }
}

async function echoed(socket: WebSocket): Promise<string> {
  await once(socket, 'open')
  socket.send('hello')
  const [data] = (await once(socket, 'message')) as [Buffer]
  socket.close()
  await once(socket, 'close')
  return data.toString()
}

describe.for(['http', 'https'] as const)('with %s', (scheme) => {
  it('an EventSource gets its events live by proxy', async () => {
    const agent = new ProxyAgent({ uri: world.proxy, requestTls: { ca: world.ca } })
    expect(await firstTwo(`${world[scheme]}/events`, agent)).toEqual(['one', 'two'])
    await agent.destroy()
  })

  it('an EventSource gets its events live by base URL', async () => {
    expect(await firstTwo(`${world.base[scheme]}/events`)).toEqual(['one', 'two'])
  })

  it('a WebSocket opens by proxy', async () => {
    const agent = new TunnelAgent(world.proxy, world.ca, `${scheme}:`)
    const url = world[scheme].replace('http', 'ws')
    expect(await echoed(new WebSocket(url, { agent }))).toBe('echo hello')
  })

  it('a WebSocket opens by base URL', async () => {
    expect(await echoed(new WebSocket(world.base[scheme].replace('http', 'ws')))).toBe('echo hello')
  })
})
