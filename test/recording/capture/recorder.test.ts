import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createRecorder } from '../../../src/recording/capture/recorder.ts'
import { readExchanges } from '../../../src/recording/files/recording-files.ts'
import { readBody } from '../../../src/recording/files/read-body.ts'
import type { HeaderPairs } from '../../../src/recording/files/har.ts'
import { RecordingUnusable } from '../../../src/errors.ts'
import { allBytes, collect, imageBytes, REDACTOR, temporaryDirectory } from '../samples.ts'
import { JSON_TYPE, play, PNG, recorded, requestHead, responseHead, setUp } from './recorder-setup.ts'

describe('createRecorder', () => {
  it('writes an exchange as it was', async () => {
    const { request, response, ...entry } = await recorded(await setUp(), {
      request: {
        url: 'https://api.example.com/users?page=2',
        headers: [...JSON_TYPE, ['X-Twice', '1'], ['x-twice', '2']],
      },
      requestBody: '{"name":"Ann"}',
      response: {
        status: 302,
        statusText: 'Found',
        headers: [
          ['Location', '/a'],
          ['Location', '/a'],
        ],
      },
      responseBody: 'moved',
      trailers: [['x-checksum', '7']],
    })

    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://api.example.com/users?page=2',
      queryString: [{ name: 'page', value: '2' }],
      postData: { mimeType: 'application/json', text: '{"name":"Ann"}' },
      bodySize: 14,
    })
    expect(request.headers.slice(1)).toEqual([
      { name: 'X-Twice', value: '1' },
      { name: 'x-twice', value: '2' },
    ])
    expect(response).toMatchObject({
      status: 302,
      headers: [
        { name: 'Location', value: '/a' },
        { name: 'Location', value: '/a' },
      ],
      content: { text: 'moved', size: 5 },
      redirectURL: '/a',
      _trailers: [{ name: 'x-checksum', value: '7' }],
    })
    expect(Date.now() - Date.parse(entry.startedDateTime)).toBeLessThan(60_000)
    expect(entry.timings.send + entry.timings.wait + entry.timings.receive).toBeCloseTo(entry.time, 5)
  })

  it.for([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ] as const)('writes text encoded with %s readably', async ([coding, encode]) => {
    const text = `{"hello":"${'again '.repeat(50)}"}`
    const headers: HeaderPairs = [...JSON_TYPE, ['Content-Encoding', coding]]
    const { request, response } = await recorded(await setUp(), {
      request: { headers },
      requestBody: encode(text),
      response: { headers },
      responseBody: encode(text),
    })

    expect(request.postData).toMatchObject({ text, _decoded: coding })
    expect(response.content).toMatchObject({ text, _decoded: coding, size: text.length })
    expect(response.bodySize).toBe(encode(text).length)
    expect(response.headers).toContainEqual({ name: 'Content-Encoding', value: coding })
  })

  it('writes long binary bodies beside, by their hash', async () => {
    const setup = await setUp()
    const body = imageBytes(1024 * 1024)
    const tap = setup.recorder.begin(requestHead({ headers: PNG }))
    const sink = tap.response(responseHead({ headers: PNG })).stream()
    await pipeline(Readable.from([body.subarray(0, 100_000), body.subarray(100_000)]), tap.requestBody)
    await pipeline(Readable.from([body.subarray(0, 50_000), body.subarray(50_000)]), sink)
    tap.complete()
    await setup.recorder.flush()

    const sha256 = createHash('sha256').update(body).digest('hex')
    const [exchange] = await collect(readExchanges(setup.directory))
    expect(exchange?.request.postData).toEqual({
      mimeType: 'image/png',
      _file: `bodies/${sha256}`,
      _sha256: sha256,
    })
    expect(exchange?.response.content).toMatchObject({ _sha256: sha256, size: body.length })
    expect((await allBytes(setup.directory)).paths).toEqual([`bodies/${sha256}`, 'exchanges.ndjson'])
    const stored = await readBody(setup.directory, exchange?.response.content ?? { mimeType: '' })
    expect(stored?.equals(body)).toBe(true)
  })

  it('writes short binary bodies inline', async () => {
    const body = Buffer.from([0x89, 0xff, 0])
    const { request, response } = await recorded(await setUp(), {
      request: { headers: PNG },
      requestBody: body,
      response: { headers: PNG },
      responseBody: body,
    })

    expect(request.postData).toMatchObject({ text: 'if8A', _encoding: 'base64' })
    expect(response.content).toMatchObject({ text: 'if8A', encoding: 'base64' })
  })

  it.for([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ] as const)('writes no body for %s %s, whatever its headers say', async ([method, status]) => {
    const { request, response } = await recorded(await setUp(), {
      request: { method },
      response: { status, headers: [...JSON_TYPE, ['content-encoding', 'gzip'], ['content-length', '42']] },
    })

    expect(request).not.toHaveProperty('postData')
    expect(response.content).toEqual({ size: 0, mimeType: 'application/json' })
    expect(response.bodySize).toBe(0)
  })

  it('writes what was sent when the response ended before the request', async () => {
    const { recorder, directory } = await setUp()
    const tap = recorder.begin(requestHead())
    tap.requestBody.write('half')
    tap
      .response(responseHead({ status: 413 }))
      .stream()
      .end()
    tap.complete()
    tap.requestBody.end('the rest')
    await recorder.flush()

    expect(await collect(readExchanges(directory))).toMatchObject([
      { request: { postData: { text: 'half' } } },
    ])
  })

  it('writes exchanges in the order they completed', async () => {
    const { recorder, directory } = await setUp()
    for (let i = 0; i < 50; i++)
      play(recorder, { request: { url: `https://h/${i}` }, responseBody: 'x'.repeat(i * 2000) })
    await recorder.close()

    const urls = (await collect(readExchanges(directory))).map(({ request }) => request.url)
    expect(urls).toEqual(Array.from({ length: 50 }, (_, i) => `https://h/${i}`))
  })

  it('slows its sources down while much waits to be written', async () => {
    const { recorder, directory } = await setUp({ backlogBytes: 600_000 })
    const late = recorder.begin(requestHead({ headers: PNG }))
    const sink = late.response(responseHead({ headers: PNG })).stream()
    for (let i = 0; i < 5; i++) play(recorder, { responseBody: 'x'.repeat(100_000) })
    const before = await Promise.race([
      once(sink, 'drain'),
      Promise.resolve(sink.write(Buffer.alloc(300_000))),
    ])
    expect(before).toBe(false)
    await once(sink, 'drain')

    expect(recorder.counts().backlogBytes).toBeLessThanOrEqual(600_000)
    late.complete()
    await recorder.flush()
    expect(recorder.counts()).toMatchObject({ backlogBytes: 0, written: 6, dropped: 0 })
    expect((await collect(readExchanges(directory))).length).toBe(6)
  })

  it('fails when the directory is a file', async () => {
    const directory = join(await temporaryDirectory(), 'file')
    await writeFile(directory, '')

    await expect(createRecorder({ directory, redactor: REDACTOR })).rejects.toThrow(RecordingUnusable)
  })

  it('goes on where a crash tore the last line', async () => {
    const { recorder, directory } = await setUp()
    play(recorder, { request: { url: 'https://h/1' } })
    await recorder.close()
    await appendFile(join(directory, 'exchanges.ndjson'), '{"startedDateTime":"20')
    const next = await createRecorder({ directory, redactor: REDACTOR })
    play(next, { request: { url: 'https://h/2' } })
    await next.close()

    const urls = (await collect(readExchanges(directory))).map(({ request }) => request.url)
    expect(urls).toEqual(['https://h/1', 'https://h/2'])
  })
})
