import { Agent, request as send } from 'node:http'

/** What is sent, byte for byte but for the head's end. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What came back; an error's code in place of a status where the connection broke. */
export interface Got {
  readonly status: number | string
  readonly headers: readonly string[]
  readonly body: string
}

/** Sends requests to one app, one after the other, over one connection as long as it lasts. */
export interface Client {
  send(request: Sent): Promise<Got>
  close(): void
}

/** None hangs on purpose: as long as a loaded machine may take. */
const MAX_WAIT_MS = 20_000
/** What differs by clock or by which connection it came over. */
const BY_CLOCK = new Set([
  'date',
  'last-modified',
  'keep-alive',
  'connection',
  'ratelimit-reset',
  'retry-after',
])

export function createClient(url: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { hostname, port } = new URL(url)
  return {
    close: () => agent.destroy(),
    send: ({ method, path, headers, body }) =>
      new Promise((resolve) => {
        const chunks: Buffer[] = []
        let head: { status: number; headers: string[] } | undefined
        const end = (broken?: string): void => {
          clearTimeout(timer)
          const body = Buffer.concat(chunks).toString('latin1')
          const status = broken === undefined ? (head?.status ?? 0) : `${head?.status ?? ''} ${broken}`
          resolve({ status, ...stable({ headers: head?.headers ?? [], body }) })
        }
        const request = send({
          agent,
          hostname,
          port,
          method,
          path,
          headers: { host: 'localhost', ...headers },
        })
        const timer = setTimeout(
          () => request.destroy(Object.assign(new Error(), { code: 'HANGS' })),
          MAX_WAIT_MS,
        )
        request.on('error', (error: NodeJS.ErrnoException) => end(error.code))
        request.on('response', (response) => {
          head = { status: response.statusCode ?? 0, headers: response.rawHeaders }
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => end())
          response.on('error', (error: NodeJS.ErrnoException) => end(error.code))
        })
        request.end(body)
      }),
  }
}

/** Leaves out what differs by clock and by machine: the time of day, how long requests took, how large the process is. */
function stable({ headers, body }: Pick<Got, 'headers' | 'body'>): Pick<Got, 'headers' | 'body'> {
  const [today, tomorrow] = [0, 86_400_000].map((later) =>
    new Date(Date.now() + later).toISOString().slice(0, 10),
  )
  const steady = body
    .replace(/("(?:duration|arrived)_ms":)[\d.]+/g, '$10')
    .replace(new RegExp(`"(?:${today}|${tomorrow})T[\\d:.]+Z"`, 'g'), '"…"')
    .replace(/^((?:process_|nodejs_|sim_recorder_|\w*(?:seconds|bytes))\S*) .*$/gm, '$1 …')
  const unwanted = steady === body ? BY_CLOCK : new Set([...BY_CLOCK, 'content-length'])
  const nameAt = (index: number): string => (headers[index - (index % 2)] ?? '').toLowerCase()
  return { headers: headers.filter((_, index) => !unwanted.has(nameAt(index))), body: steady }
}
