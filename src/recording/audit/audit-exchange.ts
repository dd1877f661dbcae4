import { createRequire } from 'node:module'
import { lazy } from '../../engine/lazy.ts'
import type { Exchange } from '../exchange.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { leavesOf, pointerOf, type Leaf } from './leaves.ts'
import { scan } from './scan.ts'

/** A secret in an exchange. The secret itself is never part of it. */
export interface ExchangeFinding {
  /** JSON pointer (RFC 6901) in the exchange; after `#` one in the JSON that a text is, or a line of a text. */
  readonly pointer: string
  /** The rule that found it. */
  readonly kind: string
}

const jsonc = lazy(() => createRequire(import.meta.url)('jsonc-parser') as typeof import('jsonc-parser'))

/** Finds what the redactor would hide, and what the rules of secretlint fit. */
export async function auditExchange(exchange: Exchange, redactor: Redactor): Promise<ExchangeFinding[]> {
  const findings = [...findRedacted(exchange, redactor.exchange(exchange), '')]
  const leaves = [...leavesOf(exchange)]
  const starts: number[] = []
  let length = 0
  for (const { text } of leaves) {
    starts.push(length)
    length += text.length + 1
  }
  for (const { kind, start } of await scan(leaves.map(({ text }) => text).join('\n'))) {
    const index = starts.findLastIndex((each) => each <= start)
    const { pointer, text, start: head } = leaves[index] as Leaf
    const inner = placeIn(text.slice(head), Math.max(0, start - (starts[index] ?? 0) - head))
    findings.push({ pointer: `${pointer}${pointer.includes('#') ? '' : inner}`, kind })
  }
  const unique = new Map(findings.map((each) => [`${each.pointer} ${each.kind}`, each]))
  return [...unique.values()]
}

// In JSON, the member that a place belongs to; in a text of several lines, the line.
function placeIn(text: string, offset: number): string {
  if (/^\s*[{[]/.test(text)) {
    const { path } = jsonc().getLocation(text, offset)
    if (path.length > 0) return `#${path.map((step) => pointerOf(step)).join('')}`
  }
  return text.includes('\n') ? `#line ${text.slice(0, offset).split('\n').length}` : ''
}

/** Where what is redacted differs from what it was made of. */
function* findRedacted(before: unknown, after: unknown, pointer: string): Generator<ExchangeFinding> {
  if (before === after) return
  if (typeof before === 'string' && typeof after === 'string') {
    yield* findInText(before, after, pointer)
    return
  }
  if (!isTree(before) || !isTree(after)) {
    yield { pointer, kind: before === undefined ? UNCHECKED : NAMED }
    return
  }
  for (const [name, value] of Object.entries(before)) {
    const other = after[name]
    // Where the text is gone, the reason stands beside it.
    if (name === 'text' && other === undefined) yield { pointer: pointer + pointerOf(name), kind: UNCHECKED }
    else yield* findRedacted(value, other, pointer + pointerOf(name))
  }
}

const NAMED = 'sim/redacted'
const UNCHECKED = 'sim/unchecked'

function* findInText(before: string, after: string, pointer: string): Generator<ExchangeFinding> {
  const [tree, other] = [parse(before), parse(after)]
  if (isTree(tree) && isTree(other)) {
    for (const { pointer: inner, kind } of findRedacted(tree, other, ''))
      yield { pointer: pointer.includes('#') ? `${pointer}${inner}` : `${pointer}#${inner}`, kind }
    return
  }
  const start = firstDifference(before, after)
  yield {
    pointer: pointer.includes('#') ? pointer : `${pointer}${placeIn(before, start)}`,
    kind: NAMED,
  }
}

function firstDifference(one: string, other: string): number {
  let at = 0
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}

function parse(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
