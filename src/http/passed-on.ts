import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { PeerUntrusted } from '../errors.ts'
import { setPassed } from './request-head.ts'

/** What a gateway says of a request that it passes on to another of the same state. */
export interface Passed {
  /** Which process of a gateway it is for. */
  readonly to: string
  /** When it was passed on, in milliseconds since 1970. */
  readonly at: number
  /** Whom its client meant: these are as in `RequestTarget`. */
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly isProxied: boolean
  readonly user?: string | undefined
  /** The address of its client. */
  readonly remoteAddress?: string | undefined
  /** What is to be done in place of answering it. */
  readonly forget?: string | undefined
}

/** Signs what gateways pass on to each other, by a key that only they have. */
export interface PassedMarks {
  sign(method: string, url: string, passed: Passed): string
  /**
   * Takes the mark off a request that has one, and takes it for the one that the other gateway got.
   * Whoever reads its head is refused where the mark is none of ours.
   */
  read(request: IncomingMessage): void
}

/** Marks a request that was passed on, and the answer of who it was passed on to: `answered`, or `moved` where that has none. */
export const PASSED_HEADER = 'x-sim-peer'

const MAX_AGE_MS = 60_000
const OWN_VIA = /(^|,)\s*\d\.\d sim$/

/** @param self this process */
export function createPassedMarks(key: Buffer, self: string): PassedMarks {
  const digest = (method: string, url: string, text: string): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([method, url, text]))
      .digest()
  const verify = (method: string, url: string, mark: string): Passed | PeerUntrusted => {
    const [version, text = '', mac = '', ...rest] = mark.split('.')
    const given = Buffer.from(mac, 'base64url')
    const wanted = digest(method, url, text)
    if (
      version !== 'v1' ||
      rest.length > 0 ||
      given.length !== wanted.length ||
      !timingSafeEqual(given, wanted)
    )
      return new PeerUntrusted('this one is not signed with their key')
    const passed = JSON.parse(Buffer.from(text, 'base64url').toString()) as Passed
    if (passed.to !== self) return new PeerUntrusted('this one is for another gateway')
    if (Math.abs(Date.now() - passed.at) > MAX_AGE_MS)
      return new PeerUntrusted(`this one is older than a minute, or the machines' clocks are that far apart`)
    return passed
  }
  return {
    sign(method, url, passed) {
      const text = Buffer.from(JSON.stringify(passed)).toString('base64url')
      return `v1.${text}.${digest(method, url, text).toString('base64url')}`
    },
    read(request) {
      const { [PASSED_HEADER]: mark, via } = request.headers
      if (mark === undefined) return
      setPassed(request, verify(request.method ?? 'GET', request.url ?? '/', String(mark)))
      delete request.headers[PASSED_HEADER]
      const before = via?.replace(OWN_VIA, '')
      if (before === '' || before === undefined) delete request.headers.via
      else request.headers.via = before
      Object.defineProperty(request, 'rawHeaders', { value: withoutMark(request.rawHeaders) })
    },
  }
}

// The other gateway has put its own at the end.
function withoutMark(raw: readonly string[]): readonly string[] {
  const nameAt = (index: number): string => (raw[index - (index % 2)] ?? '').toLowerCase()
  const lastVia = raw.findLastIndex((_, index) => index % 2 === 0 && nameAt(index) === 'via')
  return raw.filter((_, index) => nameAt(index) !== PASSED_HEADER && index - (index % 2) !== lastVia)
}
