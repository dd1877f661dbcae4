import { expect, it } from 'vitest'
import { createReplays } from '../../../src/state/replays.ts'
import { recordedOf, replaying, type Seen, type Sent } from './replaying.ts'

interface Made {
  readonly id: string
  readonly name: string
}

/** A server of users, whose ids clients draw. */
function users(): (sent: Sent) => Seen {
  const known = new Map<string, Made>()
  return ({ method, url, body = '' }) => {
    const id = url.split('/')[2] ?? ''
    if (method === 'GET' && id === '') return { status: 200, text: JSON.stringify([...known.values()]) }
    const found = known.get(id)
    if (method === 'PUT' || method === 'POST') {
      const made = JSON.parse(body) as Made
      if ([...known.values()].some(({ name }) => name === made.name)) return { status: 409, text: 'taken' }
      known.set(made.id, made)
      const location = `/users/${made.id}`
      return { status: 201, text: JSON.stringify({ ...made, self: `${location}/self` }), location }
    }
    if (found === undefined) return { status: 404, text: `no ${id}` }
    if (method === 'DELETE') known.delete(id)
    return { status: 200, text: method === 'DELETE' ? 'gone' : JSON.stringify(found) }
  }
}

/** What a client draws in each run. */
interface Draws {
  readonly uuid: (at: number) => string
  readonly moment: number
  readonly short: string
}

const FIRST: Draws = {
  uuid: (at) => `7c9e6679-7425-40de-944b-${String(at).padStart(12, '0')}`,
  moment: 1_732_745_123_123,
  short: 'k3j9x2m1p0',
}
const SECOND: Draws = {
  uuid: (at) => `0b1fd0a2-93a6-4c1e-8f5b-${String(at + 500).padStart(12, '0')}`,
  moment: 1_795_817_421_525,
  short: 'q8w7e6r5tz',
}

function requestsOf({ uuid, moment, short }: Draws): readonly Sent[] {
  const make = (at: number, name: string): Sent => ({
    method: at === 1 ? 'PUT' : 'POST',
    url: at === 1 ? `/users/${uuid(at)}` : '/users',
    body: JSON.stringify({ id: uuid(at), name }),
  })
  return [
    { method: 'GET', url: `/users/${uuid(9)}` },
    make(1, `user-${moment}@example.com`),
    make(2, `Test ${short}`),
    make(3, `user-${moment}@example.com`),
    { method: 'GET', url: '/users' },
    { method: 'GET', url: `/users/${uuid(1)}` },
    { method: 'DELETE', url: `/users/${uuid(2)}` },
    { method: 'GET', url: `/users/${uuid(2)}` },
    { method: 'GET', url: '/users' },
  ]
}

function record(): { readonly recorded: ReturnType<typeof recordedOf>[]; readonly seen: Seen[] } {
  const send = users()
  const seen: Seen[] = []
  const recorded = requestsOf(FIRST).map((sent) => {
    const answer = send(sent)
    seen.push(answer)
    return recordedOf(sent, answer)
  })
  return { recorded, seen }
}

it('takes ids and names that a client draws in each run for those of the recording, and answers with its own', async () => {
  const ask = await replaying(record().recorded)
  for (const draws of [SECOND, FIRST]) {
    const [send, session] = [users(), createReplays()]
    for (const sent of requestsOf(draws)) expect(await ask(sent, session)).toMatchObject(send(sent))
  }
})

it('lets one session draw anew', async () => {
  const ask = await replaying(record().recorded)
  const third = { uuid: (at: number) => FIRST.uuid(at + 70), moment: 1_700_000_000_000, short: 'a1b2c3d4e5' }
  for (const draws of [SECOND, third, FIRST]) {
    const send = users()
    for (const sent of requestsOf(draws))
      if (sent.method !== 'GET' || sent.url !== '/users') expect(await ask(sent)).toMatchObject(send(sent))
  }
})

