import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { toCurl } from '../../../src/recording/formats/to-curl.ts'
import { exchangeOf, type Parts } from '../samples.ts'

const run = promisify(execFile)

/** What a server gets from the command that an exchange becomes. */
async function asked({ url = '/', requestBody, ...parts }: Parts): Promise<object> {
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
  expect(await asked({ url: '/a?b=1&c=%20', requestHeaders })).toMatchObject({
    method: 'GET',
    target: '/a?b=1&c=%20',
    headers: { 'x-note': "it's $HOME", 'x-empty': '' },
    body: '',
  })
})

it.for(['@/etc/hostname', '{"a":[1,"b\'c"]}', 'two\nlines\n', ''])(
  'sends the body %j as it is',
  async (body) => {
    const sent = await asked({ method: 'PUT', requestHeaders: [['content-type', 'a/b']], requestBody: body })
    expect(sent).toMatchObject({ method: 'PUT', body, headers: { 'content-type': 'a/b' } })
  },
)

it('gives a body no type that it had not', async () => {
  expect(await asked({ method: 'POST', requestBody: 'a' })).not.toHaveProperty('headers.content-type')
})

it('keeps brackets and braces of a URL', async () => {
  expect(await asked({ url: '/a?ids[]=1&q={2,3}' })).toMatchObject({ target: '/a?ids[]=1&q={2,3}' })
})
