import { LRUCache } from 'lru-cache'
import { isObject } from '../../engine/schema/schema.ts'
import { isChanging } from '../../state/changes.ts'
import { type Exchange, headerValues } from '../exchange.ts'
import { lastWrites, noteWrite, resourceOf, writeOf } from '../replay/writes.ts'
import type { WholeExchange } from './carried-values.ts'
import { type MessageBody, readMessage, splitUrl } from './message-body.ts'

/** A request whose answer may become as it was recorded, once the server had as much time as when it was recorded. */
export interface Waiting {
  /** Until when it may be repeated, as `performance.now` has it. */
  readonly until: number
  /** Whether an answer with the recorded status shows the states that were recorded. */
  shows(body: Buffer | undefined): boolean
}

/** The time that a server was given when it was recorded, for requests that are sent faster. */
export interface RecordedTime {
  /** `undefined` where the answer to a request does not depend on time, or the time has passed. */
  waitingFor(whole: WholeExchange): Waiting | undefined
  /** Whether a refused request may be repeated: it reads, or was refused for what may pass. */
  mayRepeat(whole: WholeExchange, status: number): boolean
  /** Notes that a request was answered. @param isAlike whether by the recorded status */
  note(whole: WholeExchange, isAlike: boolean): void
}

/** An exchange that later answers follow from. */
interface Moment {
  readonly number: number
  /** Milliseconds since 1970, and of `performance.now`. */
  readonly recorded: number
  readonly live: number
  readonly isAlike: boolean
  readonly states: States
}

/** The words, truth values and whether there is anything, by the names of members. */
type States = ReadonlyMap<string, ReadonlySet<string>>

const MAX_MOMENTS = 10_000
/** What a server may take longer than when it was recorded. */
const [TIMES, MORE_MS] = [1.25, 100]

/**
 * Where a recorded read follows a write, or the same read before, and shows another state than that did, such as
 * `ACTIVE` after `CREATING`, the server took time for it.
 * @param mostMs how long is waited at most for one request
 */
export function createRecordedTime(mostMs: number): RecordedTime {
  const places = new Map<string, number>()
  const moments = new LRUCache<string, Moment>({ max: MAX_MOMENTS })
  let count = 0
  const before = ({ exchange, requestBody }: WholeExchange): Moment | undefined => {
    const read = moments.get(keyOf(exchange, requestBody))
    const { own, below, above } = lastWrites(places, resourceIn(exchange))
    const written = moments.get(String(Math.max(own, below, above)))
    return (read?.number ?? -1) > (written?.number ?? -1) ? read : written
  }

  return {
    waitingFor(whole) {
      const { exchange, responseBody } = whole
      const last = before(whole)
      if (last === undefined || !last.isAlike) return undefined
      const gap = new Date(exchange.startedDateTime).getTime() - last.recorded
      const until = last.live + Math.min(Math.max(0, gap) * TIMES + MORE_MS, mostMs)
      if (until <= performance.now()) return undefined
      const states = statesIn(responseBody, exchange)
      const awaited = [...states].filter(([name, values]) => {
        const known = last.states.get(name)
        return known !== undefined && [...values].some((value) => !known.has(value))
      })
      return {
        until,
        shows(body) {
          const shown = awaited.length === 0 ? states : statesIn(body, exchange)
          return awaited.every(([name, values]) => [...values].every((value) => shown.get(name)?.has(value)))
        },
      }
    },
    mayRepeat({ exchange, requestBody }, status) {
      return !isWrite(exchange, requestBody) || (PASSING.has(status) && exchange.response.status < 400)
    },
    note(whole, isAlike) {
      const { exchange, requestBody, responseBody } = whole
      const { request, response } = exchange
      const number = count++
      const moment: Moment = {
        ...{ number, isAlike, live: performance.now(), states: statesIn(responseBody, exchange) },
        recorded: new Date(exchange.startedDateTime).getTime() + exchange.time,
      }
      if (!isWrite(exchange, requestBody)) {
        moments.set(keyOf(exchange, requestBody), moment)
        return
      }
      const write = writeOf(request.method, response.status, resourceIn(exchange), undefined)
      if (write === undefined) return
      // What it created may be below it, without a Location that says so.
      noteWrite(places, { ...write, replaces: true }, number)
      moments.set(String(number), moment)
    },
  }
}

/** Refusals of what is not there yet, or there still, or of a server that is busy. */
const PASSING = new Set([400, 404, 409, 412, 423, 425, 429, 503])

function resourceIn({ request }: Exchange): string {
  return resourceOf(undefined, splitUrl(request.url).path)
}

function isWrite({ request }: Exchange, body: Buffer | undefined): boolean {
  const { method, url, headers } = request
  const [target = headerValues(headers, 'soapaction')[0]?.replaceAll('"', '')] = headerValues(
    headers,
    'x-amz-target',
  )
  return isChanging(method, splitUrl(url).path, target ?? operationIn(body))
}

// Of GraphQL and JSON-RPC.
function operationIn(body: Buffer | undefined): string | undefined {
  const message = readMessage(body, '')
  const value = message.kind === 'json' && isObject(message.value) ? message.value : {}
  const { query, method } = value
  if (typeof query === 'string' && /^\s*(query\b|\{)/.test(query)) return 'query'
  return typeof method === 'string' ? method : undefined
}

function keyOf({ request }: Exchange, body: Buffer | undefined): string {
  const { method, url, headers } = request
  return [method, url, ...headerValues(headers, 'x-amz-target'), body?.toString('latin1') ?? ''].join('\n')
}

const MAX_NAMES = 200
const WORD = /^[A-Za-z][A-Za-z _-]{1,39}$/

function statesIn(body: Buffer | undefined, { response }: Exchange): States {
  const states = new Map<string, Set<string>>()
  const add = (name: string, value: unknown): void => {
    const known = states.get(name) ?? new Set()
    if (known.size === 0 && states.size >= MAX_NAMES) return
    states.set(name, known.add(stateOf(value)))
  }
  walk(readMessage(body, response.content.mimeType), add)
  return states
}

function walk(message: MessageBody, add: (name: string, value: unknown) => void): void {
  if (message.kind === 'text')
    for (const [, name = '', text = ''] of message.text.matchAll(/<([\w:.-]+)>([^<>]*)<\/\1>/g))
      add(name, text)
  if (message.kind !== 'json') return
  const left: unknown[] = [message.value]
  for (let value = left.pop(); left.length < MAX_NAMES * 10; value = left.pop()) {
    if (Array.isArray(value)) left.push(...value.slice(0, MAX_NAMES))
    else if (isObject(value))
      for (const [name, each] of Object.entries(value)) {
        add(name, each)
        left.push(each)
      }
    if (left.length === 0) return
  }
}

function stateOf(value: unknown): string {
  if (typeof value === 'boolean' || value === null) return String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : 'some'
  return typeof value === 'string' && WORD.test(value) ? `'${value}'` : 'some'
}
