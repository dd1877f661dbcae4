import { describe, expect, it } from 'vitest'
import { sample, samplesOf } from '../inference/samples.ts'
import { temporaryDirectory, writeRecording } from '../samples.ts'
import {
  createThinSamples,
  recordedRoutes,
  samplesIn,
  templateOf,
} from '../../../src/recording/drift/recorded-routes.ts'

describe('recordedRoutes', () => {
  const find = async (known: string, requested: string): Promise<string | undefined> => {
    const samples = samplesOf(...known.split(', '))
    const [request] = samplesOf(requested)
    return (await recordedRoutes(() => samples))(request as NonNullable<typeof request>)
  }

  it.for([
    ['GET /users/1', 'GET /users/2', 'GET /users/{id}'],
    ['GET /users/1/posts/2026-01-31', 'GET /users/7/posts/2026-02-28', 'GET /users/{id}/posts/{id2}'],
    ['GET /t/redacted-0123456789abcdef', 'GET /t/[redacted]', 'GET /t/{id}'],
    ['GET /users', 'HEAD /users', 'GET /users'],
    ['GET /v1/users', 'GET /v2/users', undefined],
    ['GET /users', 'POST /users', undefined],
    ['OPTIONS /users', 'OPTIONS /users', 'OPTIONS /users'],
    ['GET /t/1, GET /t/2, GET /t/a(1), GET /t/a(2)', 'GET /t/b(3)', 'GET /t/a({id})'],
  ] as const)('of %s knows %s as %s', async ([known, requested, expected]) => {
    expect(await find(known, requested)).toBe(expected)
  })

  it('names what is not known by its form', () => {
    const [request] = samplesOf('GET /a%20b/7/00000000-0000-4000-8000-000000000001')
    expect(templateOf(request as NonNullable<typeof request>)).toBe('/a%20b/{id}/{id2}')
  })
})

describe('thin samples', () => {
  const NOTHING = { origin: '', query: {}, headers: {}, responseHeaders: {}, mimeType: '' }

  it('keeps the form of answers, and where they mention segments of paths', () => {
    const thin = createThinSamples(new Set(['users', 'ann', '7']))
    const response = { z: 'ann', a: 'secret', b: 1, c: { deep: 7 }, e: [{ login: 'ann' }, { login: 'x' }] }
    thin.add(sample(5, 'GET /users/ann?x=1', { response, body: { y: 1 } }, { accept: '*/*' }))
    thin.add(sample(6, 'GET /users/ann', { response }))
    thin.add(sample(7, 'GET /users', { response: [{ name: 'ann' }] }))
    thin.add(sample(8, 'GET /users/7', { response: { code: '7' }, status: 404 }))
    expect(thin.samples).toEqual([
      {
        ...NOTHING,
        index: 0,
        method: 'GET',
        segments: ['users', 'ann'],
        status: 200,
        response: { a: '', b: 0, c: { deep: 0 } },
      },
      { ...NOTHING, index: 1, method: 'GET', segments: ['users'], status: 200, response: [{ name: '' }] },
      {
        ...NOTHING,
        index: 2,
        method: 'GET',
        segments: ['users', '7'],
        status: 404,
        response: { code: '' },
      },
    ])
    const { mentions } = thin
    expect([...mentions.fieldsOf('ann', new Set())]).toEqual(['z', 'login', 'name'])
    expect([...mentions.fieldsOf('ann', new Set([0]))]).toEqual(['name'])
    expect([...mentions.fieldsOf('7', new Set())]).toEqual(['deep'])
    expect([...mentions.fieldsOf('secret', new Set())]).toEqual([])
  })
})

describe('read samples', () => {
  it('reads exchanges one by one, as often as called, with long bodies of JSON only', async () => {
    const long = Buffer.from(JSON.stringify({ text: 'x'.repeat(40_000) }))
    const json = [['content-type', 'application/json']] as const
    const directory = await writeRecording(
      await temporaryDirectory(),
      { url: 'http://a.example.com/1', responseHeaders: json, responseBody: long },
      {
        url: 'http://a.example.com/2',
        responseHeaders: [['content-type', 'text/plain']],
        responseBody: long,
      },
    )
    const read = samplesIn(directory)
    for (let turn = 0; turn < 2; turn++) {
      const seen: unknown[] = []
      for await (const { index, response } of read()) seen.push([index, response])
      expect(seen).toEqual([
        [0, JSON.parse(long.toString())],
        [1, undefined],
      ])
    }
  })
})
