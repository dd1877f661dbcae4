import { contentStream, type Stream } from '../../src/engine/random.ts'

/** One request of a walk, and the bytes that came back. */
export interface Walked {
  /** Its number in the journal: nothing else is sent meanwhile. */
  readonly id: number
  readonly session: string
  readonly request: string
  readonly status: number
  readonly body: Buffer
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly json?: unknown
  readonly form?: string
}

type Draw = (draw: Stream) => Sent

const cake = (draw: Stream): number => draw.integer(1, 30)
const name = (draw: Stream): string => draw.pick(['Torte', 'Kuchen', 'Ĉokolado 🎂', 'Pie', '']) ?? ''

/** Creates, changes, removals and lists over `bakery.yaml`, some of which are refused. */
export const BAKERY: readonly Draw[] = [
  (draw) => ({ method: 'POST', path: '/cakes', json: { name: name(draw), layers: draw.integer(1, 9) } }),
  (draw) => ({
    method: 'POST',
    path: '/cakes',
    json: { name: name(draw), shape: draw.pick(['round', 'square']) },
  }),
  (draw) => ({ method: 'PATCH', path: `/cakes/${cake(draw)}`, json: { layers: draw.integer(0, 9) } }),
  (draw) => ({ method: 'PUT', path: `/cakes/${cake(draw)}`, json: { name: name(draw) } }),
  (draw) => ({ method: 'DELETE', path: `/cakes/${cake(draw)}` }),
  (draw) => ({ method: 'GET', path: `/cakes/${cake(draw)}` }),
  () => ({ method: 'GET', path: '/cakes' }),
  (draw) => ({ method: 'GET', path: `/cakes?limit=${draw.integer(1, 9)}&offset=${draw.integer(0, 9)}` }),
  (draw) => ({ method: 'GET', path: `/cakes?shape=${draw.pick(['round', 'square'])}` }),
  (draw) => ({ method: 'GET', path: `/cakes/${cake(draw)}/slices` }),
  (draw) => ({
    method: 'POST',
    path: `/cakes/${cake(draw)}/slices`,
    form: `eater=Ann+${draw.integer(1, 99)}`,
  }),
  () => ({ method: 'GET', path: '/recipe' }),
]

/** What `examples/shop.ts` has. */
export const SHOP: readonly Draw[] = [
  (draw) => ({ method: 'GET', path: `/users?name=${encodeURIComponent(name(draw))}` }),
  (draw) => ({ method: 'GET', path: `/users?start_date=2020-0${draw.integer(1, 9)}-01` }),
  (draw) => ({ method: 'GET', path: `/users/${draw.integer(1, 999)}` }),
  () => ({ method: 'GET', path: '/users/nobody' }),
  (draw) => ({
    method: 'POST',
    path: '/orders',
    json: { product: name(draw), quantity: draw.integer(0, 101) },
  }),
]

/** Sends requests one after the other, each in one of three sessions. */
export async function walk(
  url: string,
  draws: readonly Draw[],
  seed: number,
  count: number,
): Promise<Walked[]> {
  const walked: Walked[] = []
  for (let id = 1; id <= count; id++) {
    const draw = contentStream(seed, `step ${id}`)
    const session = draw.pick(['', 'one', 'two']) ?? ''
    const { method, path, json, form } = (draw.pick(draws) as Draw)(draw)
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(session !== '' && { 'x-sim-session': session }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...((json !== undefined || form !== undefined) && { body: form ?? JSON.stringify(json) }),
    })
    const body = Buffer.from(await response.arrayBuffer())
    walked.push({ id, session, request: `${method} ${path}`, status: response.status, body })
  }
  return walked
}

/** Some of a walk, drawn without putting back. */
export function some(walked: readonly Walked[], seed: number, count: number): readonly Walked[] {
  const draw = contentStream(seed, 'which')
  const left = [...walked]
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [chosen] = left.splice(draw.integer(0, left.length - 1), 1)
    return chosen as Walked
  })
}
