import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import { JSON_TYPE } from '../reply.ts'

/** Sends a JSON body, given as UTF-8 bytes of a character each. */
export type SendJson = (response: ServerResponse, status: number, body: string) => void

/**
 * Sends what `writeHead` and `end` send, but in one write, where a response is the next on a connection that stays open:
 * Node makes a list of two texts of it, which costs the system and the collector more.
 */
export function createSendJson(server: Server): SendJson {
  const lines: string[] = []
  const lineOf = (status: number): string =>
    (lines[status] ??=
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\ncontent-type: ${JSON_TYPE}\r\n`)

  return (response, status, body) => {
    const { socket } = response
    const isPlain = status >= 200 && status !== 204 && status !== 304 && !server.maxRequestsPerSocket
    if (!isPlain || socket === null || !socket.writable || !response.shouldKeepAlive) {
      response.writeHead(status, ['content-type', JSON_TYPE, 'content-length', String(body.length)])
      response.end(body, 'latin1')
      return
    }
    response.statusCode = status
    const head = `${lineOf(status)}content-length: ${body.length}\r\nDate: ${dateNow()}\r\n${keptOpen(server)}\r\n`
    // Node's server goes on to the connection's next request when a response tells that it has finished.
    socket.write(head + body, 'latin1', () => response.emit('finish'))
  }
}

function keptOpen({ keepAliveTimeout }: Server): string {
  const seconds = Math.floor(keepAliveTimeout / 1000)
  return `Connection: keep-alive\r\n${keepAliveTimeout === 0 ? '' : `Keep-Alive: timeout=${seconds}\r\n`}`
}

let second = 0
let date = ''

function dateNow(): string {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) {
    second = now
    date = new Date(now * 1000).toUTCString()
  }
  return date
}
