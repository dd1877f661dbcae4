import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listen } from '../../src/cli/serve.ts'
import { placesOf } from '../../src/cli/serve-flags.ts'
import { atEnd } from '../at-end.ts'
import { openFolder, openSim, startGateway } from '../flow/kit.ts'
import { textOf } from '../flow/raw-client.ts'
import { closeBesides, listenBesides, type Place } from '../../src/http/listeners.ts'

const folder = openFolder({
  'routes.yaml': `
routes:
  GET /users/{id}: { output: { type: object, required: [id], properties: { id: { type: string, const: '7' } } } }
`,
}).path

async function bodyAt(socketPath: string, path: string): Promise<string> {
  const [response] = (await once(
    request({ socketPath, path, headers: { host: 'localhost' } }).end(),
    'response',
  )) as [IncomingMessage]
  return textOf(response)
}

describe('a socket file', () => {
  it('is listened at besides a port, speaks all that the port does, and is gone at the end', async () => {
    const path = join(folder, 'sim.sock')
    const sim = await openSim(['run', 'routes.yaml', '--listen', `unix:${path}`], folder)
    expect(await bodyAt(path, '/users/7')).toBe('{"id":"7"}')
    expect(await bodyAt(path, '/__sim/health')).toContain('"status"')
    expect(await (await fetch(`${sim.url}/users/7`)).text()).toBe('{"id":"7"}')

    const session = connectHttp2('http://localhost', { createConnection: () => connect(path) })
    atEnd(() => session.destroy())
    expect(await textOf(session.request({ ':path': '/users/7' }))).toBe('{"id":"7"}')

    const idle = connect(path)
      .on('error', () => undefined)
      .resume()
    await once(idle, 'connect')
    expect(await sim.stop()).toBe(0)
    expect(existsSync(path)).toBe(false)
  })

  it('is replaced where nobody listens any more, and refused where somebody does', async () => {
    const path = join(folder, 'stale.sock')
    const end = "() => process.kill(process.pid, 'SIGKILL')"
    const script = `require('node:net').createServer().listen(process.argv[1], ${end})`
    spawnSync(process.execPath, ['-e', script, path])
    expect(existsSync(path)).toBe(true)
    const { app } = await startGateway()
    const listening = { listen: (place: Place) => listenBesides(app.server, place) }
    atEnd(() => closeBesides(app.server))
    await listen(listening, { path })
    expect(await bodyAt(path, '/__sim/health')).toContain('"status"')

    const problem = `Cannot listen on unix:${path}: another server listens there. Choose another with --listen`
    await expect(listen(listening, { path })).rejects.toThrow(problem)
    writeFileSync(join(folder, 'plain'), '')
    await expect(listen(listening, { path: join(folder, 'plain') })).rejects.toThrow(
      'there is a file already, which is not a socket',
    )
  })

  it.for([
    ['in no folder', '/no/such/folder/sim.sock', /its folder is not there/],
    ['with a path that is too long', `/tmp/${'x'.repeat(200)}`, /the path is over 103 bytes long/],
  ] as const)('is refused %s', async ([, path, message]) => {
    const { app } = await startGateway()
    await expect(listen({ listen: (place) => listenBesides(app.server, place) }, { path })).rejects.toThrow(
      message,
    )
  })
})

describe('the places of --listen', () => {
  it.for([
    [{}, {}, [{ host: '127.0.0.1', port: 80 }]],
    [{ port: 1 }, { host: '::1', listen: ['a:2'] }, [{ host: '::1', port: 1 }]],
    [{ listen: ['unix:/s', '[::1]:2'] }, { port: 3 }, [{ path: '/s' }, { host: '::1', port: 2 }]],
    [{ port: 1, listen: ['unix:s'] }, {}, [{ host: '127.0.0.1', port: 1 }, { path: 's' }]],
    [{}, { listen: ['a:2'] }, [{ host: 'a', port: 2 }]],
    [
      {},
      { port: 3, listen: ['a:2'] },
      [
        { host: '127.0.0.1', port: 3 },
        { host: 'a', port: 2 },
      ],
    ],
  ] as const)('by flags %j and file %j are %j', ([flags, config, places]) => {
    expect(placesOf({ host: undefined, port: undefined, listen: undefined, ...flags }, config, 80)).toEqual(
      places,
    )
  })

  it('close the control plane where one of them is beyond loopback', async () => {
    const { app, url } = await startGateway()
    expect((await fetch(`${url}/__sim/health`)).status).toBe(200)
    await listenBesides(app.server, { host: '0.0.0.0', port: 0 })
    atEnd(() => closeBesides(app.server))
    expect((await fetch(`${url}/__sim/health`)).status).toBe(403)
  })
})
