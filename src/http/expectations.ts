import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/**
 * Has a server send 100 (Continue) when a body is first read, in place of at once, so that what is forwarded can wait
 * for the upstream to want it, and leaves what else a request expects to those who read its head (RFC 9110, section 10.1.1).
 */
export function meetExpectations(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const read = request._read.bind(request)
    request._read = (size) => {
      request._read = read
      if (!response.headersSent) response.writeContinue()
      read(size)
    }
    server.emit('request', request, response)
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
}
