import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { flagsIn } from '../../src/cli/flags.ts'
import { PROXY_FLAGS } from '../../src/cli/proxy.ts'
import { simHere } from '../cli/run-in-process.ts'
import { atEnd } from '../at-end.ts'
import { openFolder, startUpstream } from '../flow/kit.ts'
import { COMMAND, startProcess, type SimServer } from '../flow/sim-process.ts'
import { hasRedis, startRedis } from '../state/redis-server.ts'
import { ORDERS } from './orders.ts'
import { composeService, podOf, readSample, unitService, type Given, type Sample } from './samples.ts'

const TOKEN = 'token-of-a-test'

/** How each file of `config/deploy` starts a gateway, by the name that this has there. */
const gatewaysOf = (given: Given): Readonly<Record<string, Sample>> => ({
  'gateway-1': composeService('gateway-1', given),
  'sim-0': podOf('sim', { ...given, POD_NAME: 'sim-0' }),
  'machine-8001': unitService(8001, 'machine', given),
})

/** Starts what a sample says, where what it has in the folders of a machine is in one of the test. */
async function start({ command, env }: Sample, folder: string): Promise<SimServer> {
  const moved = (text: string): string =>
    text
      .replaceAll('/etc/sim', `${folder}/keys`)
      .replaceAll(/\/srv\/sim\b|\/var\/lib\/sim\b/g, folder)
      .replaceAll(/--port([ =])\d+/g, '--port$10')
  const [program = '', ...args] = command.map(moved)
  // Where the port is an argument of its own.
  const places = args.map((arg, index) => (args[index - 1] === '--port' ? '0' : arg))
  const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, moved(value)]))
  const server = await startProcess(program, places, folder, { ...process.env, ...variables })
  atEnd(() => server.stop())
  return server
}

const flagsOf = ({ command }: Sample): readonly string[] =>
  [...command.join(' ').matchAll(/(?<= )--([a-z-]+)/g)].map(([, name = '']) => name)

describe('the samples for gateways that share their state', () => {
  it('use flags that there are, and have each gateway record to a folder of its own', () => {
    const known = new Set(flagsIn(PROXY_FLAGS).map(({ flag }) => flag.name))
    for (const sample of Object.values(gatewaysOf({}))) {
      const flags = flagsOf(sample)
      expect(flags.filter((flag) => !known.has(flag))).toEqual([])
      expect(flags).toEqual(expect.arrayContaining(['record', 'state-gateway', 'seed']))
      // A URL with its password is in no list of processes.
      expect(flags).not.toContain('state')
      expect(Object.keys(sample.env)).toEqual(expect.arrayContaining(['SIM_STATE_DIR']))
    }
  })

  it.skipIf(!hasRedis)('start gateways that are one, whichever file starts them', async () => {
    const redis = await startRedis({ aof: 'everysec' })
    atEnd(() => redis.stop())
    const upstream = await startUpstream((_request, response) => response.end('from there'))
    const folder = openFolder({
      'shop.yaml': ORDERS,
      'node_modules/.bin/sim': `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`,
    })
    chmodSync(join(folder.path, 'node_modules/.bin/sim'), 0o755)
    const given = { SIM_STATE: redis.url, SIM_ADMIN_TOKEN: TOKEN, SIM_UPSTREAM: upstream.url }
    const samples = Object.entries(gatewaysOf(given))
    const gateways = await Promise.all(
      samples.map(([, sample]) =>
        start({ ...sample, env: { ...sample.env, SIM_STATE: redis.url } }, folder.path),
      ),
    )
    const ids: unknown[] = []
    for (const { url } of gateways) {
      expect((await fetch(`${url}/__sim/ready`)).status).toBe(200)
      expect((await fetch(`${url}/__sim/health`)).status).toBe(401)
      const admin = { headers: { authorization: `Bearer ${TOKEN}` } }
      const healthOf = async (): Promise<unknown> => (await fetch(`${url}/__sim/health`, admin)).json()
      // Each hears of those that came later when these say again that they are there.
      await expect.poll(healthOf).toMatchObject({
        status: 'ok',
        state: { gateways: expect.arrayContaining(samples.map(([name]) => name)) as string[] },
      })
      const body = JSON.stringify({ product: 'cup' })
      const headers = { 'content-type': 'application/json' }
      const created = await fetch(`${url}/orders`, { method: 'POST', body, headers })
      ids.push(((await created.json()) as { readonly id: number }).id)
      expect(await (await fetch(`${url}/elsewhere`)).text()).toBe('from there')
    }
    expect(ids).toEqual([1, 2, 3])
    for (const [index, [name]] of samples.entries()) {
      expect(await gateways[index]?.stop()).toBe(0)
      expect(existsSync(join(folder.path, 'recordings', name, 'exchanges.ndjson'))).toBe(true)
    }
    const merged = await simHere('recordings', 'show', join(folder.path, 'recordings'))
    expect(merged).toMatchObject({ code: 0, stdout: expect.stringContaining('/elsewhere') as string })
  })

  it.skipIf(!hasRedis)('start a server that keeps all it is given, and drops nothing', async () => {
    const servers = [composeService('state', {}).command.slice(1), podOf('sim-state', {}).command]
    const [args = []] = servers
    expect(servers).toEqual([args, args])
    const redis = await startRedis({ aof: 'everysec', args })
    atEnd(() => redis.stop())
    const checked = await simHere('state', 'check', '--state', redis.url, '--json')
    expect(checked).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(checked.stdout)).toMatchObject({
      ...{ policy: 'noeviction', persistence: 'AOF everysec', maxBytes: 2 ** 30 },
      ...{ problems: [], warnings: [] },
    })
  })

  it('have a unit that systemd takes', ({ skip }) => {
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
      process.stderr.write(
        'config/deploy/sim@.service is not verified: systemd-analyze is not installed (apt-get install systemd)\n',
      )
      skip('needs systemd-analyze, which is not installed')
    }
    const folder = openFolder({ sim: '#!/bin/sh\n' })
    chmodSync(join(folder.path, 'sim'), 0o755)
    const unit = readSample('sim@.service').replaceAll(
      '/srv/sim/node_modules/.bin/sim',
      join(folder.path, 'sim'),
    )
    const file = folder.write('sim@.service', unit)
    const verify = (): readonly [unknown, string] => {
      const { status, stderr } = spawnSync(
        'systemd-analyze',
        ['verify', '--man=no', file.replace('@', '@8001')],
        { encoding: 'utf8' },
      )
      // Other units of the machine are none of its concern.
      const own = stderr.split('\n').filter((line) => line.includes('sim@'))
      return [status, own.join('\n')]
    }
    expect(verify()).toEqual([0, ''])
    folder.write('sim@.service', unit.replace('Restart=on-failure', 'Restart=at-times'))
    expect(verify()[1]).toContain('at-times')
  })
})
