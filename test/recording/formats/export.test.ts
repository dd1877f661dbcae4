import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exchangeOf, type Parts, temporaryDirectory, writeRecording } from '../samples.ts'
import { readExchanges } from '../../../src/recording/files/recording-files.ts'
import { readBody } from '../../../src/recording/files/read-body.ts'
import { toCurl, toHar, toPostman } from '../../../src/recording/formats/export.ts'

describe('to curl', () => {
  const run = promisify(execFile)

  /** What a server gets from the command that an exchange becomes. */
  async function requested({ url = '/', requestBody, ...parts }: Parts): Promise<object> {
    const server = createServer((request, response) => {
      const answer = async (): Promise<void> => {
        const { method, url: target, headers } = request
        response.end(JSON.stringify({ method, target, headers, body: await text(request) }))
      }
      void answer()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((listening) => server.once('listening', listening))
    const exchange = exchangeOf({
      ...parts,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${url}`,
    })
    const { stdout } = await run('bash', ['-c', `${toCurl(exchange, requestBody?.toString())} --silent`])
    return JSON.parse(stdout) as object
  }

  it('quotes for a shell, and leaves out what curl writes itself', async () => {
    const requestHeaders = [
      ['x-note', "it's $HOME"],
      ['content-length', '99'],
      ['x-empty', ''],
    ] as const
    expect(await requested({ url: '/a?b=1&c=%20', requestHeaders })).toMatchObject({
      method: 'GET',
      target: '/a?b=1&c=%20',
      headers: { 'x-note': "it's $HOME", 'x-empty': '' },
      body: '',
    })
  })

  it.for(['@/etc/hostname', '{"a":[1,"b\'c"]}', 'two\nlines\n', ''])(
    'sends the body %j as it is',
    async (body) => {
      const sent = await requested({
        method: 'PUT',
        requestHeaders: [['content-type', 'a/b']],
        requestBody: body,
      })
      expect(sent).toMatchObject({ method: 'PUT', body, headers: { 'content-type': 'a/b' } })
    },
  )

  it('gives a body no type that it had not', async () => {
    expect(await requested({ method: 'POST', requestBody: 'a' })).not.toHaveProperty('headers.content-type')
  })

  it('keeps brackets and braces of a URL', async () => {
    expect(await requested({ url: '/a?ids[]=1&q={2,3}' })).toMatchObject({ target: '/a?ids[]=1&q={2,3}' })
  })
})

describe('to har', () => {
  it('holds every body, those of files too', async () => {
    const noise = Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 256))
    const directory = await writeRecording(
      await temporaryDirectory(),
      { responseHeaders: [['content-type', 'text/plain']], responseBody: 'é'.repeat(40_000) },
      {
        method: 'POST',
        requestBody: noise,
        responseHeaders: [['content-type', 'image/png']],
        responseBody: noise,
      },
      { responseBody: 'short', responseHeaders: [['content-type', 'text/plain']] },
    )
    const { log } = await toHar(readExchanges(directory), '1.2.3', (body) => readBody(directory, body))
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'sim-gateway', version: '1.2.3' } })
    const [long, binary, short] = log.entries
    expect(long?.response.content.text).toBe('é'.repeat(40_000))
    expect(short?.response.content.text).toBe('short')
    expect(binary?.response.content).toMatchObject({ encoding: 'base64', text: noise.toString('base64') })
    expect(binary?.request.postData).toMatchObject({ _encoding: 'base64', text: noise.toString('base64') })
    expect(JSON.stringify(log)).not.toContain('_file')
  })

  it('leaves out a body that was left out', async () => {
    const directory = await writeRecording(await temporaryDirectory(), { responseBody: 'x'.repeat(40_000) })
    const { log } = await toHar(readExchanges(directory), '1', () => Promise.resolve(undefined))
    expect(log.entries[0]?.response.content.text).toBeUndefined()
  })
})

describe('to postman', () => {
  it('makes a request with its answer as example', () => {
    const exchange = exchangeOf({
      method: 'POST',
      url: 'http://api.example.com:8080/users/7?page=2&page=3',
      status: 201,
      requestHeaders: [
        ['content-type', 'application/json'],
        ['Host', 'api.example.com'],
      ],
      responseHeaders: [['x-id', '7']],
    })
    const collection = toPostman('today', [{ exchange, requestBody: '{"a":1}', responseBody: undefined }])
    expect(collection).toMatchObject({
      info: { name: 'today', schema: expect.stringContaining('v2.1.0') },
      item: [
        {
          name: 'POST /users/7',
          request: {
            method: 'POST',
            header: [{ key: 'content-type', value: 'application/json' }],
            body: { mode: 'raw', raw: '{"a":1}' },
            url: {
              raw: 'http://api.example.com:8080/users/7?page=2&page=3',
              protocol: 'http',
              host: ['api', 'example', 'com'],
              port: '8080',
              path: ['users', '7'],
              query: [
                { key: 'page', value: '2' },
                { key: 'page', value: '3' },
              ],
            },
          },
          response: [{ code: 201, header: [{ key: 'x-id', value: '7' }] }],
        },
      ],
    })
    expect(collection).not.toHaveProperty('item.0.response.0.body')
  })
})
