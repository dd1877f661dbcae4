import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { serve } from '../../src/cli/serve.ts'
import { NotListening } from '../../src/errors.ts'

describe('listening', () => {
  it('says which address is taken, and how to choose another', async () => {
    const taken = createServer()
    await once(taken.listen(0, '127.0.0.1'), 'listening')
    const { port } = taken.address() as AddressInfo
    const serving = serve(Fastify(), { host: '127.0.0.1', port })
    await expect(serving).rejects.toThrow(
      new NotListening(
        `Cannot listen on 127.0.0.1:${port}: the port is in use. Choose another with --port, or --port 0 for a free one`,
      ),
    )
    taken.close()
  })

  it('says of an address this machine does not have', async () => {
    await expect(serve(Fastify(), { host: '192.0.2.1', port: 0 })).rejects.toThrow(
      'Cannot listen on 192.0.2.1:0: this machine does not have that address. Choose another with --host',
    )
  })

  it('passes on what it has no words for', async () => {
    const app = Fastify()
    app.addHook('onReady', async () => {
      throw new Error('not ready')
    })
    await expect(serve(app, { host: '127.0.0.1', port: 0 })).rejects.toThrow('not ready')
  })
})
