import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { Entry } from '../conformance/entries.ts'
import type { KnowingUpstream } from '../conformance/upstream.ts'
import { isSafe } from '../../src/message.ts'
import type { Pipeline, Written } from './pipelines.ts'

const PATIENCE_MS = 5_000

/** Sends a pipeline, and a plain request on another connection after it. @throws Error for what must not be */
export async function runPipeline(
  entry: Entry,
  upstream: KnowingUpstream,
  pipeline: Pipeline,
  run: string,
): Promise<void> {
  upstream.taken()
  await sendPipeline(entry, pipeline, run)
  const next = await entry.open()
  next.write(lastOf(entry, run))
  const answered = await untilEnd(next, 'the plain request')
  if (!answered.startsWith('HTTP/1.1 200')) throw new Error(`the next plain request got ${answered}`)
  checkOrder(
    pipeline.requests,
    run,
    upstream.taken().map(({ line }) => line),
  )
}

/** Sends a pipeline on a connection of its own; resolves with what was answered until its end. */
export async function sendPipeline(entry: Entry, pipeline: Pipeline, run: string): Promise<string> {
  const { ending, cuts } = pipeline
  const text = textOfPipeline(entry, pipeline, run)
  const isGoneEarly = ending === 'reset' || ending === 'close'
  const halfCloses = ending === 'half-close'
  const socket = await entry.open()
  socket.on('error', () => undefined)
  const bytes = Buffer.from(isGoneEarly || halfCloses ? text : text + lastOf(entry, run), 'latin1')
  for (const part of partsOf(bytes, cuts)) {
    if (!socket.destroyed) socket.write(part)
    await new Promise(setImmediate)
  }
  if (ending === 'reset' && 'resetAndDestroy' in socket) resetOf(socket as Socket)
  else if (isGoneEarly) socket.destroy()
  else {
    if (halfCloses) socket.end()
    return untilEnd(socket, `${JSON.stringify(text).slice(0, 1500)} (${ending})`)
  }
  return ''
}

/** The bytes of a pipeline, without the request that follows. */
export function textOfPipeline(entry: Entry, { requests }: Pipeline, run: string): string {
  return requests.map((each, index) => textOf(each, entry, `${run}-${index}`, `${run}-smuggled`)).join('')
}

function lastOf({ target, host }: Entry, run: string): string {
  return `GET ${target}${run}-last HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
}

// A reset is not for TLS, whose socket has none of its own.
function resetOf(socket: Socket): void {
  try {
    socket.resetAndDestroy()
  } catch {
    socket.destroy()
  }
}

function textOf(
  { method, line, headers, framing }: Written,
  entry: Entry,
  name: string,
  smuggled: string,
): string {
  const body = `GET ${entry.target}${smuggled} HTTP/1.1\r\nHost: ${entry.host}\r\n\r\n`
  const own = headers.map((header) => `${header}\r\n`).join('')
  return `${method} ${line(`${entry.target}${name}`)}\r\nHost: ${entry.host}\r\n${own}${framing.text(body)}`
}

function partsOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length].toSorted(
    (a, b) => a - b,
  )
  return places
    .map((end, index) => bytes.subarray(places[index - 1] ?? 0, end))
    .filter(({ length }) => length > 0)
}

function untilEnd(socket: Duplex, what: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const end = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(text)
    }
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no end came of ${what} after ${text}`))
    }, PATIENCE_MS)
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
    socket.on('error', () => undefined)
    socket.once('end', end).once('close', end)
    if (socket.destroyed) end()
  })
}

// RFC 9112, section 9.3.2: each request once, and in order unless it and what it overtakes are safe.
function checkOrder(requests: readonly Written[], run: string, lines: readonly string[]): void {
  const own = lines.map((line) => line.split(' ')).filter(([, name = '']) => name.startsWith(`${run}-`))
  const seen = own.flatMap(([method = '', name = '']) => {
    const index = /-(\d)(\?.*)?$/.exec(name)?.[1]
    return index === undefined ? [] : [{ index: Number(index), isSafe: isSafe(method) }]
  })
  const say = (what: string): Error => new Error(`${what}: ${own.join(', ')}`)
  if (own.some(([, name]) => name?.endsWith('-smuggled') === true) && !requests.some(isAmbiguous))
    throw say('a body reached the upstream as a request')
  seen.forEach((one, at) => {
    for (const other of seen.slice(at + 1)) {
      if (other.index === one.index) throw say('a request reached the upstream twice')
      if (other.index < one.index && !(one.isSafe && other.isSafe)) throw say('requests overtook another')
    }
  })
  const refused = requests.findIndex(({ framing }) => framing.isWrong)
  if (refused >= 0 && seen.some(({ index }) => index > refused)) throw say('something came after a refusal')
}

// What follows a header of another protocol, or no version, need not be read as HTTP.
function isAmbiguous({ method, line }: Written): boolean {
  return method === 'CONNECT' || line('') === ''
}
