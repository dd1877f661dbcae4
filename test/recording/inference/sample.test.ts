import { describe, expect, it } from 'vitest'
import { exchangeOf, temporaryDirectory, writeRecording } from '../samples.ts'
import { RecordingUnusable } from '../../../src/errors.ts'
import { createBodies, pathOf, readSamples, sampleOf } from '../../../src/recording/inference/sample.ts'

describe('sample', () => {
  const JSON_TYPE = [['Content-Type', 'application/json; charset=utf-8']] as const

  it('reads path, query, headers and bodies', () => {
    const exchange = exchangeOf({
      method: 'POST',
      status: 201,
      url: 'https://api.example.com/a%20b/%E0?x=1&y=2&x=3',
      requestHeaders: [...JSON_TYPE, ['X-A', '1'], ['x-a', '2']],
      requestBody: '{"name":"Ada"}',
      responseHeaders: JSON_TYPE,
      responseBody: '[1]',
    })
    expect(sampleOf(exchange, 4)).toMatchObject({
      index: 4,
      method: 'POST',
      origin: 'https://api.example.com',
      segments: ['a b', '%E0'],
      query: { x: ['1', '3'], y: '2' },
      headers: { 'x-a': '1, 2' },
      body: { name: 'Ada' },
      status: 201,
      response: [1],
    })
  })

  it('reads the fields of a form as texts', () => {
    const requestHeaders = [['content-type', 'application/x-www-form-urlencoded']] as const
    const exchange = exchangeOf({ requestHeaders, requestBody: 'a=1&b=x+y&a=2' })
    expect(sampleOf(exchange, 0).body).toEqual({ a: ['1', '2'], b: 'x y' })
  })

  it('keeps JSON that is nested without end as a text', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const exchange = exchangeOf({ responseHeaders: JSON_TYPE, responseBody: deep })
    expect(sampleOf(exchange, 0).response).toBe(deep)
  })

  it('keeps a text, and JSON that is none, as a text', () => {
    expect(sampleOf(exchangeOf({ responseHeaders: JSON_TYPE, responseBody: '{' }), 0).response).toBe('{')
    const text = exchangeOf({ responseHeaders: [['content-type', 'text/plain']], responseBody: '7' })
    expect(sampleOf(text, 0).response).toBe('7')
  })

  it('has no value of an absent or a binary body', () => {
    const binary = exchangeOf({
      responseHeaders: [['content-type', 'image/png']],
      responseBody: Buffer.alloc(9),
    })
    expect(sampleOf(binary, 0)).not.toHaveProperty('response')
    expect(sampleOf(exchangeOf({}), 0)).not.toHaveProperty('body')
  })
})

it('has paths encoded', () => {
  expect(pathOf({ segments: ['a b', 'c/d'] })).toBe('/a%20b/c%2Fd')
})

describe('bodies', () => {
  it('reads equal bodies once, each form apart', () => {
    const bodies = createBodies()
    const read = (form: 'json' | 'text'): unknown => bodies.read(form, Buffer.from('{}'))
    expect(read('json')).toBe(read('json'))
    expect([read('json'), read('text')]).toEqual([{}, '{}'])
  })

  it('keeps no more than it may, and counts what it left out', () => {
    const bodies = createBodies(5)
    const read = (text: string): unknown => bodies.read('text', Buffer.from(text))
    expect([read('abc'), read('def'), read('abc'), read('de')]).toEqual(['abc', undefined, 'abc', 'de'])
    expect(bodies.cut).toBe(1)
  })
})

describe('read samples', () => {
  it('reads bodies wherever they are', async () => {
    const long = JSON.stringify({ text: 'x'.repeat(40_000) })
    const headers = [['content-type', 'application/json']] as const
    const directory = await writeRecording(
      await temporaryDirectory(),
      { responseHeaders: headers, responseBody: '{"text":"short"}' },
      {
        method: 'POST',
        requestHeaders: headers,
        requestBody: long,
        responseHeaders: headers,
        responseBody: long,
      },
    )
    const [short, other] = await readSamples(directory)
    expect(short).toMatchObject({ index: 0, response: { text: 'short' } })
    expect(other).toMatchObject({ index: 1, body: JSON.parse(long), response: JSON.parse(long) })
  })

  it('reports its progress', async () => {
    const directory = await writeRecording(
      await temporaryDirectory(),
      ...Array.from({ length: 2_001 }, () => ({})),
    )
    const counts: number[] = []
    await readSamples(directory, (count) => counts.push(count))
    expect(counts).toEqual([1_000, 2_000])
  })

  it('refuses what is not a recording', async () => {
    await expect(readSamples(await temporaryDirectory())).rejects.toThrow(RecordingUnusable)
  })
})
