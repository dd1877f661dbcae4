import { describe, expect, it } from 'vitest'
import { foldPaths } from '../../../src/recording/inference/fold-paths.ts'
import { findMentions } from '../../../src/recording/inference/values.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import { type Entry, samplesOf } from './samples.ts'

function pathsOf(samples: readonly Sample[]): string[] {
  return foldPaths(samples, findMentions(samples)).map(({ path }) => path)
}

describe('foldPaths', () => {
  it('takes all below a path of many segments for one, however many there are', () => {
    const deep = '/a'.repeat(20_000)
    const above = '/a'.repeat(100)
    expect(pathsOf(samplesOf('GET /users/1', `GET ${deep}`, `GET ${deep}/b`))).toEqual([
      '/users/1',
      `${above}/{path*}`,
    ])
  })

  it('takes what alone was made beside collections for a thing of its own', () => {
    const missing = { status: 404 } as const
    const made = { body: { site: 'Blog' }, response: { site: 'Blog' } }
    const settings = [
      ['GET /api/settings', missing],
      ['PUT /api/settings', made],
      ['GET /api/settings', { response: made.response }],
      ['GET /api/nothing', missing],
    ] as const
    const posts = ['GET /api/posts', 'GET /api/posts/1', 'GET /api/posts/2'] as const
    expect(pathsOf(samplesOf(...posts, ...settings))).toEqual([
      '/api/posts',
      '/api/posts/{id}',
      '/api/settings',
      '/api/nothing',
    ])
    expect(pathsOf(samplesOf(...settings))).toEqual(['/api/{id}'])
  })

  it('takes the collection that a `Location` names for no item', () => {
    const samples = samplesOf(
      ['POST /api/own/tokens', { status: 201 }],
      'GET /api/own/tokens',
      'GET /api/own/users',
    )
    const located = samples.map((sample) => ({ ...sample, responseHeaders: { location: 'tokens' } }))
    expect(pathsOf(located)).toEqual(['/api/own/tokens', '/api/own/users'])
  })

  it('takes one id of another form for a value beside values', () => {
    expect(
      pathsOf(samplesOf('GET /users/1', 'GET /users/2', 'GET /users/3f2b8c1e-7f0a-4c7e-9d55-0a1b2c3d4e5f')),
    ).toEqual(['/users/{id}'])
  })

  it('takes one id without digits for a value where another answer has it as an id', () => {
    const shown = [
      'GET /items',
      { response: { data: [{ id: 'si_JsYCSZPIqbLiaO', kind: 'listOfItems' }] } },
    ] as const
    expect(pathsOf(samplesOf(shown, 'GET /items/si_JsYCSZPIqbLiaO'))).toEqual(['/items', '/items/{id}'])
    const named = ['GET /views', { response: [{ id: 'overdueOrdersOnly' }] }] as const
    expect(pathsOf(samplesOf(named, 'GET /views/overdueOrdersOnly'))).toEqual([
      '/views',
      '/views/overdueOrdersOnly',
    ])
  })

  it('takes words for values that their answers repeat, however unlike they are', () => {
    const report = (kind: string, more: object) =>
      [`GET /reports/${kind}`, { response: { kind, ...more } }] as const
    expect(pathsOf(samplesOf(report('sales', { total: 1 }), report('stock', { items: [] })))).toEqual([
      '/reports/{kind}',
    ])
    expect(pathsOf(samplesOf(report('sales', { kind: 'x' }), report('stock', { kind: 'x' })))).toEqual([
      '/reports/sales',
      '/reports/stock',
    ])
  })

  it('takes ids for values that begin as reserved names do where a request made them', () => {
    const make = (id: string) => ['POST /posts', { status: 201, response: { id } }] as const
    expect(
      pathsOf(
        samplesOf(
          ...[make('_blHrxterME'), make('xr9wxtmt7i0')],
          ...['GET /posts/xr9wxtmt7i0', 'GET /posts/_blHrxterME', 'GET /posts/_search'],
        ),
      ),
    ).toEqual(['/posts', '/posts/{id}', '/posts/_search'])
  })

  it('leaves the names of calls as they are that send unlike things, and are answered nothing', () => {
    const call = (name: string, body: object) => [`POST /api/v2/jobs/${name}`, { body }] as const
    const calls = [
      call('rename', { hash: 'a1', name: 'x' }),
      call('setLimit', { hashes: 'a1', limit: 5 }),
      call('createTag', { tag: 'new', color: 'red' }),
      call('removeAll', { confirmed: true }),
      call('move', { from: 'a', to: 'b' }),
    ]
    expect(pathsOf(samplesOf(...calls))).toEqual(calls.map(([request]) => request.replace('POST ', '')))
    const doors = ['front', 'back', 'left', 'right'].map((name) => call(name, { open: true }))
    expect(pathsOf(samplesOf(...doors))).toEqual(['/api/v2/jobs/{id}'])
  })

  it('leaves the names of collections as they are where an answer lists them', () => {
    const list = (name: string) =>
      [`GET /api/v2/${name}`, { response: [{ id: 1, title: 'a', link: 'b' }] }] as const
    const types = [
      'GET /api/v2/types',
      { response: { one: { base: 'posts' }, two: { base: 'pages' } } },
    ] as const
    expect(pathsOf(samplesOf(types, list('posts'), list('pages')))).toEqual([
      '/api/v2/types',
      '/api/v2/posts',
      '/api/v2/pages',
    ])
  })

  it('takes a word beside values for another name of an item whose answer repeats it', () => {
    const user = (at: string, id: number, name: string) =>
      [`GET /users/${at}`, { response: { id, name } }] as const
    expect(pathsOf(samplesOf(user('1', 1, 'ann'), user('2', 2, 'bob'), user('ann', 1, 'ann')))).toEqual([
      '/users/{id}',
    ])
    expect(pathsOf(samplesOf(user('1', 1, 'ann'), user('2', 2, 'bob'), user('me', 1, 'ann')))).toEqual([
      '/users/{id}',
      '/users/me',
    ])
  })

  it('takes words for values that a list of plain names at the path above has', () => {
    const list = (path: string, ...response: readonly string[]) => [`GET ${path}`, { response }] as const
    expect(
      pathsOf(
        samplesOf(list('/files', 'in', 'out'), list('/files/in', 'a.deb'), list('/files/out', 'b.deb')),
      ),
    ).toEqual(['/files', '/files/{id}'])
    expect(
      pathsOf(samplesOf(list('/api', 'in', 'out'), list('/api/in', 'a.deb'), list('/api/out', 'b.deb'))),
    ).toEqual(['/api', '/api/in', '/api/out'])
  })

  it('takes words for values that a part of a body names, and the answer says again', () => {
    const box = (slug: string) => ({ data: { slug, size: 1 } })
    const samples = samplesOf(
      ['POST /boxes', { body: box('red'), response: box('red'), status: 201 }],
      ['GET /boxes/none', { status: 404, response: { error: 'No such box' } }],
      ['PATCH /boxes/red', { body: box('red'), response: box('red') }],
      'GET /boxes/red/lids',
    )
    expect(foldPaths(samples, findMentions(samples)).map(({ path }) => path)).toEqual([
      ...['/boxes', '/boxes/{id}', '/boxes/{box_id}/lids'],
    ])
  })

  it('takes what is in brackets after a name for a value, and nothing in none', () => {
    const samples = samplesOf(
      ...['GET /Books(5)', "GET /Books('a(b)')", 'GET /Books(Id=5,Part=2)/title', 'GET /Books/$count'],
      ...['GET /Newest()', 'GET /Sum(all)'],
    )
    const folded = foldPaths(samples, findMentions(samples))
    expect(folded.map(({ path }) => path).toSorted()).toEqual([
      ...['/Books({book_id})/title', '/Books({id})', '/Books/$count', '/Newest()', '/Sum(all)'],
    ])
    expect(
      folded.flatMap((each) => each.samples.map((sample) => Object.values(each.values(sample)))),
    ).toEqual(expect.arrayContaining([['5'], ["'a(b)'"], ['Id=5,Part=2']]))
  })

  it('takes words for values that were removed, beside those that answers repeat', () => {
    const read = (slug: string, more: object = {}) =>
      [`GET /notes/${slug}`, { response: { slug, ...more } }] as const
    const removed = (slug: string) => [`DELETE /notes/${slug}`, { status: 204 }] as const
    const list = ['GET /notes', { response: [{ slug: 'red' }, { slug: 'blue' }, { slug: 'green' }] }] as const
    const samples = samplesOf(list, read('red'), removed('red'), read('blue', { a: 1 }), removed('green'))
    expect(pathsOf(samples)).toEqual(['/notes', '/notes/{slug}'])
  })

  it('folds numbers that two requests differ in', () => {
    expect(pathsOf(samplesOf('GET /users/42', 'GET /users/43', 'GET /users'))).toEqual([
      '/users',
      '/users/{id}',
    ])
  })

  it('takes a word that is a value in one place for one wherever it stands below a name', () => {
    const made = (path: string): readonly [string, object] => [`PUT ${path}`, { status: 201 }]
    expect(
      pathsOf(samplesOf(made('/vhosts/shop'), made('/queues/shop/mails'), 'GET /exchanges/shop')),
    ).toEqual(['/vhosts/{id}', '/queues/{queue_id}/{id}', '/exchanges/{id}'])
    expect(pathsOf(samplesOf(made('/vhosts/queues'), made('/queues/queues')))).toEqual([
      '/vhosts/{id}',
      '/queues/{id}',
    ])
  })

  it('takes words that requests put objects of one form to for values', () => {
    const put = (word: string, body: object): Entry => [`PUT /config/servers/${word}`, { body, response: {} }]
    expect(pathsOf(samplesOf(put('one', { port: 1 }), put('two', { port: 2 })))).toEqual([
      '/config/servers/{id}',
    ])
    expect(pathsOf(samplesOf(put('theme', { dark: true }), put('mail', { address: 'a' })))).toEqual([
      '/config/servers/theme',
      '/config/servers/mail',
    ])
  })

  it('names no parameter by a field that holds some of its numbers by chance', () => {
    const read = (id: number): readonly [string, object] => [
      `GET /orders/${id}`,
      { response: { id, price: id * 2 } },
    ]
    expect(pathsOf(samplesOf(...[1, 2, 3, 5, 7].map(read)))).toEqual(['/orders/{id}'])
    expect(pathsOf(samplesOf('GET /v/2/docs', ['GET /a', { response: { count: 2 } }]))).toEqual([
      '/v/2/docs',
      '/a',
    ])
  })

  it('takes the version of an API for no id of an item below it, whatever the suffixes of its paths', () => {
    const users = [1, 2, 3].map((id) => [`GET /rest/3/users/${id}.json`, { response: { id } }] as const)
    expect(pathsOf(samplesOf(...users, 'GET /rest/3/users.json', 'GET /rest/3/ping'))).toEqual([
      '/rest/3/users.json',
      '/rest/3/users/{id}.json',
      '/rest/3/ping',
    ])
  })

  it('folds one number that another answer holds, and leaves one that none does', () => {
    const listed = samplesOf(
      ['GET /users', { response: [{ id: 42 }] }],
      'GET /users/42',
      'GET /version/2/docs',
    )
    expect(pathsOf(listed)).toEqual(['/users', '/users/{id}', '/version/2/docs'])
  })

  it.for([
    ['uuids', '0b9ac0de-7d7c-4a34-9d3f-2f1a4a0f7b11', 'f3b1f6c4-70f2-4a6e-8a44-6a3c7ee1f0aa', 'id'],
    ['ULIDs', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '01BX5ZZKBKACTAV9WEVGEMMVS0', 'id'],
    ['dates', '2026-01-31', '2026-02-01', 'date'],
    ['hashes', '9fceb02d0ae598e95dc970b74767f19372d61af8', '3a7bd3e2360a3d29eea436fcfb7e44c735d117c4', 'id'],
  ])('folds %s', ([, one, other, name]) => {
    expect(pathsOf(samplesOf(`GET /things/${one}`, `GET /things/${other}`))).toEqual([`/things/{${name}}`])
  })

  it('folds slugs that a list names in one field, by that field', () => {
    const samples = samplesOf(
      ['GET /users', { response: [{ login: 'alice' }, { login: 'bob' }, { login: 'carol' }] }],
      ['GET /users/alice', { response: { login: 'alice' } }],
      ['GET /users/bob', { response: { login: 'bob' } }],
    )
    expect(pathsOf(samples)).toEqual(['/users', '/users/{login}'])
  })

  it('folds a segment with an encoded slash, which only values have', () => {
    const own = (vhost: string): Entry => [`GET /queues/${vhost}/a`, { response: { name: 'a', size: 1 } }]
    expect(pathsOf(samplesOf(own('%2F'), own('shop'), 'GET /queues'))).toEqual([
      '/queues',
      '/queues/{queue_id}/a',
    ])
  })

  it('keeps names apart that lead to different answers', () => {
    const samples = samplesOf(
      ['GET /api/users', { response: [{ id: 1, name: 'a' }] }],
      ['GET /api/orders', { response: [{ id: 1, total: 5 }] }],
      ['GET /api/status', { response: { ok: true } }],
      ['GET /api/health', { response: { up: true } }],
    )
    expect(pathsOf(samples)).toHaveLength(4)
  })

  it('names the parameters of nested collections', () => {
    const samples = samplesOf(
      'GET /orgs/7/members/1',
      'GET /orgs/8/members/2',
      'GET /orgs/8/members/3/keys/9',
      'GET /orgs/8/members/4/keys/8',
    )
    expect(pathsOf(samples)).toEqual([
      '/orgs/{org_id}/members/{id}',
      '/orgs/{org_id}/members/{member_id}/keys/{id}',
    ])
  })

  it('says what a parameter was in a request', () => {
    const samples = samplesOf('GET /users/42/posts', 'GET /users/43/posts')
    const [folded] = foldPaths(samples, findMentions(samples))
    expect(samples.map((each) => folded?.values(each))).toEqual([{ user_id: '42' }, { user_id: '43' }])
  })

  const data = (value: unknown) => ({ response: { status: 'success', data: value } })
  const made = { status: 201, response: { ok: true } }
  const gone = { status: 404, response: { error: 'not_found' } }
  it.for<readonly [string, readonly Entry[], readonly string[]]>([
    [
      'operations that answer in one envelope',
      [
        ['GET /api/v1/query', data({ type: 'vector', result: [] })],
        ['GET /api/v1/query_range', data({ type: 'matrix', result: [] })],
        ['GET /api/v1/labels', data(['job'])],
        ['GET /api/v1/rules', data({ groups: [] })],
        ['GET /api/v1/targets', data({ active: [] })],
        ...['job', '__name__', 'code'].map(
          (label) => [`GET /api/v1/label/${label}/values`, data([label])] as const,
        ),
      ],
      [
        '/api/v1/query',
        '/api/v1/query_range',
        '/api/v1/labels',
        '/api/v1/rules',
        '/api/v1/targets',
        '/api/v1/label/{label_id}/values',
      ],
    ],
    [
      'two words with the same below, of which another answer holds one',
      [
        ['GET /api/v1/labels', data(['job', 'code'])],
        ['GET /api/v1/label/job/values', data(['self'])],
        ['GET /api/v1/label/none/values', data([])],
        ['GET /api/v1/shop/hours', data(['early'])],
        ['GET /api/v1/shop/rules', data([])],
      ],
      ['/api/v1/labels', '/api/v1/label/{label_id}/values', '/api/v1/shop/hours', '/api/v1/shop/rules'],
    ],
    [
      'names of resources at the root of an API',
      ['users', 'orders', 'items', 'notes'].map(
        (name) => [`GET /api/v1/${name}`, { response: [{ id: 1, name }] }] as const,
      ),
      ['/api/v1/users', '/api/v1/orders', '/api/v1/items', '/api/v1/notes'],
    ],
    [
      'what a PUT made, beside reserved names',
      [
        ['PUT /shop', made],
        ['GET /shop/_all_docs', { response: { rows: [] } }],
        ['PUT /shop/tea', made],
        'DELETE /shop/pot',
        ['GET /shop/pot', gone],
        ['GET /shop/nothing', gone],
        'GET /_session',
      ],
      ['/{id}', '/{id}/_all_docs', '/{id}/{id_2}', '/_session'],
    ],
    [
      'the tree of a WebDAV server and what is beside it',
      [
        ['GET /about', { response: { version: 1 } }],
        ['PROPFIND /dav', { status: 207 }],
        ['MKCOL /dav/docs', made],
        ['PUT /dav/docs/new/a.txt', made],
        ['GET /dav/none', gone],
      ],
      ['/about', '/dav', '/dav/{path*}'],
    ],
    [
      'what a POST names in its body, and no other value of it',
      [
        ['POST /queues', { body: { name: 'mail', kind: 'fast' } }],
        ['GET /queues/mail', { response: { depth: 1 } }],
        ['GET /queues/fast', { response: { count: 1 } }],
      ],
      ['/queues', '/queues/{id}', '/queues/fast'],
    ],
    [
      'what is deleted by the values of what was added',
      [
        ['POST /posts/1/tags', { body: { kind: 'color', value: 'red' } }],
        'DELETE /posts/1/tags/color/red',
        ['POST /keys', { response: { secret: '*:some.words' } }],
        'DELETE /keys/*:some.words',
      ],
      ['/posts/1/tags', '/posts/1/tags/{tag_id}/{id}', '/keys', '/keys/{id}'],
    ],
    [
      'items of which some are requested themselves, and of others only what is below them',
      [
        ['GET /stages', { response: [{ name: 'beta' }, { name: 'live' }] }],
        ['POST /apps/1/stages/beta/on', {}],
        ['GET /apps/1/stages/beta', { response: { isOn: true } }],
        ['POST /apps/1/stages/live/on', {}],
      ],
      ['/stages', '/apps/1/stages/{name}', '/apps/1/stages/{stage_name}/on'],
    ],
    [
      'a part that each of several items has',
      [1, 2].map((id) => [`PUT /users/${id}/avatar`, made] as const),
      ['/users/{user_id}/avatar'],
    ],
  ])('distinguishes %s', ([, samples, paths]) => {
    expect(pathsOf(samplesOf(...samples)).toSorted()).toEqual(paths.toSorted())
  })
})
