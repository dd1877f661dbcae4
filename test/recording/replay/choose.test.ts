import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HeaderPair } from '../../../src/http/headers.ts'
import type { ReplayOptions } from '../../../src/recording/replay/replay-options.ts'
import { createReplays } from '../../../src/state/replays.ts'
import type { Parts } from '../samples.ts'
import { type Ask, recordedOf, replaying, type Seen, type Sent } from './replaying.ts'

/** Lines such as `PUT /a 1 -> 200 one`: method, path, a body if there is one, status and text of the answer. */
function parse(line: string): Parts {
  const [request = '', answer = ''] = line.split(' -> ')
  const [method = '', url = '', body] = request.split(' ')
  const [status, text = '', location] = answer.split(' ')
  return recordedOf(
    { method, url, ...(body !== undefined && { body }) },
    { status: Number(status), text, location },
  )
}

async function textsOf(find: Ask, lines: readonly string[]): Promise<string[]> {
  const texts: string[] = []
  for (const line of lines) {
    const [method = '', url = '', body] = line.split(' ')
    const { text, location = '' } = await find({ method, url, ...(body !== undefined && { body }) })
    texts.push(`${text}${location}`)
  }
  return texts
}

const OF_TWO = [
  'PUT /a 1 -> 200 put1',
  'GET /a -> 200 one',
  'GET /a -> 200 one-again',
  'PUT /a 2 -> 200 put2',
  'GET /a -> 200 two',
]

