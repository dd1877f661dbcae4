import type { BodyValue } from '../files/body-value.ts'
import { pointerBelow } from './pointer-glob.ts'

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
