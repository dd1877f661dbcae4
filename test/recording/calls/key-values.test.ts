import { expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import { grpcGateway } from '../../../src/recording/protocols/grpc-gateway.ts'
import { samplesOf } from '../inference/samples.ts'

interface Pair {
  readonly key: string
  readonly text: string
  readonly createdSerial: string
  readonly changedSerial: string
  readonly version: string
}
type Args = Readonly<Record<string, unknown>>

/** A store of texts by key, whose answers leave out what is empty and have the number of changes. */
function createStore(): (name: string, args: Args) => { status: number; body: unknown } {
  const pairs = new Map<string, Pair>()
  let serial = 7
  const shown = (keep: (pair: Pair) => boolean): Pair[] =>
    [...pairs.values()].filter(keep).toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const answered = (body: object): { status: number; body: unknown } => ({
    status: 200,
    body: { meta: { node: 'n1', serial: String(serial) }, ...body },
  })
  return (name, { key, text = '', end, limit, wants_old: wantsOld }) => {
    if (typeof key !== 'string') return { status: 400, body: { code: 3, message: 'no key' } }
    const isWanted = (pair: Pair): boolean =>
      typeof end === 'string' ? pair.key >= key && pair.key < end : pair.key === key
    if (name === 'Put') {
      const old = pairs.get(key)
      const now = String(++serial)
      const version = String(Number(old?.version ?? 0) + 1)
      const createdSerial = old?.createdSerial ?? now
      pairs.set(key, { key, text: String(text), createdSerial, changedSerial: now, version })
      return answered(wantsOld === true && old !== undefined ? { old_pair: old } : {})
    }
    const found = shown(isWanted)
    if (name === 'Delete') {
      if (found.length > 0) serial++
      for (const each of found) pairs.delete(each.key)
      return answered(found.length > 0 ? { removed: String(found.length) } : {})
    }
    const page = found.slice(0, typeof limit === 'number' ? limit : undefined)
    const isMore = page.length < found.length
    return answered(
      found.length === 0 ? {} : { pairs: page, count: String(found.length), ...(isMore && { more: true }) },
    )
  }
}

/** What a client does, with keys of its own. */
function callsWith([a, b, c]: readonly [string, string, string]): readonly (readonly [string, Args])[] {
  const all = { key: a.slice(0, 1), end: `${a.slice(0, 1)}~` }
  return [
    ['Range', { key: a }],
    ...[a, b, c].map((key, at): [string, Args] => ['Put', { key, text: `text ${at}` }]),
    ...[a, b].map((key): [string, Args] => ['Range', { key }]),
    ['Range', all],
    ['Range', { ...all, limit: 2 }],
    ['Put', { key: b, text: 'new', wants_old: true }],
    ['Range', { key: b }],
    ['Delete', { key: a }],
    ['Delete', { key: a }],
    ['Range', all],
    ['Delete', all],
    ['Range', all],
    ['Put', {}],
    ['Put', { key: a, text: 'again' }],
    ['Range', { key: a }],
  ]
}

function recorded(keys: readonly [string, string, string]): readonly Sample[] {
  const store = createStore()
  return samplesOf(
    ...callsWith(keys).map(([name, body]): [string, object] => {
      const { status, body: response } = store(name, body)
      return [`POST /twirp/texts.Store/${name}`, { body, response, status }]
    }),
  )
}

it('answers other keys as the store does that was recorded: ranges, counts, versions, and what was before', () => {
  const model = inferCalls(recorded(['ant', 'asp', 'ape']), grpcGateway)
  if (model === undefined) throw new Error('Nothing was inferred')
  expect(Object.values(model.types)[0]?.counters).toEqual({
    createdSerial: 'made',
    changedSerial: 'changed',
    version: 'writes',
  })
  const objects = createObjects(model)
  for (const { segments, body, status, response } of recorded(['zebu', 'zorse', 'zander'])) {
    const request = { path: `/${segments.join('/')}`, query: {}, headers: {}, body }
    expect(answerCalls(model, objects, request, { seed: '', now: 0 })).toEqual({ status, body: response })
  }
})
