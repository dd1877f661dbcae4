import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { runInThisContext } from 'node:vm'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { EndpointTest } from '../../src/testing/test-endpoint.ts'
import { failureOf, Query, User } from './failure-of.ts'

const run = promisify(execFile)
const Mail = { type: 'object', title: 'Mail', required: ['email'] }

function throwing(): never {
  throw new Error('too young')
}

const apps: FastifyInstance[] = []
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})

function snippetsOf(message: string): { curl: string; script: string } {
  const [, curl = '', script = ''] =
    /Reproduce with curl:\n(.*)\n\nOr JavaScript:\n(.*)$/s.exec(message) ?? []
  return { curl, script }
}

/** A real server that answers what the handler says; its URL. */
async function listen(
  handle: (input: Record<string, unknown>, path: string) => { status: number; body: unknown },
) {
  const app = Fastify()
  apps.push(app)
  app.all('/*', async (request, reply) => {
    const input = (request.method === 'GET' ? request.query : (request.body ?? {})) as Record<string, unknown>
    const { status, body } = handle(input, (request.params as Record<string, string>)['*'] ?? '')
    return reply.code(status).send(body)
  })
  return app.listen({ port: 0, host: '127.0.0.1' })
}

describe('the message of a failure', () => {
  it.for<readonly [string, EndpointTest, string]>([
    ['a wrong status', { statuses: [201] }, 'the status 200 is not one of a success'],
    ['a body that does not fit', { output: Mail }, 'does not fit Mail: email: Field required'],
    ['an invariant that is false', { invariants: { 'is old': () => false } }, "'is old' does not hold"],
    ['an invariant that throws', { invariants: { 'is old': throwing } }, "'is old' does not hold: too young"],
    [
      'an invariant that rejects',
      { invariants: { 'is old': () => Promise.reject('too young') } },
      "'is old' does not hold: too young",
    ],
  ])('says how to reproduce %s', async ([_kind, options, what]) => {
    const api = new SimAPI({ seed: 7 }).get('/users/{name}', { input: Query, output: User })
    const message = await failureOf(api, {
      method: 'GET',
      path: '/users/{name}',
      headers: { 'x-a': 'b' },
      ...options,
    })
    expect(message).toContain(`GET /users/{name}: `)
    expect(message).toContain(what)
    expect(message).toContain("the app's seed is 7")
    expect(message).toMatch(
      /Reproduce with curl:\ncurl -i 'http:\/\/127\.0\.0\.1:8000\/users\/[^/]+' \\\n {2}-H 'x-a: b'\n/,
    )
    expect(message).toMatch(
      /Or JavaScript:\nawait fetch\('http:\/\/127\.0\.0\.1:8000\/users\/[^/]+', \{\n {2}headers: \{ 'x-a': 'b' \},\n\}\)$/,
    )
  })

  it('says how to reproduce a request that gets no answer', async () => {
    const options = {
      method: 'POST',
      path: '/users',
      input: Query,
      baseUrl: 'http://api.example/v1/',
    } as const
    const message = await failureOf(
      { fetch: () => Promise.reject(new TypeError('connection refused')) },
      options,
    )
    expect(message).toContain('POST /users: no answer came: connection refused')
    expect(message).toContain('Response: none\nReplay:')
    expect(message).toContain(
      `curl -i -X POST 'http://api.example/v1/users' \\\n  -H 'content-type: application/json'`,
    )
    expect(message).toContain(`await fetch('http://api.example/v1/users', {`)
  })

  it.for(['GET', 'POST'] as const)(
    'prints commands that give the failing answer of %s again',
    async (method) => {
      const nasty = `it's "q" $HOME \`id\` \\n !! {a,b} & é 漢 😀 %41 ; # \u0000\u0007\u202e`
      const baseUrl = await listen((input, path) => ({ status: 418, body: { input, path } }))
      const message = await failureOf(
        { fetch: (input, init) => fetch(input, init) },
        {
          method,
          path: '/a[b]/{id}',
          input: {
            type: 'object',
            required: ['text', 'id'],
            properties: { text: { const: nasty }, id: { const: `${nasty}/..` }, n: { type: 'number' } },
          },
          baseUrl,
          headers: { 'x-quote': `'"$&` },
          numRuns: 3,
        },
      )
      const wanted = { input: { text: nasty }, path: `a[b]/${nasty}/..` }
      const { curl, script } = snippetsOf(message)

      const { stdout } = await run('bash', ['-c', curl.replace('curl', 'curl -s')])
      const [head = '', body = ''] = stdout.split('\r\n\r\n')
      expect(head).toMatch(/^HTTP\/1\.1 418/)
      expect(JSON.parse(body)).toEqual(wanted)

      const response = await (runInThisContext(`(async () => ${script})()`) as Promise<Response>)
      expect([response.status, await response.json()]).toEqual([418, wanted])
    },
  )
})
