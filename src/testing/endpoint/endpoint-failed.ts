import { SimError } from '../../errors.ts'
import type { Mismatch } from './mismatch.ts'
import { curlOf, fetchOf } from './snippets.ts'

const MOST_CHARACTERS = 2048

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
  const more = text.length - MOST_CHARACTERS
  return more > 0 ? `${text.slice(0, MOST_CHARACTERS)}… (${more} more characters)` : text
}
