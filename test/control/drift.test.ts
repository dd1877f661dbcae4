import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { describeControl } from '../../src/control/control.ts'
import { createChecker } from '../../src/engine/schema/checker.ts'
import { drift } from '../../src/control/drift.ts'
import { createLogger } from '../pipeline/logger.ts'
import { open } from './ask.ts'

it('reports and forgets what drifted, in the form that is described', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"id":"1","name":"a"}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { app, ask } = open({ upstream, modes: { mode: 'diff' }, logger: createLogger([]) })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  expect(await (await fetch(`${url}/users/1`)).json()).toEqual({ id: '1', name: 'a' })

  const { body } = await ask('GET', '/__sim/drift')
  expect(body).toMatchObject({
    ...{
      drifts: 1,
      severities: { breaking: 1, warning: 0, additive: 0 },
      exchanges: 1,
      skipped: 0,
      dropped: 0,
    },
    routes: [
      { route: 'GET /users/{id}', exchanges: 1, drifts: [{ change: 'type changed', pointer: '/id' }] },
    ],
  })
  const [get] = drift
  expect(createChecker(get?.route.options.output ?? {}).check(body)).toEqual([])
  expect(JSON.stringify(describeControl())).toContain('/__sim/drift')

  expect((await ask('DELETE', '/__sim/drift')).body).toMatchObject({ drifts: 0, routes: [] })
  expect((await ask('GET', '/__sim/drift')).body).toMatchObject({ drifts: 0, exchanges: 0 })
})
