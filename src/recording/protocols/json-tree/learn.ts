import { isDeepStrictEqual } from 'node:util'
import type { CallModel, CallOutcome } from '../../../engine/call-model.ts'
import { decodeSegment, literalPattern } from '../../../routing/path-template.ts'
import { mapTexts } from '../protocol.ts'
import type { SeenCall } from '../../calls/call.ts'
import type { Effect } from './effects.ts'
import { keysBelow } from './find-roots.ts'
import { type Effects, effectsOf, isShown, keyIn, play, type Step } from './play.ts'
import { findIn, knownIn } from './tree.ts'

/** The only type of such a model, and its only object. */
export const TREE = 'tree'

/** What is answered to changes. */
export interface Answer {
  readonly status: number
  readonly shows: 'nothing' | 'sent' | 'after' | 'key' | 'constant'
  readonly constant?: unknown
  /** A key that the server made up. */
  readonly key?: string
}

/** What a recording shows of a tree, apart from what is in it. */
export interface Learned {
  readonly root: string
  readonly effects: Effects
  /** By methods. */
  readonly answers: Readonly<Record<string, Answer>>
  /** What is answered where something is in the way, by methods and obstacles. */
  readonly obstacles: Readonly<Record<string, CallOutcome>>
}

/** What a tree was in the beginning, and how its server answers. */
export function learn(calls: readonly SeenCall[], root = ''): Pick<CallModel, 'types' | 'learned'> {
  const steps = calls.flatMap((each) => stepOf(each, root) ?? [])
  const effects = effectsOf(steps)
  const answers = new Map<string, Answer>()
  const obstacles = new Map<string, CallOutcome>()
  const { initial } = play(steps, effects, (step, { obstacle, after }) => {
    const { method, status, keys } = step
    const effect = effects[method]
    const kind = `${method} ${obstacle ?? ''}`
    const isSaid =
      obstacle !== undefined && !(method === 'GET' ? isShown(step) : obstacle === 'orphan' && status < 300)
    if (isSaid && !obstacles.has(kind)) obstacles.set(kind, templateOf(step))
    if (obstacle === undefined && effect !== undefined && status < 300 && !answers.has(method))
      answers.set(method, answerOf(step, effect, findIn(after, keys).value))
  })
  const learned: Learned = {
    ...{ root, effects },
    answers: Object.fromEntries(answers),
    obstacles: Object.fromEntries(obstacles),
  }
  return {
    types: {
      [TREE]: {
        ...{ id: 'id', links: {}, defaults: {} },
        items: [{ id: TREE, value: knownIn(initial) ?? {} }],
      },
    },
    learned: { ...learned },
  }
}

function stepOf({ call, outcome }: SeenCall, root: string): Step | undefined {
  const { method, path, query, sent } = call.args
  const keys = keysBelow(root, String(path))
  if (keys === undefined || Object.keys(query as object).length > 0) return undefined
  const { value, error, status = 200, headers = {} } = outcome
  return { method: String(method), path: String(path), keys, sent, status, answered: error ?? value, headers }
}

function answerOf(step: Step, effect: Effect, after: unknown): Answer {
  const { status, answered, sent } = step
  const key = effect === 'push' ? keyIn(answered) : undefined
  if (answered === undefined) return { status, shows: 'nothing' }
  if (key !== undefined) return { status, shows: 'key', key, constant: answered }
  if (isDeepStrictEqual(answered, sent)) return { status, shows: 'sent' }
  if (isDeepStrictEqual(answered, after)) return { status, shows: 'after' }
  return { status, shows: 'constant', constant: answered }
}

// What it repeats of the path is that of another request.
function templateOf({ path, keys, status, answered, headers }: Step): CallOutcome {
  const [name = ''] = keys.slice(-1)
  const plain = decodeSegment(path)
  const template = mapTexts(answered, (text) => {
    const whole = text.replaceAll(plain, '{path}').replaceAll(plain.slice(1), '{rest}')
    return name.length < MIN_NAME ? whole : whole.replaceAll(wordOf(name), '{name}')
  })
  const type = headers['content-type']
  const isSame = status < 400
  return {
    ...(template !== undefined && (isSame ? { value: template } : { error: template })),
    status,
    ...(type !== undefined && { headers: { 'content-type': type } }),
  }
}

/** An outcome with what its template repeats of the path. */
export function filled(outcome: CallOutcome, path: string, keys: readonly string[]): CallOutcome {
  const plain = decodeSegment(path)
  const texts: Readonly<Record<string, string>> = {
    ...{ path: plain, rest: plain.slice(1), name: keys.at(-1) ?? '' },
  }
  const fill = (value: unknown): unknown =>
    mapTexts(value, (text) => text.replaceAll(/\{(path|rest|name)\}/g, (_all, of: string) => texts[of] ?? ''))
  const { value, error } = outcome
  return {
    ...outcome,
    ...(value !== undefined && { value: fill(value) }),
    ...(error !== undefined && { error: fill(error) }),
  }
}

/** Shorter names are within words by chance. */
const MIN_NAME = 3

function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w{])${literalPattern(name)}(?![\\w}])`, 'g')
}
