import type { FastifyInstance } from 'fastify'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import { sample } from './samples.ts'

/** Asks the hidden API what clients would, and notes the exchanges. Other seeds ask other things. */
export async function askHiddenApi(app: FastifyInstance, count: number, seed: number): Promise<Sample[]> {
  let state = seed
  const whole = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const pick = <Item>(items: readonly Item[]): Item => items[whole(items.length)] as Item
  const word = (): string => pick(['tea', 'milk', 'bread', 'salt', 'rice', 'plum']) + whole(50)
  const day = (): string => `2026-0${1 + whole(9)}-1${whole(10)}`
  const requests: (() => Ask)[] = [
    () => ({ method: 'GET', url: `/users?limit=${1 + whole(6)}` }),
    () => ({ method: 'GET', url: `/users?role=${pick(['member', 'admin'])}` }),
    () => ({
      method: 'POST',
      url: '/users',
      body: { name: `New ${word()}`, role: pick(['member', 'admin']) },
    }),
    () => ({ method: 'GET', url: `/users/${1 + whole(12)}` }),
    () => ({ method: 'GET', url: `/users/${100 + whole(12)}` }),
    () => ({ method: 'PATCH', url: `/users/${1 + whole(9)}`, body: { name: word() } }),
    () => ({ method: 'DELETE', url: `/users/${100 + whole(20)}` }),
    () => ({ method: 'GET', url: `/search?q=${word()}&lang=${pick(['en', 'de', 'fr'])}` }),
    () => ({ method: 'GET', url: `/reports/${day()}` }),
    () => ({
      method: 'GET',
      url: `/events?start_date=2026-0${1 + whole(4)}-01&end_date=2026-0${5 + whole(4)}-28`,
    }),
    () => ({
      method: 'GET',
      url: `/orgs/${pick(['acme', 'globex', 'initech', 'umbrella'])}/members?team=${word()}`,
    }),
    () => ({
      method: 'POST',
      url: '/quotes',
      body: { symbol: pick(['AAA', 'BBB', 'CCC', 'DDD']), quantity: 1 + whole(90) },
      headers: { 'x-tenant': pick(['t1', 't2', 't3']) },
    }),
    () => ({ method: 'GET', url: `/products/${pick(['mug-1', 'cap-2', 'pen-3', 'bag-4', 'sold-out'])}` }),
    () => ({ method: 'GET', url: '/status' }),
  ]
  const samples: Sample[] = []
  for (let index = 0; index < count; index++) {
    const ask = (requests[index % requests.length] as () => Ask)()
    samples.push(await exchange(app, ask, index))
  }
  return samples
}

interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

async function exchange(app: FastifyInstance, ask: Ask, index: number): Promise<Sample> {
  const { method, url, body, headers = {} } = ask
  const answer = await app.inject({ method, url, headers, ...(body !== undefined && { payload: body }) })
  const response: unknown = answer.body === '' ? undefined : answer.json()
  const recorded = sample(index, `${method} ${url}`, { status: answer.statusCode, response, body }, headers)
  return { ...recorded, mimeType: String(answer.headers['content-type'] ?? '') }
}
