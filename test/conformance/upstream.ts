import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen, type Listening } from '../flow/kit.ts'
import { RAW_ANSWERS } from './raw-answers.ts'

/** A server whose answers follow the path, and which knows what reached it. */
export interface KnowingUpstream extends Pick<Listening, 'port' | 'url'> {
  /** What came since the last call, in order: methods and paths, and all headers. */
  taken(): readonly Taken[]
}

export interface Taken {
  readonly line: string
  readonly headers: string
}

/** @param later has what is unsafe take its time, so that a request that overtakes it is seen */
export async function startKnowingUpstream(later: Later = fiveMsLater): Promise<KnowingUpstream> {
  let taken: Taken[] = []
  const server = createServer((request, response) => {
    taken.push({ line: `${request.method} ${lastOf(request.url)}`, headers: headersOf(request) })
    if (lastOf(request.url) === 'early') return answer(request, response, later)
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
  const raw = RAW_ANSWERS[name]
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
