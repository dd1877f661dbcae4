import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Parts } from '../samples.ts'
import { recordedOf, replaying, type Seen, type Sent } from './replaying.ts'

/** A server of uploads: each begins with the same request, and says with each answer where it goes on. */
function uploads(): (sent: Sent) => Seen {
  const parts = new Map<string, string[]>()
  const stored = new Map<string, string>()
  let states = 0
  const upload = (id: string): string =>
    `/uploads/${id}?state=${(++states * 7919).toString(36).padStart(9, 's0')}`
  return ({ method, url, body = '' }) => {
    const [path = ''] = url.split('?')
    const id = path.split('/')[2] ?? ''
    if (method === 'POST') {
      const made = `7c9e6679-7425-40de-944b-${String(parts.size).padStart(12, '0')}`
      parts.set(made, [])
      return { status: 202, text: '{}', location: upload(made) }
    }
    if (path.startsWith('/stored/')) return { status: 200, text: stored.get(id) ?? 'none' }
    const own = parts.get(id)
    if (own === undefined) return { status: 404, text: 'none' }
    if (method === 'GET') return { status: 200, text: JSON.stringify({ upload: id, parts: own.length }) }
    if (method === 'PATCH') {
      own.push(body)
      return { status: 202, text: '{}', location: upload(id) }
    }
    const { name } = JSON.parse(body) as { name: string }
    stored.set(name, own.join())
    return { status: 201, text: '{}', location: `/stored/${name}` }
  }
}

/** Clients that upload parts of their own, one request at a time in a given order; what each saw, its own id as OWN. */
async function uploadAll(
  counts: readonly number[],
  order: readonly number[],
  send: (sent: Sent) => Promise<Seen>,
): Promise<string[][]> {
  const clients = counts.map((count, at) => ({
    count,
    name: `client-${at}`,
    id: '',
    location: '',
    saw: [] as string[],
  }))
  const requestOf = ({ count, name, id, location, saw }: (typeof clients)[number]): Sent | undefined => {
    const step = saw.length
    if (step === 0) return { method: 'POST', url: '/uploads' }
    if (step <= count)
      return { method: 'PATCH', url: location, body: JSON.stringify({ part: `${name} ${step}` }) }
    if (step === count + 1) return { method: 'GET', url: `/uploads/${id}` }
    if (step === count + 2) return { method: 'PUT', url: location, body: JSON.stringify({ name }) }
    return step === count + 3 ? { method: 'GET', url: location } : undefined
  }
  for (const draw of order) {
    const left = clients.filter((each) => requestOf(each) !== undefined)
    const client = left[draw % left.length]
    const sent = client && requestOf(client)
    if (client === undefined || sent === undefined) break
    const seen = await send(sent)
    client.location = seen.location ?? client.location
    if (client.saw.length === 0) client.id = /[\w-]{36}/.exec(client.location)?.[0] ?? ''
    client.saw.push(
      `${seen.status} ${seen.text} ${seen.location?.split('?')[0]}`.replaceAll(client.id, 'OWN'),
    )
  }
  return clients.map(({ saw }) => saw)
}

const orders = fc.array(fc.nat(1000), { minLength: 60, maxLength: 60 })

it('lets clients that begin with the same request go on with whatever id they are given', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 5 }),
      orders,
      orders,
      async (counts, first, second) => {
        const recorded: Parts[] = []
        const server = uploads()
        const live = await uploadAll(counts, first, async (sent) => {
          const seen = server(sent)
          recorded.push(recordedOf(sent, seen))
          return seen
        })
        expect(await uploadAll(counts, second, await replaying(recorded))).toEqual(live)
      },
    ),
    { numRuns: 40 },
  )
})
