import { setTimeout as sleep } from 'node:timers/promises'
import { COMPARED, type Baseline } from '../drift/baseline.ts'
import { compareSample, routeName } from '../drift/compare-sample.ts'
import { createDriftLog, type DriftReport } from '../drift/drift-log.ts'
import { recordedBaseline } from '../drift/recorded-baseline.ts'
import { samplesIn } from '../drift/recorded-routes.ts'
import { addTo } from '../../grouping.ts'
import { finding, type Finding } from '../../shape/finding.ts'
import { captureBody } from '../capture/body-sink.ts'
import type { Exchange, NameValue } from '../exchange.ts'
import { buildExchange, mayHaveBody } from '../files/har.ts'
import { readExchanges } from '../files/recording-files.ts'
import { readBody } from '../files/read-body.ts'
import type { Select } from '../files/select.ts'
import { sampleOf } from '../inference/sample.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { type CarriedRequest, createCarriedValues, type WholeExchange } from './carried-values.ts'
import { createHttpClient, type SentRequest } from './http-client.ts'
import { createRecordedTime } from './recorded-time.ts'
import { type Numbered, type Pace, schedule } from './schedule.ts'

/** How a recording is sent. */
export interface SendOptions extends Pace {
  /** The server's URL; its path is put before recorded ones. */
  readonly to: URL
  readonly select: Select
  /** Headers to send in place of recorded ones; an empty value leaves the header out. */
  readonly headers: readonly NameValue[]
  /** Texts in place of pseudonyms. */
  readonly replacements: ReadonlyMap<string, string>
  /** Hides secrets of the answers before anything is reported. */
  readonly redactor: Redactor
  /** Whether any certificate of the server will do. */
  readonly isTrusting: boolean
  readonly timeoutMs: number
  /** Whether a difference at a pointer counts. */
  readonly counts: (found: Finding) => boolean
  /** Hears how many were sent. */
  readonly onProgress?: ((sent: number) => void) | undefined
}

/** What came of sending a recording. */
export interface SendReport {
  /** How the answers differ from the recorded ones. */
  readonly drift: DriftReport
  readonly sent: number
  /** Requests without an answer: the first of them, and how many. */
  readonly failures: readonly { readonly number: number; readonly request: string; readonly reason: string }[]
  readonly failed: number
  /** Exchanges that cannot be sent, by reason. */
  readonly left: Readonly<Record<string, number>>
  /** Where pseudonyms were sent in place of secrets: names of headers, `url` and `body`, with how many requests. */
  readonly pseudonyms: Readonly<Record<string, number>>
}

const MAX_FAILURES = 100
/** What is waited before a request is repeated: at first, and at most. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [20, 1000]
/** Bodies that are longer are neither compared nor looked into. */
const MAX_BODY = 8 * 1024 * 1024

/**
 * Sends the requests of a recording to a server, with the values that its answers give, and compares the answers with
 * the recorded ones as drift does.
 * @throws RecordingUnusable when it is not a recording
 */
