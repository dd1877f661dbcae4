import { join } from 'node:path'
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
