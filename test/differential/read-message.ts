import type { Message } from './valid-exchanges.ts'

/** A message as it arrived. */
export interface Read extends Pick<Message, 'start' | 'headers' | 'body'> {}

/**
 * Reads a message from its bytes.
 * @param hasBody whether a body follows the head where its framing does not say so: one until the end
 * @returns nothing while some of it is missing
 */
export function readMessage(
  bytes: Buffer,
  hasBody: 'as framed' | 'until the end' | 'none',
): Read | undefined {
  const text = bytes.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [start = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const
  })
  const rest = text.slice(end + 4)
  const valueOf = (name: string): string | undefined =>
    headers.find(([each]) => each.toLowerCase() === name)?.[1]
  const length = Number(valueOf('content-length') ?? 0)
  if (hasBody === 'none') return { start, headers, body: rest }
  if (valueOf('transfer-encoding') !== undefined) {
    const body = chunksOf(rest)
    return body === undefined ? undefined : { start, headers, body }
  }
  if (hasBody === 'until the end' && valueOf('content-length') === undefined)
    return { start, headers, body: rest }
  return rest.length < length ? undefined : { start, headers, body: rest.slice(0, length) }
}

function chunksOf(text: string): string | undefined {
  let body = ''
  let at = 0
  for (;;) {
    const size = /^([\da-f]+)[^\r]*\r\n/i.exec(text.slice(at, at + 40))
    if (size === null) return undefined
    at += size[0].length
    const length = Number.parseInt(size[1] ?? '', 16)
    if (length === 0) return /^(?:[^\r\n]+\r\n)*\r\n/.test(text.slice(at)) ? body : undefined
    body += text.slice(at, at + length)
    at += length + 2
  }
}

// RFC 9110, sections 7.6.1, 7.6.3 and 7.2: what belongs to one connection, says who passed it on, or names its server.
const OF_CONNECTION =
  /^(connection|keep-alive|transfer-encoding|content-length|te|trailer|upgrade|via|host)$/i
// RFC 9110, section 6.6.1: who passes on a response without the time may add it.
const ADDED = /^date$/i

/** How a message that arrived differs from the one that was sent, but for what RFC 9110 lets a gateway change. */
export function differences(sent: Read, read: Read, isExact: boolean): string[] {
  const lines = ({ headers }: Read): string[] => {
    const all = headers
      .filter(([name]) => !OF_CONNECTION.test(name) && !ADDED.test(name))
      .map(([name, value]) => `${isExact ? name : name.toLowerCase()}: ${value}`)
    return isExact ? all : all.toSorted((a, b) => a.localeCompare(b))
  }
  const [before, after] = [lines(sent), lines(read)]
  const found: string[] = []
  if (sent.start !== read.start) found.push(`start ${sent.start} became ${read.start}`)
  if (sent.body !== read.body) found.push(`body of ${sent.body.length} became ${read.body.length}`)
  for (const line of before) if (!after.includes(line)) found.push(`header ${line} is missing`)
  for (const line of after) if (!before.includes(line)) found.push(`header ${line} was added`)
  if (found.length === 0 && before.join('\n') !== after.join('\n')) found.push('order of headers')
  return found
}