describe('the choice between recorded answers', () => {
  it.for<[string, string[], string[], string[]]>([
    ['follows a write', OF_TWO, ['PUT /a 2', 'GET /a', 'PUT /a 1', 'GET /a'], ['put2', 'two', 'put1', 'one']],
    [
      'takes turns between writes',
      OF_TWO,
      ['PUT /a 1', 'GET /a', 'GET /a', 'GET /a'],
      ['put1', 'one', 'one-again', 'one-again'],
    ],
    [
      'begins before all writes',
      ['GET /a -> 404 none', ...OF_TWO],
      ['GET /a', 'GET /a', 'PUT /a 2', 'GET /a'],
      ['none', 'none', 'put2', 'two'],
    ],
    [
      'does not take a refused write for one',
      ['GET /a -> 200 one', 'PUT /a 1 -> 409 no', 'GET /a -> 200 two'],
      ['PUT /a 1', 'GET /a', 'GET /a'],
      ['no', 'one', 'two'],
    ],
    [
      'knows of writes below, and of what was deleted above',
      [
        'GET /a -> 200 []',
        'PUT /a/1 1 -> 201 made',
        'GET /a -> 200 [1]',
        'GET /a/1/x -> 200 x',
        'DELETE /a -> 204',
        'GET /a/1/x -> 404 gone',
      ],
      ['GET /a', 'GET /a/1/x', 'GET /a/1/x', 'PUT /a/1 1', 'GET /a', 'DELETE /a', 'GET /a/1/x'],
      ['[]', 'x', 'x', 'made', '[1]', '', 'gone'],
    ],
    [
      'knows what a Location names',
      ['GET /b/7 -> 404 none', 'POST /b 1 -> 201 made /b/7', 'GET /b/7 -> 200 seven'],
      ['GET /b/7', 'GET /b/7', 'POST /b 1', 'GET /b/7'],
      ['none', 'none', 'made/b/7', 'seven'],
    ],
    [
      'gives each that creates an answer of its own',
      [
        'POST /b 1 -> 201 made /b/7',
        'GET /b/7 -> 200 seven',
        'POST /b 1 -> 201 made /b/8',
        'GET /b/8 -> 200 eight',
      ],
      ['POST /b 1', 'POST /b 1', 'GET /b/8', 'GET /b/7'],
      ['made/b/7', 'made/b/8', 'eight', 'seven'],
    ],
    [
      'is not held up by what others create beside it',
      ['GET /b/7 -> 200 waiting', 'POST /b 2 -> 201 made /b/8', 'GET /b/7 -> 200 done'],
      ['GET /b/7', 'GET /b/7'],
      ['waiting', 'done'],
    ],
  ])('%s', async ([, recorded, sent, wanted]) => {
    const find = await replaying(recorded.map(parse))
    expect(await textsOf(find, sent)).toEqual(wanted)
  })

  it.for<[ReplayOptions, string[]]>([
    [{ pick: 'sequence' }, ['one', 'one-again', 'two', 'two']],
    [{ pick: 'sequence', after: 'loop' }, ['one', 'one-again', 'two', 'one']],
    [{ pick: 'first', after: 'loop' }, ['one', 'one', 'one', 'one']],
    [{ pick: 'last', after: 'miss' }, ['two', 'two', 'two', 'two']],
    [{ after: 'loop' }, ['one', 'one-again', 'one', 'one-again']],
    [{ after: 'miss' }, ['one', 'one-again', 'miss of GET /a ', 'miss of GET /a ']],
  ])('follows %j', async ([options, wanted]) => {
    const find = await replaying(OF_TWO.map(parse), options)
    expect(await textsOf(find, ['GET /a', 'GET /a', 'GET /a', 'GET /a'])).toEqual(wanted)
  })

  it('keeps what sessions have written apart', async () => {
    const find = await replaying(OF_TWO.map(parse))
    const [one, other] = [createReplays(), createReplays()]
    await find({ method: 'PUT', url: '/a', body: '2' }, one)
    expect((await find({ method: 'GET', url: '/a' }, one)).text).toBe('two')
    expect((await find({ method: 'GET', url: '/a' }, other)).text).toBe('one')
    one.reset()
    expect((await find({ method: 'GET', url: '/a' }, one)).text).toBe('one')
  })

  it.for<[string, HeaderPair[][], HeaderPair[], string]>([
    [
      'the user',
      [[['authorization', 'Basic YTph']], [['authorization', 'Basic Yjpi']]],
      [['authorization', 'Basic Yjpi']],
      '1',
    ],
    [
      'one cookie of several',
      [[['cookie', 'lang=de; run=1']], [['cookie', 'lang=fr; run=2']]],
      [['cookie', 'run=3; lang=fr']],
      '1',
    ],
    [
      'an operation',
      [
        [
          ['x-amz-target', 'A.Get'],
          ['x-run', '1'],
        ],
        [
          ['x-amz-target', 'A.Put'],
          ['x-run', '2'],
        ],
      ],
      [
        ['x-run', '3'],
        ['x-amz-target', 'A.Put'],
      ],
      '1',
    ],
    ['nothing that is new', [[['x-run', '1']], [['x-run', '2']]], [['x-run', '3']], '0'],
    ['what has none', [[['authorization', 'Basic YTph']], []], [], '1'],
    [
      'what has some, where a value is new',
      [[], [['authorization', 'Digest nonce="a"']]],
      [['authorization', 'Digest nonce="b"']],
      '1',
    ],
    [
      'the language that is nearest',
      [[['accept-language', 'de']], [['accept-language', 'fr-CH']]],
      [['accept-language', 'it, fr;q=0.5']],
      '1',
    ],
    ['no agent', [[['user-agent', 'a']], [['user-agent', 'b']]], [['user-agent', 'b']], '0'],
  ])('is decided by %s', async ([, recorded, headers, wanted]) => {
    const parts = recorded.map((each, at) =>
      recordedOf({ method: 'GET', url: '/a', headers: each }, { status: 200, text: String(at) }),
    )
    const find = await replaying(parts)
    expect((await find({ method: 'GET', url: '/a', headers })).text).toBe(wanted)
  })

  it('gives a read without conditions what one without any got, unless a write came between', async () => {
    const got = (text: string, headers: HeaderPair[] = []): Parts =>
      recordedOf({ method: 'GET', url: '/a', headers }, { status: text === 'none' ? 404 : 200, text })
    const put = recordedOf({ method: 'PUT', url: '/a', body: '1' }, { status: 200, text: 'put' })
    const ifMatch: HeaderPair[] = [['if-match', '"x"']]
    const find = await replaying([got('one', ifMatch), got('none'), put, got('two', ifMatch)])
    expect(await textsOf(find, ['GET /a', 'GET /a', 'PUT /a 1', 'GET /a'])).toEqual([
      ...['none', 'none', 'put', 'two'],
    ])
  })

  it('is decided by what Vary names, whatever it is, and by the media type that is wanted', async () => {
    const find = await replaying([
      {
        url: 'http://a/a',
        requestHeaders: [['user-agent', 'a']],
        responseHeaders: [['vary', 'User-Agent']],
        responseBody: '0',
      },
      {
        url: 'http://a/a',
        requestHeaders: [['user-agent', 'b']],
        responseHeaders: [['vary', 'User-Agent']],
        responseBody: '1',
      },
      {
        url: 'http://a/t',
        requestHeaders: [['accept', 'text/html']],
        responseHeaders: [['content-type', 'text/html']],
        responseBody: '0',
      },
      {
        url: 'http://a/t',
        requestHeaders: [['accept', 'text/csv']],
        responseHeaders: [['content-type', 'text/csv']],
        responseBody: '1',
      },
    ])
    expect((await find({ method: 'GET', url: '/a', headers: [['user-agent', 'b']] })).text).toBe('1')
    expect(
      (
        await find({
          method: 'GET',
          url: '/t',
          headers: [['accept', 'text/html;q=0.1, text/*;q=0.5, text/csv']],
        })
      ).text,
    ).toBe('1')
    expect((await find({ method: 'GET', url: '/t', headers: [['accept', 'image/png']] })).text).toBe('0')
  })

  it('lets parallel clients follow their own ids in any order that keeps theirs', async () => {
    await fc.assert(
      fc.asyncProperty(
        servers,
        fc.array(programs, { minLength: 1, maxLength: 4 }),
        orders,
        orders,
        async (kind, each, first, second) => {
          const recorded: Parts[] = []
          const server = serverOf(kind)
          // Several clients do the same, and so may get each other's ids.
          const clients = each.flatMap((steps) => [steps, steps])
          const live = interleave(clients, kind, first, async (sent) => {
            const seen = server(sent)
            recorded.push(recordedOf(sent, seen))
            return seen
          })
          const before = await live
          const find = await replaying(recorded)
          const after = await interleave(clients, kind, second, find)
          // The same program sees the same of its own resource, whatever its id is.
          expect(after).toEqual(before)
        },
      ),
      { numRuns: 60 },
    )
  })
})

