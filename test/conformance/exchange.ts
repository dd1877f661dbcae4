import type { Duplex } from 'node:stream'
import type { Rule } from './rule.ts'
import type { KnowingUpstream, Taken } from './upstream.ts'
import type { Entry } from './entries.ts'

/** What became of a rule's bytes. */
export interface Seen {
  /** All that was answered, until the server closed. */
  readonly text: string
  /** What reached the upstream, without the request that follows. */
  readonly taken: readonly Taken[]
}

/** How long an answer may take before the connection counts as one that stays open. */
const PATIENCE_MS = 15_000
const NEXT = 'GET {target}next HTTP/1.1\r\n{host}Connection: close\r\n\r\n'

/** Sends the bytes of a rule, and a plain request after them unless the rule says otherwise. */
export async function exchange(
  entry: Entry,
  rule: Rule,
  upstream: KnowingUpstream,
  patienceMs = PATIENCE_MS,
): Promise<Seen> {
  upstream.taken()
  const socket = await entry.open()
  const text = `${rule.send}${rule.ends === undefined ? NEXT : ''}`
    .replaceAll('{target}', entry.target)
    .replaceAll('{host}', `Host: ${entry.host}\r\n`)
    .replaceAll('{authority}', entry.host)
    .replaceAll('{name}', entry.host.replace(/:\d+$/, ''))
  socket.write(text, 'latin1')
  if (rule.ends === 'half-closed') socket.end()
  const answered = await readAll(socket, patienceMs)
  const taken = upstream.taken().filter(({ line }) => line !== 'GET next')
  return { text: answered, taken }
}

function readAll(socket: Duplex, patienceMs: number): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const end = (more = ''): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(text + more)
    }
    const timer = setTimeout(() => end('(and the connection stayed open)'), patienceMs)
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
    socket.on('error', () => undefined)
    socket.once('end', () => end()).once('close', () => end())
  })
}

/** What is wrong with what was seen; nothing if the rule was kept. */
export function mistakeOf(rule: Rule, entry: Entry, { text, taken }: Seen): string | undefined {
  const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => status).join(' ')
  const allowed = rule.answers.split('|').map((each) => each.trim())
  const [first] = taken
  if (text.includes('stayed open')) return `no end came after ${statuses}`
  if (!allowed.includes(statuses)) return `answered ${statuses || 'nothing'}: ${text.slice(0, 400)}`
  if (rule.shows !== undefined && !rule.shows.test(text)) return `does not show ${rule.shows}: ${text}`
  if (rule.hides?.test(text) === true) return `shows ${rule.hides}: ${text}`
  if (!entry.reachesUpstream) return undefined
  const reached = taken.map(({ line }) => line).join(', ')
  if (rule.reaches !== undefined && reached !== rule.reaches) return `what reached the upstream: ${reached}`
  if (rule.passes !== undefined && !rule.passes.test(first?.headers ?? ''))
    return `passed on: ${first?.headers}`
  if (rule.drops?.test(first?.headers ?? '') === true) return `passed on: ${first?.headers}`
  return undefined
}
