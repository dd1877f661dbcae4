import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { serveHere, simHere } from './run-in-process.ts'

const CONFIG = `seed: 7
gateway:
  upstream: http://127.0.0.1:1
  chaos:
    rules:
      - name: writes
        match: { methods: [POST] }
        latency: { distribution: uniform, min: 1, max: 3 }
        errors: { rate: 0.5, codes: { 503: 1 } }
`

describe('sim chaos schedule', () => {
  it('prints what happens to each request, and the same for the same seed', async () => {
    const args = ['chaos', 'schedule', '--chaos', 'flaky', '--seed', '7', '--route', 'GET /users']
    const first = await simHere(...args, '--count', '5')
    expect(first.code).toBe(0)
    const entries = first.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(entries.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2, 3, 4])
    expect(entries[0]).toMatchObject({ route: 'GET /users', rule: 'flaky', latency_ms: expect.any(Number) })
    expect((await simHere(...args, '--count', '5')).stdout).toBe(first.stdout)
    expect((await simHere(...args.with(5, '8'), '--count', '5')).stdout).not.toBe(first.stdout)
  })

  it('says of a request that nothing happens to it', async () => {
    const { stdout } = await simHere('chaos', 'schedule', '--seed', '1', '--route', 'GET /x', '--count', '1')
    expect(stdout).toBe('{"route":"GET /x","ordinal":0}\n')
  })

  it('prints what a gateway of the same config then does', async () => {
    using folder = temporaryFolder({ 'chaos.yaml': CONFIG })
    const config = join(folder.path, 'chaos.yaml')
    const printed = await simHere(
      'chaos',
      'schedule',
      '--config',
      config,
      '--route',
      'POST /jobs',
      '--count',
      '8',
    )
    const served = await serveHere('proxy', '--config', config)
    const statuses: number[] = []
    for (let i = 0; i < 8; i++) statuses.push((await fetch(`${served.url}/jobs`, { method: 'POST' })).status)
    const { log } = (await (await fetch(`${served.url}/__sim/chaos`)).json()) as { log: object[] }
    expect(await served.stop()).toBe(0)
    expect(log.toReversed().map((entry) => JSON.stringify(entry))).toEqual(printed.stdout.trim().split('\n'))
    expect(statuses).toContain(503)
    expect(statuses).toContain(502)
  })

  it('prints what a run does for random rules, options of routes and flags', async () => {
    const rate = fc.integer({ min: 0, max: 5 }).map((tenth) => tenth / 10)
    const rule = fc.record({
      name: fc.constantFrom('one', 'other'),
      even: fc.boolean(),
      match: fc.constantFrom({}, { methods: ['GET'] }, { path: '/users/*' }, { path: '/none' }),
      requests: fc.constantFrom({}, { to: 5 }, { from: 3 }),
      latency: fc.constantFrom(0, { distribution: 'uniform', min: 0, max: 2 }),
      errors: fc.record({ rate, codes: fc.constantFrom([500], { 429: 1, 503: 3 }) }),
      faults: fc.record({ reset: rate, empty: fc.constant(0) }),
    })
    const options = fc.constantFrom({}, { error_rate: 0.3 }, { scenario: [{ status: 503 }, { status: 200 }] })
    const sets = fc.sample(
      fc.record({
        rules: fc.array(rule, { maxLength: 3 }),
        own: fc.constantFrom({}, { chaos: { errors: { rate: 0.4 } } }),
        options,
        flags: fc.constantFrom([], ['--error-rate', '0.2', '--error-codes', '502'], ['--fault', 'reset:0.3']),
        seed: fc.integer({ min: 1, max: 1000 }),
      }),
      { seed: 19, numRuns: 8 },
    )
    const acted: number[] = []
    for (const { rules, own, options, flags, seed } of sets) {
      using folder = temporaryFolder({
        'sim.yaml': JSON.stringify({ seed, gateway: { chaos: { rules } } }),
        'routes.yaml': JSON.stringify({
          routes: { 'GET /users/{id}': { output: { const: 1 }, ...own, ...options } },
        }),
      })
      const args = [
        '--config',
        join(folder.path, 'sim.yaml'),
        '--routes',
        join(folder.path, 'routes.yaml'),
        ...flags,
      ]
      const printed = await simHere('chaos', 'schedule', ...args, '--route', 'GET /users/7', '--count', '12')
      const served = await serveHere('proxy', ...args)
      for (let i = 0; i < 12; i++) await fetch(`${served.url}/users/7`).catch(() => undefined)
      const { log } = (await (await fetch(`${served.url}/__sim/chaos`)).json()) as { log: object[] }
      expect(await served.stop()).toBe(0)
      const lines = printed.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
      expect(lines.filter((line) => line['rule'] !== undefined)).toEqual(log.toReversed())
      expect(new Set(lines.map(({ ordinal }) => ordinal)).size).toBe(12)
      acted.push(log.length)
    }
    expect(acted.filter((count) => count > 0).length).toBeGreaterThan(4)
  })

  it.for([
    [['--seed', '1', '--route', 'users'], '--route must be a method and a path'],
    [['--route', 'GET /x'], 'Name the seed of the run with --seed'],
    [['--seed', '1', '--route', 'GET /x', '--fault', 'explode:1'], '--fault must be one of reset, empty'],
    [['--seed', '1', '--route', 'GET /x', '--fault', 'reset:2'], "'reset:2' is not one"],
    [['--seed', '1', '--route', 'GET /x', '--fault', 'reset:1:5'], "'reset:1:5' is not one"],
    [['--seed', '1', '--route', 'GET /x', '--chaos', 'mayhem'], 'Choices: "flaky"'],
  ] as const)('refuses %j', async ([args, message]) => {
    const { code, stderr } = await simHere('chaos', 'schedule', ...args)
    expect(stderr).toContain(message)
    expect(code).toBe(2)
  })
})

