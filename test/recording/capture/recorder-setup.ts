import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import type { Tap } from '../../../src/recording/capture/tap.ts'
import {
  createRecorder,
  type Recorder,
  type RecorderOptions,
} from '../../../src/recording/capture/recorder.ts'
import type { Exchange } from '../../../src/recording/exchange.ts'
import { readExchanges } from '../../../src/recording/files/recording-files.ts'
import { loadPseudonymKey } from '../../../src/recording/redaction/pseudonym-key.ts'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import type { ExchangeHead, HeaderPairs, ResponseHead } from '../../../src/recording/files/har.ts'
import { collect, temporaryDirectory } from '../samples.ts'

export const JSON_TYPE: HeaderPairs = [['content-type', 'application/json']]
export const PNG: HeaderPairs = [['content-type', 'image/png']]

export interface Setup {
  readonly recorder: Recorder
  readonly directory: string
  readonly onError: ReturnType<typeof vi.fn<(error: Error) => void>>
}

export async function setUp(options: Partial<RecorderOptions> = {}): Promise<Setup> {
  const directory = join(await temporaryDirectory(), 'recording')
  const onError = vi.fn<(error: Error) => void>()
  const redactor = createRedactor({}, await loadPseudonymKey())
  const recorder = await createRecorder({ directory, redactor, onError, ...options })
  onTestFinished(() => recorder.close())
  return { recorder, directory, onError }
}

export function requestHead(head: Partial<ExchangeHead> = {}): ExchangeHead {
  return { method: 'POST', url: 'https://api.example.com/', httpVersion: 'HTTP/1.1', headers: [], ...head }
}

export function responseHead(head: Partial<ResponseHead> = {}): ResponseHead {
  return { status: 200, statusText: 'OK', httpVersion: 'HTTP/1.1', headers: [], ...head }
}

export interface Parts {
  readonly request?: Partial<ExchangeHead>
  readonly requestBody?: string | Buffer
  readonly response?: Partial<ResponseHead>
  readonly responseBody?: string | Buffer
  readonly trailers?: HeaderPairs
}

export function play(recorder: Recorder, parts: Parts): Tap {
  const tap = recorder.begin(requestHead(parts.request))
  tap.requestBody.end(parts.requestBody)
  tap.response(responseHead(parts.response)).stream().end(parts.responseBody)
  tap.complete(parts.trailers)
  return tap
}

export async function recorded({ recorder, directory }: Setup, parts: Parts): Promise<Exchange> {
  play(recorder, parts)
  await recorder.flush()
  const exchanges = await collect(readExchanges(directory))
  return exchanges.at(-1) as Exchange
}
