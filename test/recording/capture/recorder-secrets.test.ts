import { createHash, hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rm } from 'node:fs/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRecorder } from '../../../src/recording/capture/recorder.ts'
import { readExchanges } from '../../../src/recording/files/recording-files.ts'
import { readBody } from '../../../src/recording/files/read-body.ts'
import type { HeaderPairs } from '../../../src/recording/files/har.ts'
import { allBytes, collect, pseudonymOf, REDACTOR, temporaryDirectory } from '../samples.ts'
import { JSON_TYPE, play, recorded, setUp } from './recorder-setup.ts'

const SECRET = 'pl4nted-s3cret'

describe('secrets', () => {
  it('writes none of them, of whatever kind', async () => {
    const { recorder, directory } = await setUp()
    const form = 'application/x-www-form-urlencoded'
    const headers: HeaderPairs = [
      ['Authorization', `Bearer ${SECRET}`],
      ['Proxy-Authorization', `Basic ${Buffer.from(SECRET).toString('base64')}`],
      ['Cookie', `sid=${SECRET}; theme=${SECRET}`],
      ['X-Api-Key', SECRET],
      ['X-CSRF-Token', SECRET],
      ['Referer', `https://app/?access_token=${SECRET}`],
    ]
    const bodies: readonly (readonly [string, string])[] = [
      ['application/json', JSON.stringify({ a: [{ access_token: SECRET, deep: { Password: SECRET } }] })],
      ['application/vnd.api+json', JSON.stringify({ session: { id: SECRET } })],
      ['application/x-ndjson', `{"jwt":"${SECRET}"}\n`],
      ['text/event-stream', `data: {"token":"${SECRET}"}\n\n`],
      ['text/plain', JSON.stringify({ client_secret: SECRET })],
      ['', JSON.stringify({ client_secret: SECRET })],
      ['application/octet-stream', JSON.stringify({ fill: 'x'.repeat(50_000), secret: SECRET })],
      [form, `user=ann&pass%77ord=${SECRET}`],
      [form, JSON.stringify({ password: SECRET })],
      [
        'multipart/form-data; boundary=b',
        `--b\r\nContent-Disposition: form-data; name="token"\r\n\r\n${SECRET}\r\n--b--`,
      ],
      ['application/json', `{"token":"${SECRET}`],
    ]
    for (const [type, body] of bodies) {
      for (const [coding, encode] of [
        ['identity', (text: string) => Buffer.from(text)],
        ['gzip', gzipSync],
        ['br', brotliCompressSync],
      ] as const) {
        const typed: HeaderPairs = [
          ['content-type', type],
          ['content-encoding', coding],
        ]
        const encoded = encode(body)
        play(recorder, {
          request: {
            url: `https://ann:${SECRET}@api.example.com/a?api_key=${SECRET}&key=${SECRET}`,
            headers: [...headers, ...typed],
          },
          requestBody: encoded,
          response: {
            headers: [
              ...typed,
              ['Set-Cookie', `sid=${SECRET}; Path=/`],
              ['Location', `/cb#id_token=${SECRET}`],
            ],
          },
          responseBody: encoded,
          trailers: [['x-auth-token', SECRET]],
        })
      }
    }
    await recorder.close()

    expect(await collect(readExchanges(directory))).toHaveLength(bodies.length * 3)
    const { bytes } = await allBytes(directory)
    expect(bytes.includes(SECRET)).toBe(false)
    expect(bytes.includes(Buffer.from(SECRET).toString('base64'))).toBe(false)
  })

  it('stores 1 MiB of JSON by its hash, without the token in it', async () => {
    const setup = await setUp()
    const rows = Array.from({ length: 20_000 }, (_, id) => ({
      id,
      name: `name of the row ${id}`,
      tags: ['a', 'b'],
    }))
    const json = JSON.stringify({ rows, next: { refresh_token: SECRET } })
    expect(json.length).toBeGreaterThan(1024 * 1024)
    const { response } = await recorded(setup, { response: { headers: JSON_TYPE }, responseBody: json })

    const body = await readBody(setup.directory, response.content)
    expect(body?.toString()).toBe(json.replace(SECRET, await pseudonymOf(SECRET)))
    expect(response.content._sha256).toBe(
      createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
    )
    expect((await allBytes(setup.directory)).bytes.includes(SECRET)).toBe(false)
  })

  it.for([
    [
      'larger than 8388608 bytes, which --record-max-body allows',
      'gzip',
      gzipSync(Buffer.alloc(9 * 1024 * 1024, ' ')),
    ],
    [
      "encoded as 'compress', which is not known, so it could not be checked for secrets",
      'compress',
      Buffer.from(SECRET),
    ],
  ] as const)('leaves out JSON that is %s (%s)', async ([omitted, coding, body]) => {
    const setup = await setUp()
    const headers: HeaderPairs = [...JSON_TYPE, ['content-encoding', coding]]
    const { request, response } = await recorded(setup, {
      request: { headers },
      requestBody: body,
      response: { headers },
      responseBody: body,
    })

    const left = { mimeType: 'application/json', _omitted: omitted, _bodySha256: hash('sha256', body) }
    expect(request.postData).toEqual(left)
    expect(response.content).toEqual({ ...left, size: body.length })
    expect(response.bodySize).toBe(body.length)
    expect((await allBytes(setup.directory)).paths).toEqual(['exchanges.ndjson'])
  })

  it('keeps how a text begins that is too large, without secrets', async () => {
    const setup = await setUp({ limits: { maxBodyBytes: 200_000 } })
    const row = JSON.stringify({ name: 'a row', api_key: SECRET })
    const body = Buffer.from(`[${Array.from({ length: 10_000 }, () => row).join(',')}]`)
    const { response } = await recorded(setup, { response: { headers: JSON_TYPE }, responseBody: body })

    const { _omitted, _bodySha256, _file = '', size } = response.content
    expect({ _omitted, _bodySha256, size }).toEqual({
      _omitted: 'larger than 200000 bytes, which --record-max-body allows',
      _bodySha256: hash('sha256', body),
      size: body.length,
    })
    const text = readFileSync(join(setup.directory, _file), 'utf8')
    expect(text).toMatch(/^\[\{"name":"a row","api_key":"[^"]+"/)
    expect(text.length).toBeGreaterThan(50_000)
    expect((await allBytes(setup.directory)).bytes.includes(SECRET.slice(0, 8))).toBe(false)
  })

  it('writes no byte of a secret planted at any depth', async () => {
    const leaf = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom('token', 'API-Key', 'password').map((name) => ({ [name]: SECRET })),
    )
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('tree')),
      ),
    }))
    const fill = fc.constantFrom('', 'x'.repeat(40_000))

    await fc.assert(
      fc.asyncProperty(tree, fill, async (value, padding) => {
        const directory = await temporaryDirectory()
        const recorder = await createRecorder({ directory, redactor: REDACTOR })
        const body = JSON.stringify({ padding, value, secret: [[{ deep: SECRET }]] })
        play(recorder, {
          request: { headers: JSON_TYPE },
          requestBody: body,
          response: { headers: JSON_TYPE },
          responseBody: body,
        })
        await recorder.close()

        const { bytes } = await allBytes(directory)
        expect(bytes.includes('deep')).toBe(true)
        expect(bytes.includes(SECRET)).toBe(false)
        await rm(directory, { recursive: true })
      }),
      { numRuns: 50 },
    )
  })
})
