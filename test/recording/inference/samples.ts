import { type Folded, foldPaths } from '../../../src/recording/inference/fold-paths.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import { findMentions } from '../../../src/recording/inference/values.ts'

/** A sample of a request such as `GET /users/7?page=2`, answered with JSON. */
export function sample(
  index: number,
  request: string,
  answer: { readonly status?: number; readonly response?: unknown; readonly body?: unknown } = {},
  headers: Readonly<Record<string, string>> = {},
): Sample {
  const [method = '', target = ''] = request.split(' ')
  const url = new URL(target, 'http://api.example.com')
  return {
    index,
    method,
    origin: url.origin,
    segments: url.pathname.split('/').slice(1).map(decodeURIComponent),
    query: Object.fromEntries(url.searchParams),
    headers,
    status: answer.status ?? 200,
    responseHeaders: {},
    mimeType: 'application/json',
    ...(answer.body !== undefined && { body: answer.body }),
    ...(answer.response !== undefined && { response: answer.response }),
  }
}

/** A request, and how it was answered. */
export type Entry = string | readonly [string, Parameters<typeof sample>[2]]

/** Samples of several requests, in order. */
export function samplesOf(...entries: readonly Entry[]): Sample[] {
  return entries.map((entry, index) =>
    typeof entry === 'string' ? sample(index, entry) : sample(index, entry[0], entry[1]),
  )
}

/** The first path that samples fold to. */
export function foldedOf(samples: readonly Sample[]): Folded {
  const [folded] = foldPaths(samples, findMentions(samples))
  if (folded === undefined) throw new Error('There is no path')
  return folded
}
