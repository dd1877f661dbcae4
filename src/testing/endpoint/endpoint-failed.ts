import { SimError } from '../../errors.ts'
import type { SentRequest } from './request.ts'

const MAX_CHARACTERS = 2048

/** How to see a failure again. */
export interface Replay {
  readonly seed: number
  readonly path: string
  readonly appSeed?: number | string | undefined
}

/** An endpoint answered a valid request wrongly. The message says how, and how to send the smallest such request. */
export class EndpointFailed extends SimError {
  override readonly name = 'EndpointFailed'
  readonly code = 'SIM_ENDPOINT_FAILED'
  readonly statusCode = 500

  constructor(endpoint: string, mismatch: Mismatch, replay: Replay) {
    super(messageOf(endpoint, mismatch, replay), { cause: mismatch.cause })
  }
}

function messageOf(endpoint: string, { message, input, requests, answer }: Mismatch, replay: Replay): string {
  const app = replay.appSeed === undefined ? '' : `; the app's seed is ${JSON.stringify(replay.appSeed)}`
  const response = answer === undefined ? 'none' : `${answer.status} ${answer.statusText}`.trimEnd()
  return [
    `${endpoint}: ${message}`,
    '',
    `Input: ${cut(JSON.stringify(input) ?? 'none')}`,
    `Response: ${response}`,
    ...(answer === undefined || answer.text === '' ? [] : [cut(answer.text)]),
    `Replay: { seed: ${replay.seed}, replayPath: '${replay.path}' }${app}`,
    '',
    'Reproduce with curl:',
    ...requests.map(curlOf),
    '',
    'Or JavaScript:',
    ...requests.map(fetchOf),
  ].join('\n')
}

function cut(text: string): string {
  const more = text.length - MAX_CHARACTERS
  return more > 0 ? `${text.slice(0, MAX_CHARACTERS)}… (${more} more characters)` : text
}

/** An answer as a failure's message shows it. */
export interface Shown {
  readonly status: number
  readonly statusText: string
  readonly text: string
}

/** One request whose answer is not what it should be. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch'
  readonly input: unknown
  /** The requests that lead to it, in order; the last is the failing one. */
  readonly requests: readonly SentRequest[]
  /** `undefined` where no answer came. */
  readonly answer: Shown | undefined

  constructor(
    what: string,
    { input, requests, answer }: Pick<Mismatch, 'input' | 'requests' | 'answer'>,
    cause?: unknown,
  ) {
    super(what, { cause })
    this.input = input
    this.requests = requests
    this.answer = answer
  }
}

/** A shell command that sends a request; it can be copied into any POSIX shell. */
export function curlOf({ method, url, headers, body }: SentRequest): string {
  const parts = [
    `curl -i${/[[\]{}]/.test(url) ? ' --globoff' : ''}${method === 'GET' ? '' : ` -X ${method}`} ${inShell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${inShell(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

/** A JavaScript expression that sends a request. */
export function fetchOf({ method, url, headers, body }: SentRequest): string {
  const members = [
    ...(method === 'GET' ? [] : [`method: ${inScript(method)}`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: { ${membersOf(headers)} }`]),
    ...(body === undefined ? [] : [`body: ${inScript(body)}`]),
  ]
  if (members.length === 0) return `await fetch(${inScript(url)})`
  return `await fetch(${inScript(url)}, {\n${members.map((member) => `  ${member},\n`).join('')}})`
}

function membersOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${inScript(name)}: ${inScript(value)}`)
    .join(', ')
}

// Nothing is special between single quotes but the quote itself (POSIX, Shell Command Language, 2.2.2).
function inShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function inScript(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`
}
