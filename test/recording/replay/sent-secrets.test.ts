import { expect, it } from 'vitest'
import { createReplays } from '../../../src/state/replays.ts'
import { recordedOf, replaying, type Seen, type Sent } from './replaying.ts'

/** A server that keeps settings with their secrets. */
function settings(): (sent: Sent) => Seen {
  const known = new Map<string, string>()
  return ({ method, url, headers = [], body = '' }) => {
    if (url === '/me') return { status: 200, text: JSON.stringify({ headers: Object.fromEntries(headers) }) }
    if (method === 'PUT') known.set(url, body)
    const text = known.get(url)
    return text === undefined ? { status: 404, text: '' } : { status: 200, text }
  }
}

const requestsOf = (password: string): Sent[] => [
  { method: 'PUT', url: '/settings/db', body: JSON.stringify({ user: 'ada', password, retries: 3 }) },
  { method: 'GET', url: '/settings/db' },
  { method: 'GET', url: '/me', headers: [['x-api-key', `key-${password.slice(0, 2)}-8Jk2lQ9vB7nM4pR5tYz`]] },
]

it('gives a client the secrets that it sent, as the server did, and no other client', async () => {
  const server = settings()
  const ask = await replaying(requestsOf('Tr0ub4dor&3').map((sent) => recordedOf(sent, server(sent))))
  for (const password of ['Tr0ub4dor&3', 'a "quoted" Wörd \\ 9']) {
    const [own, session] = [settings(), createReplays()]
    for (const sent of requestsOf(password)) expect(await ask(sent, session)).toMatchObject(own(sent))
    const { text } = await ask({ method: 'GET', url: '/settings/db' }, createReplays())
    expect(text).toMatch(/"password":"redacted-[0-9a-f]{16}"/)
    session.reset()
    expect((await ask({ method: 'GET', url: '/settings/db' }, session)).text).toBe(text)
  }
})
