import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import { JSON_TYPE } from '../reply.ts'

/** Sends a JSON body, given as UTF-8 bytes of a character each. */
export type SendJson = (response: ServerResponse, status: number, body: string) => void

/**
 * Sends what `writeHead` and `end` send, but in one write, where a response is the next on a connection that stays open:
 * Node makes a list of two texts of it, which costs the system and the collector more.
 */
export function createSendJson(server: Server): SendJson {
  const begins: string[] = []
  const beginOf = (status: number): string =>
    (begins[status] ??=
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: `)

  return (response, status, body) => {
    const { socket } = response
    const isPlain = status >= 200 && status !== 204 && status !== 304 && !server.maxRequestsPerSocket
    if (!isPlain || socket === null || !socket.writable || !response.shouldKeepAlive) {
      response.writeHead(status, ['content-type', JSON_TYPE, 'content-length', String(body.length)])
      response.end(body, 'latin1')
      return
    }
    response.statusCode = status
    // Node's server goes on to the connection's next request when a response tells that it has finished.
    socket.write(beginOf(status) + body.length + endOf(server) + body, 'latin1', () =>
      response.emit('finish'),
    )
  }
}

let second = 0
let timeout = 0
let end = ''

// What Node says of the time and of the connection, which is the same for a second.
function endOf({ keepAliveTimeout }: Server): string {
  const now = Math.floor(Date.now() / 1000)
  if (now === second && keepAliveTimeout === timeout) return end
  ;[second, timeout] = [now, keepAliveTimeout]
  const kept = timeout === 0 ? '' : `Keep-Alive: timeout=${Math.floor(timeout / 1000)}\r\n`
  end = `\r\nDate: ${new Date(now * 1000).toUTCString()}\r\nConnection: keep-alive\r\n${kept}\r\n`
  return end
}
