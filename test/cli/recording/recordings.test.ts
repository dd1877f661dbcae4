import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runSim, type SimResult } from '../../flow/sim-process.ts'

const BIG = 'x'.repeat(40_000)

function entry(
  method: string,
  url: string,
  minute: number,
  answer: string,
  status = 200,
  body?: string,
): Record<'request' | 'response' | 'timings', object> & { readonly startedDateTime: string } {
  return {
    startedDateTime: `2026-01-31T10:${String(minute).padStart(2, '0')}:00.000Z`,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      headers: [
        { name: 'X-Note', value: "it's" },
        { name: 'Authorization', value: 'Bearer hunter2' },
      ],
      queryString: [],
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: body } }),
    },
    response: {
      status,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      headers: [],
      content: { mimeType: 'application/json', text: answer },
    },
    timings: { send: 1, wait: 2, receive: 3 },
  }
}

describe('sim recordings', () => {
  let directory = ''
  let recording = ''
  let imported: SimResult
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'sim-recordings-'))
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  beforeEach(async () => {
    recording = join(mkdtempSync(join(directory, 'recordings-')), 'session')
    const entries = [
      entry('GET', 'http://api.example.com/users/1', 1, '{"id":1}'),
      entry('GET', 'http://api.example.com/users/1', 2, '{"id":1}'),
      entry('POST', 'http://api.example.com/users', 3, '{"id":2}', 201, '{"name":"Ann"}'),
      entry('GET', 'http://other.example.com/big', 4, JSON.stringify(BIG)),
    ]
    writeFileSync(join(directory, 'session.har'), JSON.stringify({ log: { version: '1.2', entries } }))
    imported = await runSim(['recordings', 'import', 'session.har', '-o', recording], directory)
  })

  it('imports a HAR file', () => {
    expect(imported).toEqual({ stdout: `Imported 4 exchanges into ${recording}\n`, stderr: '', code: 0 })
  })

  it('takes bodies from files beside a HAR file, and from no others', async () => {
    const folder = join(directory, 'attached')
    mkdirSync(folder)
    writeFileSync(join(directory, 'secret.txt'), 'of the machine')
    writeFileSync(join(folder, 'sent.json'), '{"name":"Ann"}')
    writeFileSync(join(folder, 'got.json'), '{"id":7}')
    symlinkSync(join(directory, 'secret.txt'), join(folder, 'link.txt'))
    const attached = (name: string) => ({ size: 14, mimeType: 'application/json', _file: name })
    const entries = ['got.json', 'link.txt', '../secret.txt', 'gone.json', 'a\0b'].map((name, index) => {
      const plain = entry('POST', 'http://api.example.com/users', index, '')
      const postData = { mimeType: 'application/json', text: '', params: [], _file: 'sent.json' }
      return {
        ...plain,
        request: { ...plain.request, postData },
        response: { ...plain.response, content: attached(name) },
      }
    })
    writeFileSync(join(folder, 'saved.har'), JSON.stringify({ log: { version: '1.2', entries } }))
    const { code } = await runSim(['recordings', 'import', 'attached/saved.har', '-o', 'taken'], directory)
    const { stdout } = await runSim(['recordings', 'show', join(directory, 'taken'), '--json'])
    expect(code).toBe(0)
    const omitted = { _omitted: 'not in a file beside the HAR file' }
    expect(JSON.parse(stdout)).toMatchObject([
      { request: { postData: { text: '{"name":"Ann"}' } }, response: { content: { text: '{"id":7}' } } },
      ...[1, 2, 3, 4].map(() => ({ response: { content: omitted } })),
    ])
    writeFileSync(join(directory, 'saved.zip'), 'PK\u0003\u0004 and so on')
    const { stderr } = await runSim(['recordings', 'import', 'saved.zip'], directory)
    expect(stderr).toBe('saved.zip is a ZIP archive: unpack it, and import the .har file that was in it\n')
  })

  it('prints for programs what was imported, pruned and is shown', async () => {
    const har = join(directory, 'session.har')
    const output = join(recording, '..', 'again')
    const { stdout: done } = await runSim(['recordings', 'import', har, '-o', output, '--json'], directory)
    expect(JSON.parse(done)).toEqual({ directory: output, imported: 4, skipped: {} })
    const { stdout: shown } = await runSim(['recordings', 'show', output, '3', '--json'])
    expect(JSON.parse(shown)).toMatchObject([{ request: { method: 'POST' } }])
    const { stdout: pruned } = await runSim(['recordings', 'prune', output, '--max-exchanges', '1', '--json'])
    expect(JSON.parse(pruned)).toEqual({ kept: 1, removed: 3, removedBodies: 0 })
  })

  it('hides what else it has to, by options or by a config file', async () => {
    const har = join(directory, 'session.har')
    for (const options of [
      ['--redact', 'x-n*', '--redact-except', 'authorization', '--redact-pattern', 'An{2}'],
      ['--config', 'hide.yaml'],
    ]) {
      writeFileSync(
        join(directory, 'hide.yaml'),
        'gateway: { redact: { names: [x-note], except: [Authorization], patterns: [Ann] } }',
      )
      const output = mkdtempSync(join(directory, 'hidden-'))
      const { code } = await runSim(['recordings', 'import', har, '-o', output, ...options], directory)
      const { stdout } = await runSim(['recordings', 'show', output, '3'])
      expect(code).toBe(0)
      expect(stdout).toMatch(/^X-Note: redacted-/m)
      expect(stdout).toMatch(/^Authorization: Bearer hunter2$/m)
      expect(stdout).toMatch(/^\{"name":"redacted-/m)
    }
    const { code, stderr } = await runSim(['recordings', 'import', har, '--redact-pattern', '('], directory)
    expect([code, stderr]).toEqual([2, expect.stringContaining("The pattern of secrets '(' cannot be used")])
  })

  it('lists what there is', async () => {
    const { stdout } = await runSim(['recordings', 'list', join(recording, '..')])
    expect(stdout).toMatch(/^recording +exchanges +size +first +last +hosts$/m)
    expect(stdout).toMatch(
      /session +4 +\d+ KiB +2026-01-31T10:01.* +2026-01-31T10:04.* +api\.example\.com, other\.example\.com$/m,
    )
    const { stdout: json } = await runSim(['recordings', 'list', recording, '--json'])
    expect(JSON.parse(json)).toMatchObject([
      { exchanges: 4, hosts: ['api.example.com', 'other.example.com'] },
    ])
    expect((await runSim(['recordings', 'list', join(directory, 'nowhere')])).stdout).toContain(
      'No recording in',
    )
  })

  it('shows exchanges by number, method, path and status', async () => {
    const { stdout } = await runSim(['recordings', 'show', recording, '--path', '/users', '--status', '201'])
    expect(stdout.trim().split('\n')).toHaveLength(2)
    expect(stdout).toMatch(
      /3 +2026.* +POST +http:\/\/api\.example\.com\/users +201 +application\/json +8 B +6$/m,
    )
    const { stdout: whole } = await runSim(['recordings', 'show', recording, '3'])
    expect(whole).toContain('{"name":"Ann"}')
    expect(whole).not.toContain('hunter2')
    const { code, stderr } = await runSim(['recordings', 'show', recording, '9'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('has 4 exchanges, and none with the number 9'),
    ])
  })

  it('prints a curl command that makes the request again', async () => {
    const requested: [string, string, unknown][] = []
    const server = createServer((request, response) => {
      void note(request, response)
    })
    const note = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      requested.push([`${request.method} ${request.url}`, await readText(request), request.headers['x-note']])
      response.end()
    }
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { stdout } = await runSim(['recordings', 'show', recording, '3', '--format', 'curl'])
    const { port } = server.address() as AddressInfo
    await promisify(execFile)('sh', [
      '-c',
      `${stdout.replace('api.example.com', `127.0.0.1:${port}`).trim()} --silent`,
    ])
    server.close()
    expect(requested).toEqual([['POST /users', '{"name":"Ann"}', "it's"]])
  })

  it('prints HAR with bodies inside, and a Postman collection', async () => {
    const { stdout: har } = await runSim(['recordings', 'show', recording, '4', '--format', 'har'])
    expect(JSON.parse(har)).toMatchObject({
      log: { entries: [{ response: { content: { text: `"${BIG}"` } } }] },
    })
    const { stdout: postman } = await runSim(['recordings', 'show', recording, '--format', 'postman'])
    expect(JSON.parse(postman)).toMatchObject({
      info: { schema: expect.stringContaining('v2.1.0') as unknown },
      item: [
        {},
        {},
        { name: 'POST /users', request: { body: { raw: '{"name":"Ann"}' } }, response: [{ code: 201 }] },
        {},
      ],
    })
  })

  it('takes out what is old or said twice, and bodies that nothing names', async () => {
    expect(readdirSync(join(recording, 'bodies'))).toHaveLength(1)
    const { stdout } = await runSim(['recordings', 'prune', recording, '--duplicates'])
    expect(stdout).toBe('Kept 3 exchanges, removed 1 and 0 bodies\n')
    const { stdout: older } = await runSim(['recordings', 'prune', recording, '--max-exchanges', '1'])
    expect(older).toBe('Kept 1 exchanges, removed 2 and 0 bodies\n')
    const { stdout: none } = await runSim(['recordings', 'prune', recording, '--before', '2027-01-01'])
    expect(none).toBe('Kept 0 exchanges, removed 1 and 1 bodies\n')
  })

  it('reports drift from a recording and from declared routes, with exit code 1', async () => {
    const newer = join(recording, '../newer')
    const entries = [
      entry('GET', 'http://api.example.com/users/1', 5, '{"id":"1"}'),
      entry('GET', 'http://api.example.com/users/2', 6, '{"id":"2"}'),
    ]
    writeFileSync(join(directory, 'newer.har'), JSON.stringify({ log: { version: '1.2', entries } }))
    await runSim(['recordings', 'import', 'newer.har', '-o', newer], directory)
    const { code, stdout, stderr } = await runSim(['recordings', 'diff', newer, '--against', recording])
    expect(stdout).toBe(
      'GET /users/{id}: 2 exchanges\n' +
        '  breaking: type changed at /id: integer -> string\n' +
        '    2 of 2, first #1 GET /users/1 200\n',
    )
    expect([code, stderr]).toEqual([1, `${newer} differs from ${recording} in 1 way\n`])

    const routes = (type: string): object => ({
      routes: { 'GET /users/{id}': { output: { type: 'object', properties: { id: { type } } } } },
    })
    writeFileSync(join(directory, 'old.json'), JSON.stringify(routes('integer')))
    writeFileSync(join(directory, 'new.json'), JSON.stringify(routes('string')))
    const old = await runSim(['recordings', 'diff', newer, '--against', 'old.json', '--json'], directory)
    expect(old.code).toBe(1)
    expect(JSON.parse(old.stdout)).toMatchObject({
      drifts: 1,
      routes: [
        { route: 'GET /users/{id}', drifts: [{ pointer: '/id', severity: 'breaking', exchanges: 2 }] },
      ],
    })
    const fine = await runSim(['recordings', 'diff', newer, '--against', 'new.json'], directory)
    expect(fine).toEqual({ code: 0, stdout: 'GET /users/{id}: 2 exchanges, no drift\n', stderr: '' })
  })

  it.for<[string[], number, string]>([
    [['recordings', 'diff', 'x'], 2, 'against'],
    [['recordings', 'diff', 'x', '--against', 'y'], 1, 'x is not a recording'],
    [['recordings', 'prune', 'x'], 2, 'Say what to take out'],
    [['recordings', 'prune', 'x', '--before', 'soon'], 2, '--before must be a date such as 2026-01-31'],
    [['recordings', 'import', 'nothing.har'], 1, 'Cannot read nothing.har'],
    [['recordings', 'import', 'huge.har'], 1, 'Cannot read huge.har: it is larger than 512 MiB'],
    [['recordings', 'show', 'nothing'], 1, 'nothing'],
    [['recordings'], 2, 'Name what to do'],
  ])('says what is wrong with %j', async ([args, code, message]) => {
    writeFileSync(join(directory, 'huge.har'), '')
    truncateSync(join(directory, 'huge.har'), 2 ** 30)
    const result = await runSim(args, directory)
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(message)])
    expect(result.stderr).not.toContain('    at ')
  })
})

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
