import { isIP, type Socket } from 'node:net'

// What both sides of SOCKS5 say.

export const VERSION = 5
// RFC 1928, section 3, and RFC 1929, section 2.
export const WITHOUT_LOGIN = 0
export const PASSWORD = 2
export const NO_METHOD = 0xff
export const LOGIN_VERSION = 1
export const CONNECT = 1

/** How requests are answered: RFC 1928, section 6. */
export const REPLIES = {
  succeeded: 0,
  failed: 1,
  notAllowed: 2,
  networkUnreachable: 3,
  hostUnreachable: 4,
  refused: 5,
  expired: 6,
  commandUnknown: 7,
  addressUnknown: 8,
} as const
export type Reply = keyof typeof REPLIES

/** Reads so many bytes, and leaves what comes after them. Rejects when the other side ends before. */
export type Read = (length: number) => Promise<Buffer>

/** Reads what comes in on a connection. */
export function createReader(socket: Socket): Read {
  return (length) =>
    new Promise((resolve, reject) => {
      if (length === 0) return resolve(Buffer.alloc(0))
      const end = (): void => {
        socket.off('readable', look).off('end', fail).off('close', fail)
      }
      const look = (): void => {
        const bytes = socket.read(length) as Buffer | null
        if (bytes === null) return
        end()
        // At the end of the stream comes what is left.
        if (bytes.length === length) resolve(bytes)
        else reject(new Error('the other side closed the connection'))
      }
      const fail = (): void => {
        end()
        reject(new Error('the other side closed the connection'))
      }
      socket.on('readable', look).once('end', fail).once('close', fail)
      look()
    })
}

/** An address and a port, and nothing where the kind of the address is not known. */
export async function readAddress(
  read: Read,
): Promise<{ readonly host: string; readonly port: number } | undefined> {
  const readHost = ADDRESSES[(await read(1))[0] ?? 0]
  if (readHost === undefined) return undefined
  return { host: await readHost(read), port: (await read(2)).readUInt16BE() }
}

/** How addresses are read, by their kind: RFC 1928, section 5. */
const ADDRESSES: Readonly<Record<number, (read: Read) => Promise<string>>> = {
  1: async (read) => (await read(4)).join('.'),
  3: async (read) => (await read((await read(1))[0] ?? 0)).toString('latin1'),
  4: async (read) => (await read(16)).toString('hex').replace(/(.{4})(?=.)/g, '$1:'),
}

/** A host and a port as `readAddress` takes them; a name is for the other side to resolve. */
export function addressBytes(host: string, port: number): Buffer {
  return Buffer.from([...hostBytes(host), port >> 8, port & 0xff])
}

function hostBytes(host: string): readonly number[] {
  const version = isIP(host)
  if (version === 4) return [1, ...host.split('.').map(Number)]
  if (version === 6) return [4, ...groupsOf(host)]
  const name = Buffer.from(host)
  return [3, name.length, ...name]
}

function groupsOf(host: string): readonly number[] {
  // The URL parser writes the last two groups in hexadecimal, too, if they were four numbers.
  const plain = new URL(`http://[${host}]`).hostname.slice(1, -1)
  const [start = '', end] = plain.split('::')
  const [before, after] = [start, end ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(8 - (before?.length ?? 0) - (after?.length ?? 0)).fill('0')
  return [...(before ?? []), ...zeros, ...(after ?? [])].flatMap((group) => {
    const number = Number.parseInt(group, 16)
    return [number >> 8, number & 0xff]
  })
}
