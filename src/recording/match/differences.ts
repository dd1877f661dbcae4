import type { BodyValue } from './body-value.ts'
import type { RequestHead } from './match.ts'
import { pointerBelow } from './ignored.ts'

const MAX_TOLD = 20
const MAX_LETTERS = 80
const BEFORE = 20

/** What differs between a request's body and a recorded one, by JSON pointer where both have values. */
export function bodyDifferences(asked: BodyValue, recorded: BodyValue): string[] {
  if ('value' in asked && 'value' in recorded && asked.kind === recorded.kind) {
    const found = [...valueDifferences(asked.value, recorded.value, '')]
    const left = found.length - MAX_TOLD
    return left > 0 ? [...found.slice(0, MAX_TOLD), `body: ${left} more`] : found
  }
  if (asked.kind === 'text' && recorded.kind === 'text')
    return asked.text === recorded.text ? [] : [`body: ${textDifference(asked.text, recorded.text)}`]
  const [is, was] = [describe(asked), describe(recorded)]
  if (is !== was) return [`body: ${was} instead of ${is}`]
  return 'sha256' in asked && 'sha256' in recorded && asked.sha256 !== recorded.sha256
    ? [`body: other ${asked.bytes} bytes`]
    : []
}

function* valueDifferences(asked: unknown, recorded: unknown, pointer: string): Generator<string> {
  if (isTree(asked) && isTree(recorded) && Array.isArray(asked) === Array.isArray(recorded)) {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(asked)]))
      yield* valueDifferences(ownOf(asked, name), ownOf(recorded, name), pointerBelow(pointer, name))
  } else if (isTree(asked) || isTree(recorded) || asked !== recorded) {
    yield `body ${pointer === '' ? '' : `${pointer}: `}${shown(recorded)} instead of ${shown(asked)}`
  }
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object'
}

function ownOf(tree: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(tree, name) ? tree[name] : undefined
}

function describe(body: BodyValue): string {
  if (body.kind === 'none') return 'nothing'
  if (body.kind === 'omitted') return 'one that was left out'
  if (body.kind === 'bytes') return `${body.bytes} bytes`
  return body.kind === 'text' ? `a text of ${body.text.length} letters` : NAMES[body.kind]
}

const NAMES = { json: 'JSON', form: 'a form', parts: 'a multipart form' }

// Both from a little before the first letter that differs.
function textDifference(asked: string, recorded: string): string {
  let at = 0
  while (asked[at] === recorded[at]) at++
  const [is, was] = [asked, recorded].map((text) => shown(text.slice(Math.max(0, at - BEFORE))))
  return at > BEFORE ? `${was} instead of ${is}, from letter ${at - BEFORE}` : `${was} instead of ${is}`
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text
}

/** What differs between a request and a recorded one, their bodies aside; nothing when they are equal. */
export function headDifferences(asked: RequestHead, recorded: RequestHead): string[] {
  const told: string[] = []
  const tell = (what: string, one: string, other: string): void => {
    if (one !== other) told.push(`${what} ${one} instead of ${other}`)
  }
  tell('method', recorded.method, asked.method)
  if (asked.host !== undefined) tell('host', recorded.host ?? '', asked.host)
  tell('path', recorded.path, asked.path)
  for (const part of ['query', 'header'] as const) {
    const [was, is] = part === 'query' ? [recorded.query, asked.query] : [recorded.headers, asked.headers]
    for (const name of new Set([...is, ...was].map(([each]) => each)))
      tell(`${part} ${name}:`, valuesOf(was, name), valuesOf(is, name))
  }
  return told
}

/** How far a recorded request is from the one asked for; what differs in method or path is farther than anything else. */
export function headDistance(asked: RequestHead, recorded: RequestHead): number {
  const other = headDifferences({ ...asked, method: recorded.method, path: recorded.path }, recorded).length
  return other + (asked.method === recorded.method ? 0 : 2) + pathDistance(asked.path, recorded.path)
}

function pathDistance(asked: string, recorded: string): number {
  if (asked === recorded) return 0
  const [one, other] = [asked.split('/'), recorded.split('/')]
  const longest = Math.max(one.length, other.length)
  let differing = 0
  for (let at = 0; at < longest; at++) if (one[at] !== other[at]) differing++
  return 1 + differing
}

function valuesOf(pairs: RequestHead['query'], name: string): string {
  const values = pairs.filter(([other]) => other === name).map(([, value]) => value)
  return values.length === 0 ? 'nothing' : values.join(', ')
}
