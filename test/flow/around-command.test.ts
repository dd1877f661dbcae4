import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportIn } from '../../src/resilience/read-run.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { COMMAND, ROOT } from './sim-process.ts'

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Running {
  readonly ended: Promise<Ran>
  prints(wanted: string): Promise<void>
  kill(signal: NodeJS.Signals): void
}

function start(args: readonly string[], cwd = ROOT): Running {
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => (printed[name] += String(chunk)))
  return {
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, ...printed })),
    kill: (signal) => void child.kill(signal),
    prints: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (printed.stdout.includes(wanted)) resolve()
        }
        child.stdout.on('data', look)
        look()
      }),
  }
}

const run = (args: readonly string[], cwd?: string): Promise<Ran> => start(args, cwd).ended

const COMMIT = 'a'.repeat(40)
const PACKAGE = {
  name: 'some-package',
  'dist-tags': { latest: '1.2.3' },
  versions: {
    '1.2.3': { name: 'some-package', version: '1.2.3', dist: { tarball: 'https://x.test/x.tgz' } },
  },
}
const server = createServer(({ url = '' }, response) => {
  if (url.startsWith('/repo.git/info/refs')) response.end(`${COMMIT}\trefs/heads/main\n`)
  else if (url.startsWith('/some-package')) response.end(JSON.stringify(PACKAGE))
  else response.end(`from ${url}`)
})
let upstream = ''

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

describe('clients of a command', () => {
  const NODE = `
import axios from 'axios'
import got from 'got'
import https from 'node:https'
import { createServer, get as request } from 'node:http'
import { once } from 'node:events'
const own = createServer((_request, response) => response.end('own')).listen(0, '127.0.0.1')
await once(own, 'listening')
const get = (url, by = request) => new Promise((resolve, fail) => by(url, (response) => response.on('data', (text) => resolve(String(text)))).on('error', fail))
const show = (name, text) => console.log(name + ': ' + text)
show('fetch', await (await fetch('https://api.example.com/fetch')).text())
show('fetch of http', await (await fetch('http://api.example.com/plain')).text())
show('fetch of loopback', await (await fetch(process.env.UPSTREAM + '/loopback')).text())
show('node:http', await get('http://api.example.com/http'))
show('node:https', await get('https://api.example.com/https', https.get))
show('axios', (await axios.get('https://api.example.com/axios')).data)
show('got', await got('https://api.example.com/got').text())
show('SIM_URL', await (await fetch(process.env.SIM_URL + '/base')).text())
show('its own server', await get('http://127.0.0.1:' + own.address().port))
own.close()
const early = createServer((_request, response) => response.end('early')).listen(0)
show('its own server, at once', await get('http://127.0.0.1:' + early.address().port))
early.close()
`
  const PYTHON = `import requests
print('requests: ' + requests.get('https://api.example.com/requests').text)`
  const TOOLS: readonly (readonly [tool: string, check: string, line: string])[] = [
    ['node', 'node --version', 'node --input-type=module -e "$NODE_SCRIPT"'],
    ['python requests', 'python3 -c "import requests"', 'python3 -c "$PYTHON_SCRIPT"'],
    [
      'curl',
      'curl --version',
      'echo "curl: $(curl -sS https://api.example.com/curl) $(curl -sS $SIM_URL/base)"',
    ],
    ['git', 'git --version', 'echo "git: $(git ls-remote https://git.example.com/repo.git)"'],
    [
      'npm',
      'npm --version',
      'echo "npm: $(npm view some-package version --registry https://registry.example.com/)"',
    ],
    [
      'php',
      'php -m | grep curl',
      `echo "php: $(php -r 'curl_exec(curl_init("https://api.example.com/php"));')"`,
    ],
    [
      'ruby',
      'ruby --version',
      `echo "ruby: $(ruby -rnet/http -e 'puts Net::HTTP.get(URI("https://api.example.com/ruby"))')"`,
    ],
  ]
  const EXPECTED: readonly (readonly [tool: string, line: string])[] = [
    ['node', 'fetch: from /fetch'],
    ['node', 'fetch of http: from /plain'],
    ['node', 'fetch of loopback: from /loopback'],
    ['node', 'node:http: from /http'],
    ['node', 'node:https: from /https'],
    ['node', 'axios: from /axios'],
    ['node', 'got: from /got'],
    ['node', 'SIM_URL: from /base'],
    ['node', 'its own server: own'],
    ['node', 'its own server, at once: early'],
    ['python requests', 'requests: from /requests'],
    ['curl', 'curl: from /curl from /base'],
    ['git', `git: ${COMMIT}\trefs/heads/main`],
    ['npm', 'npm: 1.2.3'],
    ['php', 'php: from /php'],
    ['ruby', 'ruby: from /ruby'],
  ]
  const missing = TOOLS.filter(
    ([, check]) => spawnSync('sh', ['-c', check], { stdio: 'ignore' }).status !== 0,
  )
  const isMissing = (tool: string): boolean => missing.some(([each]) => each === tool)
  let ran: Ran
  let report: { readonly requests: { readonly requests: readonly { readonly request: string }[] } }

  beforeAll(async () => {
    using folder = temporaryFolder({
      'sim.yaml': `gateway: { upstream: '${upstream}', upstreams: [{ host: '*.example.com', url: '${upstream}' }] }`,
    })
    const lines = TOOLS.filter(([tool]) => !isMissing(tool)).map(([, , line]) => line)
    process.env['UPSTREAM'] = upstream
    process.env['NODE_SCRIPT'] = NODE
    process.env['PYTHON_SCRIPT'] = PYTHON
    const file = join(folder.path, 'report.json')
    const flags = ['proxy', '--config', join(folder.path, 'sim.yaml'), '--report', file]
    ran = await run([...flags, '--', 'sh', '-c', lines.join('\n')])
    report = JSON.parse(readFileSync(file, 'utf8')) as typeof report
  })

  it.for(EXPECTED)('go through the gateway: %s, %s', ([tool, line], { skip }) => {
    if (isMissing(tool)) skip(`${tool} is not installed`)
    expect(ran.stdout.split('\n')).toContain(line)
  })

  it('are in the report, and leave stdout and stderr to the command', () => {
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    const seen = report.requests.requests.map(({ request }) => request)
    expect(seen).toContain('GET https://api.example.com/got')
    expect(seen).toContain(`GET ${upstream}/loopback`)
    expect(seen.join('\n')).not.toContain(':0/')
    expect(seen.filter((each) => each.startsWith('GET http://127.0.0.1'))).toEqual([
      `GET ${upstream}/loopback`,
    ])
  })
})