export async function sendRecording(directory: string, options: SendOptions): Promise<SendReport> {
  const { to, replacements, redactor, counts, timeoutMs, isTrusting } = options
  const baseline = await recordedBaseline(samplesIn(directory))
  const client = createHttpClient(to, isTrusting, timeoutMs)
  const values = createCarriedValues({ basePath: to.pathname.replace(/(?<!\/)\/+$/, ''), replacements })
  const log = createDriftLog()
  const time = createRecordedTime(timeoutMs)
  const failures: SendReport['failures'][number][] = []
  const left = new Map<string, number>()
  const pseudonyms = new Map<string, number>()
  let [sent, failed] = [0, 0]

  // Says whether an answer is to be requested again, when it has waited until then.
  const createPatience = (whole: WholeExchange) => {
    const waiting = time.waitingFor(whole)
    let pauseMs = Math.max(FIRST_PAUSE_MS, 1000 / (options.rate ?? Infinity))
    return async (
      status: number,
      body: Buffer | undefined,
      findings: readonly Finding[],
    ): Promise<boolean> => {
      if (waiting === undefined || !time.mayRepeat(whole, status)) return false
      const leftMs = waiting.until - performance.now()
      if (leftMs <= 0 || (findings.length === 0 && waiting.shows(body))) return false
      await sleep(Math.min(pauseMs, leftMs))
      pauseMs = Math.min(pauseMs * 2, Math.max(MAX_PAUSE_MS, pauseMs))
      return true
    }
  }
  const send = async ({ number, whole }: Numbered): Promise<void> => {
    const request = withHeaders(values.request(whole), whole.exchange, options.headers)
    for (const place of pseudonymsIn(request)) addTo(pseudonyms, place)
    const { method } = request
    const recorded = sampleOf(whole.exchange, number - 1)
    const expected = COMPARED.has(method) ? baseline(recorded) : undefined
    const isWaiting = createPatience(whole)
    try {
      for (;;) {
        const received = await client.send(request)
        const { exchange, body } = await liveExchange(whole, request, received)
        const findings = compare(whole.exchange, redactor.exchange(exchange), number, expected).filter(counts)
        if (await isWaiting(received.status, body, findings)) continue
        values.answer(whole, { headers: exchange.response.headers, body })
        time.note(whole, received.status === whole.exchange.response.status)
        log.add(routeName(recorded, expected), { ...recorded, status: received.status }, findings)
        break
      }
    } catch (error) {
      failed++
      const reason = error instanceof Error ? error.message || error.name : String(error)
      const path = whole.exchange.request.url.replace(/^https?:\/\/[^/?#]*/i, '')
      if (failures.length < MAX_FAILURES)
        failures.push({ number, request: `${request.method} ${path}`, reason })
    }
    sent++
    options.onProgress?.(sent)
  }
  try {
    const leave = (reason: string): void => addTo(left, reason)
    await schedule(
      wholeExchanges(directory, options.select, leave),
      options,
      (each) => values.ties(each),
      send,
    )
  } finally {
    client.close()
  }
  return {
    drift: log.report(),
    sent,
    failures,
    failed,
    left: Object.fromEntries(left),
    pseudonyms: Object.fromEntries(pseudonyms),
  }
}

/** The exchanges of a recording that can be sent, each with its bodies. @param leave hears why one cannot be */
export async function* wholeExchanges(
  directory: string,
  select: Select,
  leave: (reason: string) => void,
): AsyncGenerator<Numbered> {
  let number = 0
  for await (const exchange of readExchanges(directory)) {
    number++
    if (!select(exchange)) continue
    const { request, response } = exchange
    if (response.status === 101) leave('a WebSocket, or another protocol')
    else if (request.postData?._omitted !== undefined) leave('its body was not recorded')
    else {
      const requestBody = request.postData && (await readBody(directory, request.postData))
      const { content } = response
      const isLong = content._file !== undefined && content.size > MAX_BODY
      const responseBody = isLong ? undefined : await readBody(directory, content)
      yield { number, whole: { exchange, requestBody, responseBody } }
    }
  }
}

function withHeaders(
  { method, url, headers, body }: CarriedRequest,
  { request }: Exchange,
  own: readonly NameValue[],
): SentRequest {
  const names = new Set(own.map(({ name }) => name.toLowerCase()))
  // The recorded host is the recorded server's, and what was taken off a body is not put on again.
  names.add('host')
  if (request.postData?._decoded !== undefined) names.add('content-encoding')
  const kept = headers.filter(({ name }) => !names.has(name.toLowerCase()))
  return { method, url, headers: [...kept, ...own.filter(({ value }) => value !== '')], body }
}

const PSEUDONYM = /redacted-[0-9a-f]{8,16}|\[redacted\]/

/** Where a request has pseudonyms in place of secrets. */
export function pseudonymsIn({ url, headers, body }: SentRequest): readonly string[] {
  const found = headers.filter(({ value }) => PSEUDONYM.test(value)).map(({ name }) => name.toLowerCase())
  if (PSEUDONYM.test(decodeURI(url.replaceAll('%', '%25')))) found.push('url')
  if (body !== undefined && body.length <= MAX_BODY && PSEUDONYM.test(body.toString('latin1')))
    found.push('body')
  return [...new Set(found)]
}

async function liveExchange(
  { exchange: { request: recorded, startedDateTime } }: WholeExchange,
  request: SentRequest,
  received: Awaited<ReturnType<ReturnType<typeof createHttpClient>['send']>>,
): Promise<{ readonly exchange: Exchange; readonly body: Buffer | undefined }> {
  const hasBody = mayHaveBody(request.method, received.status)
  const isLong = received.body.length > MAX_BODY
  const taken = { wireSize: received.body.length, ...(!isLong && { bytes: received.body }) }
  const capture = hasBody ? await captureBody(taken, received.headers) : undefined
  const exchange = buildExchange({
    startedAt: new Date(startedDateTime),
    timings: { send: 0, wait: 0, receive: 0 },
    request: {
      method: request.method,
      url: recorded.url,
      httpVersion: '1.1',
      headers: request.headers.map(({ name, value }) => [name, value]),
    },
    response: received,
    responseBody: capture,
  })
  return { exchange, body: capture !== undefined && 'bytes' in capture ? capture.bytes : undefined }
}

function compare(
  recorded: Exchange,
  live: Exchange,
  number: number,
  expected: ReturnType<Baseline>,
): readonly Finding[] {
  const [was, is] = [recorded.response.status, live.response.status]
  // Whether a client's copy is still fresh is a matter of caches, whose times are others now.
  if (was === 304 || is === 304) return []
  if (was !== is) return [finding('status changed', '', String(was), String(is), 'status')]
  if (expected === undefined) return []
  const found = compareSample(sampleOf(live, number - 1), expected)
  return found.filter(({ part }) => part === 'body' || part === 'header')
}
