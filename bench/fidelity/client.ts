import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A response as it came over the wire. */
export interface RawResponse {
  readonly status: number
  readonly head: string
  /** Names as they came, and values, in their order. */
  readonly headers: readonly (readonly [string, string])[]
  /** The heads of interim responses before it. */
  readonly interim: readonly string[]
  readonly body: Buffer
  readonly trailers: string
}

/** A client that sends bytes and reads responses off one connection. */
export interface RawClient {
  readonly socket: Socket
  send(text: string | Buffer): void
  /** The next response, read by its framing. `method` says which request it answers. */
  response(method?: string): Promise<RawResponse>
  /** Waits until some text has come, without taking it. */
  until(text: string): Promise<void>
  /** Everything until the other side ends. */
  rest(): Promise<string>
}

/** Connects to a port of this machine. */
export async function openClient(
  port: number,
  options: { readonly slow?: boolean } = {},
): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  let received = Buffer.alloc(0)
  let ended = false
  let wake = (): void => undefined
  const end = (): void => {
    ended = true
    wake()
  }
  if (options.slow !== true)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      wake()
    })
  socket.on('end', end).on('close', end).on('error', end)
  const more = async (): Promise<void> => {
    if (ended) throw new Error('the connection ended')
    await new Promise<void>((resolve) => (wake = resolve))
  }
  const take = async (length: number): Promise<Buffer> => {
    while (received.length < length) await more()
    const taken = received.subarray(0, length)
    received = received.subarray(length)
    return taken
  }
  const takeLine = async (separator: string): Promise<string> => {
    for (;;) {
      const at = received.indexOf(separator)
      if (at >= 0) return (await take(at + separator.length)).toString('latin1').slice(0, -separator.length)
      await more()
    }
  }
  const takeAll = async (): Promise<Buffer> => {
    for (;;) {
      try {
        await more()
      } catch {
        return take(received.length)
      }
    }
  }
  const takeChunks = async (): Promise<readonly [Buffer, string]> => {
    const chunks: Buffer[] = []
    for (;;) {
      const size = Number.parseInt(await takeLine('\r\n'), 16)
      if (Number.isNaN(size)) throw new Error('a chunk without a size')
      if (size === 0) break
      chunks.push(await take(size))
      await take(2)
    }
    const trailers: string[] = []
    for (let line = await takeLine('\r\n'); line !== ''; line = await takeLine('\r\n')) trailers.push(line)
    return [Buffer.concat(chunks), trailers.join('\n')]
  }
  const takeBody = async (
    method: string,
    status: number,
    head: string,
  ): Promise<readonly [Buffer, string]> => {
    if (method === 'HEAD' || status === 204 || status === 304) return [Buffer.alloc(0), '']
    if (/^transfer-encoding:.*chunked/im.test(head)) return takeChunks()
    const [, length] = /^content-length: *(\d+)/im.exec(head) ?? []
    return [await (length === undefined ? takeAll() : take(Number(length))), '']
  }
  return {
    socket,
    send: (text) => void socket.write(text),
    async until(text) {
      while (!received.includes(text)) await more()
    },
    rest: async () => (await takeAll()).toString('latin1'),
    async response(method = 'GET') {
      const interim: string[] = []
      for (;;) {
        const head = await takeLine('\r\n\r\n')
        const status = Number(head.split(' ')[1])
        if (status < 200 && status !== 101) {
          interim.push(head)
          continue
        }
        const headers = head
          .split('\r\n')
          .slice(1)
          .map(
            (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const,
          )
        const [body, trailers] = status === 101 ? [Buffer.alloc(0), ''] : await takeBody(method, status, head)
        return { status, head, headers, interim, body, trailers }
      }
    },
  }
}
