import type { Sample } from '../inference/sample.ts'
import { essenceOf, type ExpectedAnswer, type ExpectedRoute } from './baseline.ts'
import { finding, inRequest, type Finding } from './finding.ts'
import { isPassing } from './passing-headers.ts'
import { below } from './value-text.ts'

/** How an exchange differs from what is known of its route; `undefined` for a route of which nothing is known. */
export function compareSample(sample: Sample, expected: ExpectedRoute | undefined): readonly Finding[] {
  const { method, status, headers } = sample
  if (expected === undefined) return [finding('path not declared', '', 'nothing', method, 'path')]
  // What the client's cache has, or which part of an answer it asked for, is none of the API.
  if (status === 304 || ('range' in headers && (status === 206 || status === 416))) return []
  const answer = expected.answer(status)
  if (answer === undefined)
    return [finding('status not declared', '', expected.statuses.join(', '), String(status), 'status')]
  return [
    ...compareHeaders(sample, answer),
    ...compareBody(sample, answer),
    ...compareInput(sample, expected),
  ]
}

function compareHeaders(
  { responseHeaders }: Sample,
  { headers, known, values }: ExpectedAnswer,
): readonly Finding[] {
  const place = (name: string): string => below('', name)
  const removed = headers
    .filter((name) => !Object.hasOwn(responseHeaders, name))
    .map((name) => finding('header removed', place(name), 'a value', 'nothing', 'header'))
  const added = Object.keys(responseHeaders)
    .filter((name) => known?.has(name) === false && !isPassing(name))
    .map((name) => finding('header added', place(name), 'nothing', 'a value', 'header'))
  const changed = [...(values ?? [])].flatMap(([name, compare]) => {
    const value = responseHeaders[name]
    const [found] = value === undefined ? [] : compare(value)
    if (found === undefined) return []
    return [finding('header changed', place(name), found.expected, found.actual, 'header')]
  })
  return [...removed, ...added, ...changed]
}

function compareBody(
  { method, status, mimeType, response }: Sample,
  { types, compare }: ExpectedAnswer,
): readonly Finding[] {
  if (method === 'HEAD' || status === 204 || status === 205) return []
  const type = essenceOf(mimeType)
  if (types.length > 0 && !types.some((range) => includes(range, type)))
    return [
      finding('content type changed', '/content-type', types.map(named).join(' or '), named(type), 'header'),
    ]
  return (response !== undefined && compare?.(response)) || []
}

// Only what was accepted tells what may be sent.
function compareInput({ status, query, body }: Sample, { input }: ExpectedRoute): readonly Finding[] {
  if (input === undefined || status >= 400) return []
  const asked = (input.query?.(query) ?? []).map((found) => inRequest(found, 'query'))
  const sent = body === undefined ? [] : (input.body?.(body) ?? [])
  return [...asked, ...sent.map((found) => inRequest(found, 'request-body'))]
}

function includes(range: string, type: string): boolean {
  if (range === type || range === '*/*') return true
  if (range === 'application/json') return type.endsWith('+json')
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}

function named(type: string): string {
  return type || 'nothing'
}
