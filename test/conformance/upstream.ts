import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen, type Listening } from '../flow/kit.ts'

/** A server whose answers follow the path, and which knows what reached it. */
export interface KnowingUpstream extends Pick<Listening, 'port' | 'url'> {
  /** What came since the last call, in order: methods and paths, and all headers. */
  taken(): readonly Taken[]
}

export interface Taken {
  readonly line: string
  readonly headers: string
}

/** Answers that no server of Node would write, by the end of the path. */
const RAW: Readonly<Record<string, string>> = {
  '204-body': 'HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nbody',
  'odd-phrase': 'HTTP/1.1 200 caf\xe9\r\nContent-Length: 2\r\n\r\nok',
  '304-length': 'HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\nETag: "a"\r\n\r\n',
  'more-than-length': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 Smuggled\r\n\r\n',
  'until-close': 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end',
  'own-hop':
    'HTTP/1.1 200 OK\r\nConnection: x-own\r\nX-Own: 1\r\nKeep-Alive: timeout=5\r\nContent-Length: 2\r\n\r\nok',
  'two-lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!',
  'length-and-chunks':
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  'gzip-chunked': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  'no-http': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
  'bad-header': 'HTTP/1.1 200 OK\r\nX Y: 1\r\nContent-Length: 2\r\n\r\nok',
  'http-1.0': 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok',
}

/** @param later has what is unsafe take its time, so that a request that overtakes it is seen */
export async function startKnowingUpstream(later: Later = fiveMsLater): Promise<KnowingUpstream> {
  let taken: Taken[] = []
  const server = createServer((request, response) => {
    taken.push({ line: `${request.method} ${lastOf(request.url)}`, headers: headersOf(request) })
    request.resume().once('end', () => answer(request, response, later))
  })
  server.on('upgrade', (request: IncomingMessage, socket) => {
    socket.on('error', () => undefined)
    taken.push({ line: `${request.method} ${lastOf(request.url)}`, headers: headersOf(request) })
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  const { port, url } = await listen(server)
  return {
    ...{ port, url },
    taken() {
      const all = taken
      taken = []
      return all
    },
  }
}

type Later = (act: () => void) => unknown
const fiveMsLater: Later = (act) => setTimeout(act, 5)

function answer(request: IncomingMessage, response: ServerResponse, later: Later): void {
  const name = lastOf(request.url)
  const raw = RAW[name]
  if (raw !== undefined) return void request.socket.end(raw, 'latin1')
  const end = (): void => void response.writeHead(200, { etag: '"a"', 'content-length': 2 }).end('ok')
  if (request.method === 'POST') later(end)
  else end()
}

function lastOf(url = ''): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

function headersOf({ rawHeaders }: IncomingMessage): string {
  return rawHeaders.map((each, index) => (index % 2 === 0 ? `${each}: ` : `${each}\r\n`)).join('')
}