it('keeps those of one session from another', async () => {
  const ask = await replaying(record().recorded)
  const [, , make, , , , remove] = requestsOf(SECOND) as [Sent, Sent, Sent, Sent, Sent, Sent, Sent]
  await ask(make)
  expect(await ask(remove)).toMatchObject({ status: 200 })
  expect(await ask(remove, createReplays())).toMatchObject({ status: 0 })
})

it('gives each of several clients that draw what another one made, whatever their order', async () => {
  const send = users()
  const requests = (draws: Draws, at: number, then: string): Sent[] => [
    { method: 'POST', url: '/users', body: JSON.stringify({ id: draws.uuid(at), name: draws.uuid(at + 1) }) },
    { method: then, url: `/users/${draws.uuid(at)}` },
  ]
  const recorded = [...requests(FIRST, 10, 'GET'), ...requests(FIRST, 20, 'DELETE')]
  const ask = await replaying(recorded.map((sent) => recordedOf(sent, send(sent))))
  const again = users()
  for (const sent of [...requests(SECOND, 30, 'DELETE'), ...requests(SECOND, 40, 'GET')])
    expect(await ask(sent)).toMatchObject(again(sent))
})

it('has the state of a login come back as the client gave it', async () => {
  const login = (state: string): Sent => ({ method: 'GET', url: `/authorize?client_id=a&state=${state}` })
  const after = { method: 'GET', url: '/login/done' }
  const back = (state: string): Seen => ({
    status: 303,
    text: '',
    location: `http://app.test/cb?state=${state}`,
  })
  const [was, is] = [
    'E0dL2-4wlgxAaKCVOdXd4mXgym26_3ioILxr1w5QXM4',
    'xwk3fVC5gkM-uOqWcW1bPz8m2L7iYt_Rr0aNsHdEoT9',
  ]
  const ask = await replaying([
    recordedOf(login(was), { status: 303, text: '', location: '/login' }),
    recordedOf(after, back(was)),
  ])
  expect(await ask(login(is))).toMatchObject({ status: 303 })
  expect(await ask(after)).toMatchObject(back(is))
})

it('gives clients of Engine.IO that come at once a session each, though they drew no value of a known form', async () => {
  const open = (drawn: string): Sent => ({
    method: 'GET',
    url: `/socket.io/?EIO=4&transport=polling&t=${drawn}`,
  })
  const sessions = ['YqFB8gaFwH3WXZJeAAAA', 'UxH3YFc8aTXea2miAAAB'].map((sid) => ({
    status: 200,
    text: `0{"sid":"${sid}"}`,
  }))
  const ask = await replaying(sessions.map((session, at) => recordedOf(open(`e005dtg${at}`), session)))
  expect(await Promise.all([ask(open('e00yxzna')), ask(open('e00yxznb'))])).toMatchObject(sessions)
})

it('answers as the server did that knew no session of Engine.IO', async () => {
  const poll = (drawn: string): Sent => ({
    method: 'GET',
    url: `/socket.io/?EIO=4&transport=polling&t=${drawn}&sid=YqFB8gaFwH3WXZJeAAAA`,
  })
  const unknown = { status: 400, text: '{"code":1,"message":"Session ID unknown"}' }
  const ask = await replaying([recordedOf(poll('e005dtg1'), unknown)])
  expect(await ask(poll('e00yxzna'))).toMatchObject(unknown)
})

it.for<[name: string, sent: Sent]>([
  ['a thing that was there', { method: 'GET', url: '/tenants/9f8b1c52-1d0e-4b36-9c0a-111111111111' }],
  ['a search', { method: 'POST', url: '/search', body: '{"tenant":"9f8b1c52-1d0e-4b36-9c0a-111111111111"}' }],
  ['what an answer gave', { method: 'PUT', url: '/items/5d1c0f6a-7a3b-4f57-8b6e-222222222222', body: '{}' }],
])('takes no other value for the one that names %s', async ([, sent]) => {
  const answers = [
    recordedOf(
      { method: 'GET', url: '/items' },
      { status: 200, text: '["5d1c0f6a-7a3b-4f57-8b6e-222222222222"]' },
    ),
    recordedOf(sent, { status: 200, text: '{"found":1}' }),
  ]
  const ask = await replaying(answers)
  const other = (text: string): string => text.replace(/[12]{12}/, '333333333333')
  expect(await ask(sent)).toMatchObject({ status: 200 })
  const changed = {
    ...sent,
    url: other(sent.url),
    ...(sent.body !== undefined && { body: other(sent.body) }),
  }
  expect(await ask(changed)).toMatchObject({ status: 0 })
})