it('says in its report what chaos did to a command, and how that took it', async () => {
  using folder = temporaryFolder({})
  const fetching = `const get = () => fetch('${upstream}/one'); get().then((r) => r.ok || get())`
  const flags = ['proxy', '--error-rate', '1', '--error-codes', '503']
  const reports = ['report.json', 'report.html', 'report.xml'].flatMap((file) => ['--report', file])
  await run([...flags, ...reports, '--', process.execPath, '-e', fetching], folder.path)
  const { chaos } = JSON.parse(readFileSync(join(folder.path, 'report.json'), 'utf8')) as {
    readonly chaos: { readonly clients: readonly { readonly statuses: readonly object[] }[] }
  }
  expect(chaos.clients.map(({ statuses }) => statuses)).toMatchObject([[{ status: '503', failed: 2 }]])
  const read = (file: string): string => readFileSync(join(folder.path, file), 'utf8')
  expect(read('report.html')).toContain('<!doctype html>')
  expect(read('report.xml')).toMatch(/<testcase classname="[^"]*node/)
  expect(reportIn(read('report.json'), 'report.json')).toEqual(chaos)
})

it('records a command, and replays to it what was recorded, with its exit code', async () => {
  using folder = temporaryFolder({})
  const fetching = `fetch('${upstream}/one').then((r) => r.text()).then((t) => { console.log(t); process.exitCode = 5 })`
  const command = ['--', process.execPath, '-e', fetching]
  const recorded = await run(['proxy', '--record', 'r', ...command], folder.path)
  const replayed = await run(['proxy', '--mode', 'replay', '--recording', 'r', ...command], folder.path)
  for (const [{ code, stdout, stderr }, by] of [
    [recorded, 'upstream'],
    [replayed, 'recording'],
  ] as const) {
    expect([code, stdout]).toEqual([5, 'from /one\n'])
    expect(stderr).toContain(`sim: 1 request, answered by: ${by} × 1\n`)
  }
  expect(recorded.stderr).toContain('1 exchange recorded in r;')
})

describe('the exit code', () => {
  it('is 3 where the command was content and the gateway was not', async () => {
    using folder = temporaryFolder({
      'api.json': JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'a', version: '1' },
        paths: {
          '/a': { get: { responses: { 200: { description: 'ok' } } } },
          '/b': { get: { responses: { 200: { description: 'ok' } } } },
        },
      }),
    })
    const flags = ['run', 'api.json', '--check', 'report', '--fail-on', 'operations=100']
    const { code, stdout, stderr } = await run(
      [
        ...flags,
        '--',
        process.execPath,
        '-e',
        `fetch(process.env.SIM_URL + '/a').then(() => console.log('done'))`,
      ],
      folder.path,
    )
    expect([code, stdout]).toEqual([3, 'done\n'])
    expect(stderr).toContain('--fail-on: 1 of 2 operations were seen')
  })

  it('is that of a shell where there is no such command', async () => {
    const { code, stderr } = await run(['proxy', '--', 'no-such-command'])
    expect([code, stderr]).toEqual([127, expect.stringContaining('no-such-command: command not found\n')])
    expect((await run(['proxy', '--'])).code).toBe(2)
  })

  it('is the one of a command that gets the signal, or of the signal that ended it', async () => {
    const heeding = start([
      'proxy',
      '--',
      'sh',
      '-c',
      'trap "exit 9" TERM; echo ready; while :; do sleep 0.1; done',
    ])
    const ended = start([
      'proxy',
      '--',
      process.execPath,
      '-e',
      `console.log('ready'); setInterval(() => {}, 1000)`,
    ])
    for (const each of [heeding, ended]) {
      await each.prints('ready')
      each.kill('SIGTERM')
    }
    expect([(await heeding.ended).code, (await ended.ended).code]).toEqual([9, 128 + 15])
  })

  it('is 1 where the gateway ends first, which ends the command', async () => {
    using folder = temporaryFolder({
      'app.mjs': `import { SimAPI } from ${JSON.stringify(join(ROOT, 'dist/src/index.js'))}
export const api = new SimAPI({ seed: 1 }).addMiddleware(async (app) => {
  app.addHook('onListen', async () => void setTimeout(() => app.close(), 1000))
})`,
    })
    const { code, stderr } = await run(['run', 'app.mjs', '--', 'sleep', '60'], folder.path)
    expect([code, stderr]).toEqual([1, expect.stringContaining('The gateway ended before the command did\n')])
  })
})
