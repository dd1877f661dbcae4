import { isDeepStrictEqual } from 'node:util'
import { apply, type Effect, EFFECTS, type Obstacle, obstacleIn } from './effects.ts'
import { agrees, eachUnknown, findIn, isContainer, setIn, type Tree, UNKNOWN } from './tree.ts'

/** A request for a part of a tree, and its answer. */
export interface Step {
  readonly method: string
  readonly path: string
  readonly keys: readonly string[]
  /** The value that is sent; absent where there is none, or it is not JSON. */
  readonly sent?: unknown
  readonly status: number
  readonly answered: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** What methods do, by their names. */
export type Effects = Readonly<Record<string, Effect>>

/** What a tree has to say of recorded requests. */
export interface Played {
  /** Reads of what other paths had shown or changed, that are as those say. */
  readonly right: number
  readonly wrong: number
  /** Requests for parts of which something was known. */
  readonly known: number
  /** What there was in the beginning, as far as it was shown. */
  readonly initial: Tree
}

/** What is known when a step comes: the tree before it, and what stands in its way. */
export interface Moment {
  readonly before: Tree
  readonly after: Tree
  readonly obstacle: Obstacle | undefined
}

/** Does what requests did to a tree of which nothing is known at first, and compares what was read. */
export function play(
  steps: readonly Step[],
  effects: Effects,
  onStep: (step: Step, moment: Moment) => void = () => undefined,
): Played {
  let [tree, initial]: [Tree, Tree] = [UNKNOWN, UNKNOWN]
  let [right, wrong, known] = [0, 0, 0]
  /** What the same path showed or was given last, which explains itself. */
  const own = new Map<string, unknown>()
  for (const step of steps) {
    const { method, keys, path, answered, sent, status } = step
    const before = tree
    const isRead = method === 'GET'
    const effect = effects[method]
    if (findIn(tree, keys).is !== 'unknown') known++
    const obstacle = obstacleIn(tree, keys, isRead ? 'read' : (effect ?? 'set'))
    const isDone = status < 300 && (effect === 'remove' || sent !== undefined)
    if (isRead && isShown(step)) {
      const { is, value } = findIn(tree, keys)
      const isRight = is === 'there' && agrees(value, answered)
      if (is !== 'unknown' && !isRight) wrong++
      else if (isRight && !(own.has(path) && isDeepStrictEqual(own.get(path), answered))) right++
      eachUnknown(is === 'there' ? value : UNKNOWN, answered, keys, (at, part) => {
        if (is !== 'missing' && is !== 'orphan') initial = setIn(initial, at, part)
      })
      tree = setIn(tree, keys, answered)
      own.set(path, answered)
    } else if (!isRead && effect !== undefined && isDone) {
      tree = apply(tree, effect, keys, sent, effect === 'push' ? keyIn(answered) : undefined)
      own.set(path, sent)
    }
    onStep(step, { before, after: tree, obstacle })
  }
  return { right, wrong, known, initial }
}

/** More requests would hardly say more of what methods do. */
const MAX_STEPS = 2000

/** What methods do, so that what was read is as it says, and what was refused had something in its way. */
export function effectsOf(all: readonly Step[]): Effects {
  const steps = all.slice(0, MAX_STEPS)
  const methods = [...new Set(steps.map(({ method }) => method))].filter((method) => method in EFFECTS)
  let best: Effects = Object.fromEntries(methods.map((method) => [method, EFFECTS[method]?.[0] ?? 'set']))
  for (const method of methods) {
    const ranked = (EFFECTS[method] ?? []).map((effect) => {
      const effects = { ...best, [method]: effect }
      let refusals = 0
      const { right, wrong } = play(steps, effects, (step, { obstacle }) => {
        if (step.method !== method || obstacle === undefined || obstacle === 'orphan') return
        refusals += step.status >= 400 ? 1 : effect === 'remove' ? 0 : -2
      })
      return { effects, score: right - wrong * 2 + refusals }
    })
    best = ranked.reduce((most, each) => (each.score > most.score ? each : most)).effects
  }
  return best
}

/** Whether a read shows a value; some say `null` of what is not there. */
export function isShown({ status, answered }: Step): boolean {
  return status === 200 && answered !== undefined && answered !== null
}

/** The key that an answer says was made up: its only member. */
export function keyIn(answered: unknown): string | undefined {
  const values = isContainer(answered) ? (Object.values(answered) as unknown[]) : []
  const [value] = values
  return values.length === 1 && typeof value === 'string' ? value : undefined
}
