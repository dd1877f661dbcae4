import { afterEach, describe, expect, it, vi } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask } from '../client.ts'

const PLANTED = 'pl4nted-s3cret-value'
const BASE64 = Buffer.from(PLANTED).toString('base64')
const fixture = { version: 1, secretScopes: [{ name: 'app', keys: ['old'] }] }

/** Collects all that the process writes. */
function watchOutput(): () => string {
  const written: string[] = []
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      written.push(Buffer.from(chunk as string).toString())
      return true
    })
  return () => written.join('')
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a planted secret value', () => {
  it('is found in no answer, log, error or snapshot', async () => {
    const output = watchOutput()
    await using mock = await WorkspaceMockContext.start({ fixture })
    const said: string[] = []
    const send = async (method: string, path: string, body?: unknown) => {
      const init = {
        method,
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }
      const response = await fetch(`${mock.baseUrl}${path}`, {
        ...init,
        headers: { 'content-type': 'application/json' },
      })
      said.push(JSON.stringify([...response.headers]), await response.text())
      return response.status
    }
    const put = '/api/2.0/secrets/put'

    expect(await send('POST', put, { scope: 'app', key: 'text', string_value: PLANTED })).toBe(200)
    expect(await send('POST', put, { scope: 'app', key: 'bytes', bytes_value: BASE64 })).toBe(200)
    const bad = [
      { scope: 'none', key: 'k', string_value: PLANTED },
      { scope: 'app', key: 'not valid', string_value: PLANTED },
      { scope: 'app', key: 'k', string_value: PLANTED, bytes_value: BASE64 },
      { scope: 'app', key: 'k', string_value: [PLANTED] },
      { scope: 'app', key: 'k', bytes_value: `%${PLANTED}` },
      { scope: 'app', key: 'k', string_value: PLANTED.repeat(10_000) },
      { scope: 'app', string_value: PLANTED },
      [PLANTED],
      PLANTED,
      `{"scope":"app","key":"k","string_value":"${PLANTED}`,
      `{"scope":"app","string_value":"x",${PLANTED}}`,
      `${PLANTED}{}`,
    ]
    for (const body of bad) expect(await send('POST', put, body)).toBeGreaterThanOrEqual(400)
    for (const [method, path] of [
      ['GET', '/api/2.0/secrets/get?scope=app&key=text'],
      ['GET', '/api/2.0/secrets/list?scope=app'],
      ['GET', '/api/2.0/secrets/scopes/list'],
      ['GET', '/api/2.0/secrets/acls/list?scope=app'],
      ['GET', '/__sim/snapshot'],
      ['GET', '/__sim/health'],
      ['GET', '/.well-known/sim-workspace-compat.json'],
    ] as const)
      await send(method, path)
    const snapshot = JSON.stringify(mock.adapter.snapshot())

    const heard = [...said, snapshot, output()]
    for (const form of ['pl4nted', BASE64, Buffer.from(PLANTED).toString('hex')])
      expect(heard.filter((text) => text.includes(form))).toEqual([])
    expect(said).toHaveLength(2 * (2 + bad.length + 7))
  })

  it('has no place in a fixture: strict mode refuses it without repeating it, and others overlook it', () => {
    const secretScopes = [{ name: 'app', keys: ['k'], values: { k: PLANTED } }]
    using mock = new WorkspaceMockContext({ fixture: { version: 1, secretScopes } })
    expect(JSON.stringify(mock.adapter.snapshot())).not.toContain(PLANTED)

    let message = ''
    try {
      void new WorkspaceMockContext({ strict: true, fixture: { version: 1, secretScopes } })
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).toBe('fixture /secretScopes/0/values: Unknown field')
  })

  it('is nowhere in the state, however deep one looks', async () => {
    using mock = new WorkspaceMockContext({ fixture })
    await ask(mock, 'POST', '/api/2.0/secrets/put', { scope: 'app', key: 'k', string_value: PLANTED })

    const texts = textsOf(mock.state)

    expect(texts).toContain('app')
    expect(texts.filter((text) => text.includes('pl4nted'))).toEqual([])
    expect(mock.state.secrets.holds('app', 'k', PLANTED)).toBe(true)
  })

  it('cannot be read from a snapshot by trying values', async () => {
    using mock = new WorkspaceMockContext({ fixture })
    await ask(mock, 'POST', '/api/2.0/secrets/put', { scope: 'app', key: 'k', string_value: PLANTED })
    const first = JSON.stringify(mock.adapter.snapshot())
    await ask(mock, 'POST', '/api/2.0/secrets/put', {
      scope: 'app',
      key: 'k',
      string_value: PLANTED.toUpperCase(),
    })

    expect(JSON.stringify(withoutCounts(mock.adapter.snapshot()))).toBe(
      JSON.stringify(withoutCounts(JSON.parse(first))),
    )
  })
})

function withoutCounts(snapshot: unknown): unknown {
  return (snapshot as { state: { parts: { secrets: unknown } } }).state.parts.secrets
}

function textsOf(root: unknown): string[] {
  const texts: string[] = []
  const seen = new Set<unknown>()
  const queue = [root]
  for (const value of queue) {
    if (typeof value === 'string') texts.push(value)
    if (Buffer.isBuffer(value)) texts.push(value.toString())
    if (typeof value !== 'object' || value === null || seen.has(value) || Buffer.isBuffer(value)) continue
    seen.add(value)
    const members = value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : []
    queue.push(...members, ...Object.values(value), ...scopesOf(value))
  }
  return texts
}

// Private fields cannot be walked; the scopes are what the state hands out of its own.
function scopesOf(value: object): unknown[] {
  return 'scopes' in value && typeof value.scopes === 'function' ? [value.scopes()] : []
}
