import { jsonOf } from '../../data-files/limits.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { madeKind } from '../../shape/made-values.ts'

/** An id by which a server says what it answers, and that the client draws anew on each connection. */
export type DrawnId = string | number

/** The names and indexes that lead to a part of a JSON value. */
export type Path = readonly string[]

const MAX_DEPTH = 3
/** Smaller numbers may be anything. */
const MIN_DRAWN = 100_000_000

/**
 * The ids that a JSON message may have, by their paths; none of other messages. That of a call, whatever it is, and that of
 * an answer to one, are among them (JSON-RPC 2.0; the protocol of Chrome's developer tools).
 */
export function drawnIn(text: string, isFromClient: boolean): ReadonlyMap<Path, DrawnId> {
  const found = new Map<Path, DrawnId>()
  const message = readJson(text)
  const walk = (value: unknown, path: Path): void => {
    if (value !== null && typeof value === 'object') {
      if (path.length < MAX_DEPTH)
        for (const [name, part] of Object.entries(value)) walk(part, [...path, name])
    } else if (isDrawnId(value) || (path[0] === 'id' && path.length === 1 && isOfCall(message, isFromClient)))
      found.set(path, value as DrawnId)
  }
  walk(message, [])
  return found
}

function isOfCall(message: unknown, isFromClient: boolean): boolean {
  if (!isObject(message) || !(typeof message['id'] === 'number' || typeof message['id'] === 'string'))
    return false
  return isFromClient ? typeof message['method'] === 'string' : 'result' in message || 'error' in message
}

/** Whether an id is nothing else, wherever it is. */
export function isDrawnId(value: unknown): value is DrawnId {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= MIN_DRAWN
  return typeof value === 'string' && (madeKind(value) !== undefined || /\d{8}/.test(value))
}

/**
 * A message without the ids at some paths, and these ids; `undefined` where it has none there.
 * @param paths none for a message as it is
 */
export function withoutIds(
  text: string,
  paths: readonly Path[],
): { readonly text: string; readonly ids: readonly DrawnId[] } | undefined {
  if (paths.length === 0) return { text, ids: [] }
  const value = readJson(text)
  const ids = paths.map((path) => takeOut(value, path))
  return ids.every((id) => typeof id === 'string' || typeof id === 'number')
    ? { text: JSON.stringify(value), ids }
    : undefined
}

function takeOut(value: unknown, path: Path): unknown {
  const [name, ...below] = path
  if (name === undefined || value === null || typeof value !== 'object' || !Object.hasOwn(value, name))
    return undefined
  const holder = value as Record<string, unknown>
  if (below.length > 0) return takeOut(holder[name], below)
  const id = holder[name]
  holder[name] = typeof id
  return id
}

const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"?|(?<![\w.])\d{9,}(?![\w.])/g

/** Ids in place of others, both as they stand in JSON. */
export interface OtherIds {
  /** Those that are nothing else, wherever they are. */
  readonly anywhere: Map<string, string>
  /** Those of calls, where an answer to one has its id. */
  readonly ofCalls: Map<string, string>
}

/** A message with other ids in place of its own. */
export function withIds(text: string, { anywhere, ofCalls }: OtherIds): string {
  const changed =
    anywhere.size === 0 ? text : text.replaceAll(TEXT_OR_NUMBER, (each) => anywhere.get(each) ?? each)
  const message = ofCalls.size === 0 ? undefined : readJson(changed)
  if (!isObject(message) || !isOfCall(message, false)) return changed
  const id = ofCalls.get(JSON.stringify(message['id']))
  return id === undefined ? changed : JSON.stringify({ ...message, id: jsonOf(id) })
}

function readJson(text: string): unknown {
  return /^\s*[{[]/.test(text) ? jsonOf(text) : undefined
}
