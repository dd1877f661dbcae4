import { isDeepStrictEqual } from 'node:util'
import { decodeSegment } from '../../../routing/path-template.ts'
import { isJson, pathOf, type Sample } from '../../inference/sample.ts'
import { effectsOf, play, type Step } from './play.ts'
import { findIn } from './tree.ts'

/** So many reads must be as other paths had shown, and of as many this share may be another. */
const MIN_RIGHT = 3
const MAX_WRONG = 0.1
/** More would show little more. */
const MAX_STEPS = 500
const MAX_ROOTS = 30

/**
 * The path below which a recording shows a tree: where the value at a path is what its parent has by the last segment.
 * The one that explains most; none where reads contradict it.
 */
export function findRoots(samples: readonly Sample[]): readonly string[] {
  const usable = samples.filter((each) => isJson(each) && Object.keys(each.query).length === 0)
  const nested = nestedPaths(usable)
  if (nested.length === 0) return []
  const roots = new Set(nested.flatMap((path) => prefixesOf(path)))
  const found = [...roots].slice(0, MAX_ROOTS).map((root) => {
    const steps = stepsBelow(root, usable.map(stepOf)).slice(0, MAX_STEPS)
    return { root, ...play(steps, effectsOf(steps)) }
  })
  const [best] = found
    .filter(({ right, wrong }) => right >= MIN_RIGHT && wrong <= right * MAX_WRONG)
    .toSorted(
      (a, b) => b.right - b.wrong - (a.right - a.wrong) || b.known - a.known || b.root.length - a.root.length,
    )
  return best === undefined ? [] : [best.root]
}

/** The requests below a root, with the keys that their paths are there. */
export function stepsBelow(root: string, steps: readonly Omit<Step, 'keys'>[]): readonly Step[] {
  return steps.flatMap((step) => {
    const keys = keysBelow(root, step.path)
    return keys === undefined ? [] : [{ ...step, keys }]
  })
}

/** The keys that a path stands for below a root; `undefined` where it is not below it. */
export function keysBelow(root: string, path: string): readonly string[] | undefined {
  const plain = path.replace(/(?<!\/)\/+$/, '')
  if (plain !== root && !plain.startsWith(`${root}/`)) return undefined
  return plain
    .slice(root.length)
    .replace(SUFFIX, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decodeSegment)
}

/** What ends the paths of some trees, whatever they lead to. */
const SUFFIX = /\/?\.json$/

function stepOf(sample: Sample): Omit<Step, 'keys'> {
  const { method, status, response, body, responseHeaders } = sample
  return { method, path: pathOf(sample), sent: body, status, answered: response, headers: responseHeaders }
}

// Paths of which the parent had shown the same by their last segment, or that showed what the parent then did.
function nestedPaths(samples: readonly Sample[]): readonly string[] {
  const last = new Map<string, unknown>()
  const nested = new Set<string>()
  for (const sample of samples) {
    if (sample.status >= 300 || sample.method === 'DELETE') continue
    const path = pathOf(sample).replace(SUFFIX, '')
    const value = sample.method === 'GET' ? sample.response : sample.body
    if (value === undefined || value === null) continue
    const [, parent = '', key = ''] = /^(.*)\/([^/]+)$/.exec(path) ?? []
    const { value: own } = findIn(last.get(parent), [decodeSegment(key)])
    if (own !== undefined && isDeepStrictEqual(own, value)) nested.add(path)
    last.set(path, value)
  }
  return [...nested]
}

function prefixesOf(path: string): readonly string[] {
  const parts = path.split('/').slice(1, -1)
  return parts.map((_part, at) => `/${parts.slice(0, at + 1).join('/')}`).concat('')
}
