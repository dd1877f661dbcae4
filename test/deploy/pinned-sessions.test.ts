import { describe, expect, it } from 'vitest'
import Type from 'typebox'
import { SimAPI } from '../../src/api.ts'
import { FromInput } from '../../src/index.ts'
import { serve, type Served } from '../flow/kit.ts'
import { BALANCERS, programFor, startBalancer } from './balancer.ts'

const SESSIONS = Array.from({ length: 60 }, (_, index) => `worker-${index}`)
const ITEMS = 4

/** A gateway that keeps its state to itself. */
function startGateway(): Promise<Served> {
  const api = new SimAPI({ seed: 42, stateful: true })
  const Note = Type.Object({ id: Type.Integer(), text: Type.String(FromInput('text')) })
  api.get('/notes/{id}', { input: Type.Object({ id: Type.Integer() }), output: Note })
  api.post('/notes', { input: Type.Object({ text: Type.String() }), output: Note, status: 201 })
  return serve(api.asWebApp())
}

async function create(url: string, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(`${url}/notes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"text":"here"}',
  })
  return response.status === 201 ? ((await response.json()) as { readonly id: number }).id : response.status
}

/** The sessions of a gateway that created something, and how often. */
async function sessionsOf({ url }: Served): Promise<ReadonlyMap<string, number>> {
  const sessions = (await (await fetch(`${url}/__sim/sessions`)).json()) as {
    readonly key: string
    readonly requests: number
  }[]
  return new Map(sessions.filter(({ requests }) => requests > 0).map(({ key, requests }) => [key, requests]))
}

describe.for(BALANCERS)('%s with the sample for gateways without shared state', (name) => {
  const sample = { haproxy: 'haproxy.cfg', nginx: 'nginx.conf' }[name]

  it('gives each session one gateway, by header and by path, and another one to none', async ({ skip }) => {
    const program = programFor(name, skip)
    const gateways = await Promise.all([startGateway(), startGateway(), startGateway()])
    const url = await startBalancer(
      name,
      program,
      sample,
      gateways.map(({ port }) => port),
    )

    // All sessions go on side by side, each by header and by path in turn.
    for (let item = 1; item <= ITEMS; item++) {
      const ids = await Promise.all(
        SESSIONS.map((session) =>
          item % 2 === 0 ? create(`${url}/__sim/s/${session}`) : create(url, { 'x-sim-session': session }),
        ),
      )
      expect(ids).toEqual(SESSIONS.map(() => item))
      expect([await create(url), await create(url, { 'x-sim-session': '' })]).toEqual([
        2 * item - 1,
        2 * item,
      ])
    }
    // A key means the same in a path, where it may be escaped.
    expect([
      await create(url, { 'x-sim-session': 'me@home:1' }),
      await create(`${url}/__sim/s/me%40home%3A1`),
    ]).toEqual([1, 2])

    const held = await Promise.all(gateways.map(sessionsOf))
    const expected = [...SESSIONS.map((key) => [key, ITEMS]), ['', 2 * ITEMS], ['me@home:1', 2]]
    expect(held.flatMap((each) => [...each]).toSorted()).toEqual(expected.toSorted())
    expect(held.filter((each) => each.size >= 10)).toHaveLength(3)

    // What was on a gateway that is gone does not begin anew elsewhere, and all else goes on.
    const [gone] = gateways
    gone.app.server.closeAllConnections()
    await gone.app.close()
    const after = await Promise.all(SESSIONS.map((session) => create(url, { 'x-sim-session': session })))
    const unavailable = name === 'haproxy' ? 503 : 502
    expect(after).toEqual(SESSIONS.map((session) => (held[0]?.has(session) ? unavailable : ITEMS + 1)))
  })
})