describe('sim proxy', () => {
  it('takes a preset, and faults besides', async () => {
    const served = await serveHere(
      ...['proxy', '--upstream', 'http://127.0.0.1:1', '--chaos', 'outage'],
      ...['--fault', 'reset:0', '--fault', 'slow-body:1:5000'],
    )
    const { rules } = (await (await fetch(`${served.url}/__sim/chaos`)).json()) as { rules: object[] }
    expect(await served.stop()).toBe(0)
    expect(rules).toMatchObject([
      { name: 'faults', faults: { reset: { rate: 0 }, 'slow-body': { rate: 1, bytes_per_second: 5000 } } },
      { name: 'outage' },
    ])
  })

  it('takes an admin token', async () => {
    const served = await serveHere(
      'proxy',
      '--upstream',
      'http://127.0.0.1:1',
      '--admin-token',
      'correct-horse',
    )
    const statusOf = async (headers: Record<string, string>) =>
      (await fetch(`${served.url}/__sim/health`, { headers })).status
    const statuses = [await statusOf({}), await statusOf({ authorization: 'Bearer correct-horse' })]
    expect(await served.stop()).toBe(0)
    expect(statuses).toEqual([401, 200])
    const { code, stderr } = await simHere(
      'proxy',
      '--upstream',
      'http://127.0.0.1:1',
      '--admin-token',
      'short',
    )
    expect([code, stderr]).toEqual([2, expect.stringContaining('The admin token must be 8 or more')])
  })
})

describe('sim chaos report', () => {
  it('says of a running gateway what was injected, and writes it as the names of files say', async () => {
    using folder = temporaryFolder({ 'chaos.yaml': CONFIG })
    const served = await serveHere('proxy', '--config', join(folder.path, 'chaos.yaml'))
    for (let i = 0; i < 6; i++)
      await fetch(`${served.url}/jobs/${i % 3}`, { method: 'POST', headers: { 'user-agent': 'a' } })
    const files = ['r.json', 'r.xml', 'r.html'].map((name) => join(folder.path, name))
    const printed = await simHere('chaos', 'report', served.url, ...files.flatMap((file) => ['-o', file]))
    expect(await served.stop()).toBe(0)
    expect(printed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('injected by writes, POST /jobs/0') as string,
    })
    const [json = '', xml = '', html = ''] = files.map((file) => readFileSync(file, 'utf8'))
    expect(JSON.parse(json)).toMatchObject({ requests: 6, clients: [{ client: 'a', requests: 6 }] })
    expect(xml).toContain('<testsuite name="resilience" tests="7"')
    expect(html).toContain('<h1>Resilience report</h1>')
    expect((await simHere('chaos', 'report', files[0] as string)).stdout).toBe(printed.stdout)
  })

  it.for([
    [['nothing.json'], 'Cannot read nothing.json'],
    [['http://127.0.0.1:1'], 'No answer from http://127.0.0.1:1. Is the gateway running?'],
    [['x.json', '-o', 'x.txt'], '--output must end in .json, .xml (JUnit) or .html'],
  ] as const)('refuses %j', async ([args, message]) => {
    const { code, stderr } = await simHere('chaos', 'report', ...args)
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(message)])
    expect(code).not.toBe(0)
  })
})