it.for<[answer: Seen, times: number]>([
  [{ status: 204, text: '' }, 1],
  [{ status: 200, text: '{"ok":true}' }, 3],
])(
  'takes events that differ by what a client draws for those that were answered with %j',
  async ([answer, times]) => {
    const event = (at: number): Sent => ({
      method: 'POST',
      url: '/events',
      body: JSON.stringify({ id: FIRST.uuid(at), seen: FIRST.moment + at }),
    })
    const ask = await replaying(Array.from({ length: times }, (_, at) => recordedOf(event(at), answer)))
    for (const at of [50, 51, 52, 53, 54]) expect(await ask(event(at))).toMatchObject(answer)
  },
)

it('takes no value that the recording has for a drawn one', async () => {
  const { recorded } = record()
  const ask = await replaying(recorded)
  const sent = { method: 'PUT', url: `/users/${FIRST.uuid(2)}`, body: requestsOf(FIRST)[1]?.body ?? '' }
  expect(await ask(sent)).toMatchObject({ status: 0 })
})

it('takes bytes in base64 that a client draws for one value, percent-encoded or not', async () => {
  const key = (bytes: number, fill: number): string =>
    Buffer.alloc(bytes, fill)
      .fill(fill * 3, 1, 9)
      .toString('base64')
  const requestsOf = (keys: readonly string[]): Sent[] =>
    keys.flatMap((each): Sent[] => [
      { method: 'GET', url: `/checkpoints/${encodeURIComponent(each.replaceAll('/', '.'))}` },
      { method: 'PUT', url: '/checkpoint', body: JSON.stringify({ id: each.replaceAll('/', '.'), last: 2 }) },
    ])
  const answerTo = ({ method, body = '' }: Sent): Seen =>
    method === 'GET' ? { status: 404, text: 'none' } : { status: 201, text: body }
  const [was, is] = [1, 5].map((fill) => [16, 20, 32].map((bytes) => key(bytes, fill * 41)))
  const ask = await replaying(requestsOf(was ?? []).map((sent) => recordedOf(sent, answerTo(sent))))
  for (const sent of requestsOf(is ?? [])) expect(await ask(sent)).toMatchObject(answerTo(sent))
})

it('takes no notice of when a URL was signed and when it ends, nor of the time of a request', async () => {
  const signed = (at: string, end: string): Sent[] => [
    { method: 'GET', url: `/b/1?X-Amz-Date=${at}&X-Amz-Expires=900&X-Amz-Signature=${'0a1b'.repeat(16)}` },
    { method: 'GET', url: `/b/2?Expires=${Date.parse(end) / 1000}&Signature=${'c2'.repeat(16)}%3D` },
    { method: 'GET', url: `/b/3?sv=2024-11-04&se=${encodeURIComponent(end)}&sig=${'Qx9z'.repeat(10)}%3D` },
  ]
  const seen = (sent: Sent): Seen => ({ status: 200, text: sent.url.slice(0, 4) })
  const recorded = signed('20261120T100000Z', '2026-11-20T10:15:00Z')
  const unsigned = { method: 'GET', url: '/changes?since=2026-11-19T09:00:00Z' }
  const ask = await replaying([...recorded, unsigned].map((sent) => recordedOf(sent, seen(sent))))
  for (const sent of signed('20261128T160102Z', '2026-11-28T16:16:02Z'))
    expect(await ask(sent)).toMatchObject(seen(sent))
  expect(await ask({ method: 'GET', url: '/changes?since=2026-11-27T08:00:00Z' })).toMatchObject({
    status: 0,
  })
})
