import type { CallModel, CallOutcome } from '../../../engine/call-model.ts'
import { contentKindOf } from '../../../media-type.ts'
import type { Call, CallForm } from '../../calls/call.ts'
import type { Objects } from '../../calls/objects.ts'
import { freshLike, type Fresh } from '../../match/nearest-answer.ts'
import type { Protocol } from '../protocol.ts'
import { SEEN_TOGETHER, TREE_FORM } from '../tree-form.ts'
import { apply, type Obstacle, obstacleIn } from './effects.ts'
import { findRoots, keysBelow } from './find-roots.ts'
import { type Answer, filled, learn, type Learned, TREE } from './learn.ts'
import { findIn } from './tree.ts'

const calls: CallForm = {
  ...TREE_FORM,
  roots: findRoots,
  read({ method = 'GET', path, query, headers, body }) {
    if (path === undefined) return undefined
    const type = String(headers['content-type'] ?? '')
    const isValue = body !== undefined && (type === '' || contentKindOf(type) === 'json')
    return [{ name: method, args: { method, path, query, ...(isValue && { sent: body }) } }]
  },
  semantics: { learn, perform },
}

/** One JSON value, parts of which are read and changed at paths that are as pointers into it, such as a configuration. */
export const jsonTree: Protocol = {
  name: 'JSON tree',
  ...SEEN_TOGETHER,
  calls,
}

function perform(
  model: Pick<CallModel, 'learned'>,
  all: ReadonlyMap<string, Objects>,
  { args }: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const { root, effects, answers, obstacles } = model.learned as unknown as Learned
  const { method, path, query, sent } = args as {
    readonly method: string
    readonly path: string
    readonly query: object
    readonly sent?: unknown
  }
  const objects = all.get(TREE)
  const keys = keysBelow(root, path)
  if (objects === undefined || keys === undefined || Object.keys(query).length > 0) return undefined
  const tree = objects.items.get(TREE)?.['value']
  const isRead = method === 'GET' || method === 'HEAD'
  const effect = isRead ? 'read' : effects[method]
  if (effect === undefined || (effect !== 'read' && effect !== 'remove' && sent === undefined))
    return undefined
  const obstacle = obstacleIn(tree, keys, effect)
  const refused = obstacle && refusalOf(obstacles, isRead ? 'GET' : method, obstacle)
  if (refused !== undefined) return filled(refused, path, keys)
  if (effect === 'read') {
    const { is, value } = findIn(tree, keys)
    return is === 'there' ? { value, status: 200 } : undefined
  }
  const answer = answers[method]
  if (answer === undefined || (obstacle !== undefined && obstacle !== 'orphan')) return undefined
  const key = effect === 'push' ? freshLike(answer.key ?? '', fresh) : undefined
  const after = apply(tree, effect, keys, sent, key)
  objects.items.set(TREE, { id: TREE, value: after })
  return { status: answer.status, ...valueOf(answer, { sent, key, after: findIn(after, keys).value }) }
}

// What has no parent is refused as what is not there, where only one of them was recorded.
function refusalOf(
  obstacles: Learned['obstacles'],
  method: string,
  obstacle: Obstacle,
): CallOutcome | undefined {
  const other = obstacle === 'orphan' ? 'missing' : obstacle === 'missing' ? 'orphan' : obstacle
  return obstacles[`${method} ${obstacle}`] ?? obstacles[`${method} ${other}`]
}

function valueOf(
  { shows, constant }: Answer,
  { sent, key, after }: { readonly sent: unknown; readonly key: string | undefined; readonly after: unknown },
): Pick<CallOutcome, 'value'> {
  switch (shows) {
    case 'sent':
      return { value: sent }
    case 'after':
      return { value: after }
    case 'key':
      return { value: Object.fromEntries(Object.keys(constant as object).map((name) => [name, key])) }
    case 'constant':
      return { value: constant }
    default:
      return {}
  }
}