const servers = fc.record({
  id: fc.constantFrom<'number' | 'hex'>('number', 'hex'),
  where: fc.constantFrom<'path' | 'query' | 'body' | 'header'>('path', 'query', 'body', 'header'),
  names: fc.constantFrom<'location' | 'body'>('location', 'body'),
})
type Kind = typeof servers extends fc.Arbitrary<infer K> ? K : never

const programs = fc.array(fc.constantFrom('read', 'write1', 'write2', 'commit', 'poll', 'tagged', 'remove'), {
  maxLength: 8,
})
const orders = fc.array(fc.nat(1000), { minLength: 80, maxLength: 80 })

interface Item {
  value: string
  polls: number
}

/** A server that knows its items by an id, which requests name somewhere. */
function serverOf({ id: form, where, names }: Kind): (sent: Sent) => Seen {
  const items = new Map<string, Item>()
  return ({ method, url, headers = [], body }) => {
    if (url === '/items') {
      const id = form === 'number' ? String(items.size + 1) : (items.size * 7919 + 4096).toString(16)
      items.set(id, { value: 'new', polls: 0 })
      return names === 'location'
        ? { status: 201, text: '{}', location: `/items/${id}` }
        : { status: 200, text: JSON.stringify({ id }) }
    }
    const said = JSON.parse(body ?? '{}') as { id?: string; value?: string }
    const named = {
      path: url.split('/')[2]?.split('?')[0],
      query: /id=(\w+)/.exec(url)?.[1],
      body: said.id,
      header: headers.find(([name]) => name === 'x-item')?.[1],
    }
    const id = named[where] ?? ''
    const item = items.get(id)
    if (item === undefined) return { status: 404, text: 'none' }
    const tag = `"${id}-${item.value}"`
    if (/commit/.test(url)) item.value += '+'
    else if (/poll/.test(url)) return { status: 200, text: String(++item.polls) }
    else if (method === 'DELETE' || /remove/.test(url)) items.set(id, { value: 'gone', polls: 0 })
    else if (method === 'PUT' || /write/.test(url)) item.value = said.value ?? ''
    else if (headers.some(([name, value]) => name === 'if-none-match' && value === tag))
      return { status: 304, text: '', etag: tag }
    return { status: 200, text: items.get(id)?.value ?? '', etag: `"${id}-${items.get(id)?.value}"` }
  }
}

/** Runs clients one request at a time, each in its own order; what they saw, those of one program sorted. */
async function interleave(
  clients: readonly (readonly string[])[],
  kind: Kind,
  order: readonly number[],
  send: (sent: Sent) => Promise<Seen>,
): Promise<string[][]> {
  const running = clients.map((steps, at) => ({
    steps: ['create', ...steps],
    name: Math.floor(at / 2),
    id: '',
    tag: '',
    saw: [] as string[],
  }))
  for (const draw of order) {
    const left = running.filter(({ steps, saw }) => saw.length < steps.length)
    const client = left[draw % left.length]
    if (client === undefined) break
    const step = client.steps[client.saw.length] as string
    const sent =
      step === 'create'
        ? { method: 'POST', url: '/items', body: `{"name":${client.name}}` }
        : requestOf(step, client, kind)
    const seen = await send(sent)
    if (step === 'create')
      client.id = seen.location?.split('/').at(-1) ?? (JSON.parse(seen.text) as { id: string }).id
    client.tag = seen.etag ?? client.tag
    client.saw.push(step === 'create' ? 'created' : `${seen.status} ${seen.text}`)
  }
  return running.map(({ saw }) => saw)
}

function requestOf(step: string, { id, tag }: { id: string; tag: string }, { where }: Kind): Sent {
  const value = step.startsWith('write') ? { value: step } : {}
  const tagged: HeaderPair[] = step === 'tagged' && tag !== '' ? [['if-none-match', tag]] : []
  const headers: HeaderPair[] = where === 'header' ? [['x-item', id], ...tagged] : tagged
  const isRead = /read|tagged|poll/.test(step)
  if (where === 'path') {
    const method = step.startsWith('write')
      ? 'PUT'
      : step === 'remove'
        ? 'DELETE'
        : step === 'commit'
          ? 'POST'
          : 'GET'
    const url = `/items/${id}${/commit|poll/.test(step) ? `/${step}` : ''}`
    return { method, url, headers, ...(method === 'PUT' && { body: JSON.stringify(value) }) }
  }
  const verb = isRead ? (step === 'poll' ? 'poll' : 'read') : step.replace(/\d/, '')
  const url = `/${verb}${where === 'query' ? `?id=${id}` : ''}`
  if (where === 'body') return { method: 'POST', url, headers, body: JSON.stringify({ id, ...value }) }
  return { method: isRead ? 'GET' : 'POST', url, headers, ...(!isRead && { body: JSON.stringify(value) }) }
}
