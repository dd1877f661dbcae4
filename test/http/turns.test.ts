import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { GatewayResponse } from '../../src/http/turns.ts'

// The process would end where such a response goes out while another waits: see the fuzzer, seed 7.
it('gives no response a connection that has been ended or broken', () => {
  const taken = [
    (socket: Socket) => socket,
    (socket: Socket) => socket.end(),
    (socket: Socket) => socket.destroy(),
  ]
    .map((end) => end(new Socket()))
    .map((socket) => {
      const response = new GatewayResponse(new IncomingMessage(socket))
      response.assignSocket(socket)
      return response.socket === socket
    })
  expect(taken).toEqual([true, false, false])
})
