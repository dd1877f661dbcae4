import { isObject } from '../../engine/schema/schema.ts'
import { decodeSegment } from '../../routing/path-template.ts'
import type { CallForm, SeenPath } from '../calls/call.ts'
import { pathOf, type Sample } from '../inference/sample.ts'
import type { Protocol } from './protocol.ts'

const calls: CallForm = {
  isOfPaths: true,
  roots: findRoot,
  read({ method = 'GET', path = '', query, body }) {
    if (!/^(GET|POST)$/.test(method) || (body !== undefined && body !== '' && !isObject(body)))
      return undefined
    return [
      {
        name: nameOf(path),
        args: { ...query, ...(isObject(body) && body) },
        ...(method === 'GET' && { isChange: false }),
      },
    ]
  },
  outcomes: ({ status, body = '' }) => [status < 400 ? { value: body, status } : { error: body, status }],
  write: ([{ error, value, status = 200, headers = {} } = {}]) => ({ status, headers, body: error ?? value }),
}

/**
 * Calls with a path each that ends in what they do, such as `/torrents/createCategory`, `/documents.list` or
 * `/projects/create`, and with arguments in the query, a form or JSON.
 */
export const verbPaths: Protocol = {
  name: 'Verbs in paths',
  speaks: (sample) => sample.method === 'POST' && isVerb(sample),
  operations: () => () => undefined,
  calls,
}

// What it is about and what it does, such as `projects.create`.
function nameOf(path: string): string {
  const [last = '', before] = path.split('/').map(decodeSegment).toReversed()
  return last.includes('.') || before === undefined || before === '' ? last : `${before}.${last}`
}

const VERBS =
  'add|create|insert|register|new|put|make|save|post|send|upload|copy|delete|remove|destroy|drop|archive|restore|' +
  'edit|update|change|modify|rename|move|set|unset|reset|enable|disable|start|stop|pause|resume|open|close|get|' +
  'list|fetch|read|find|search|query|info|show|count'
const VERB = new RegExp(`^(?:${VERBS})(?=$|[A-Z_-]|\\d)`)
/** So many paths, and this share of those that are posted to. */
const MIN_VERBS = 3
const MIN_SHARE = 0.7

function isVerb({ segments }: Pick<Sample, 'segments'>): boolean {
  const last = segments.at(-1) ?? ''
  return VERB.test(last.slice(last.lastIndexOf('.') + 1))
}

// Whoever has other methods, or items in paths, names most by those.
function findRoot(samples: readonly Sample[], all: readonly SeenPath[]): readonly string[] {
  const [first, ...rest] = samples.map((sample) => pathOf(sample).split('/').slice(1, -1))
  if (first === undefined) return []
  const length = rest.reduce((most, other) => {
    const at = first.findIndex((part, index) => part !== other[index])
    return at === -1 ? most : Math.min(most, at)
  }, first.length)
  const root = ['', ...first.slice(0, length)].join('/')
  const below = all.filter(
    ({ samples: [sample] }) => sample !== undefined && pathOf(sample).startsWith(`${root}/`),
  )
  const own = below.flatMap((folded) => folded.samples)
  const posted = own.filter(({ method }) => method === 'POST')
  const verbs = new Set(posted.filter(isVerb).map(pathOf))
  const isPlain =
    below.every(({ path }) => !path.includes('{')) &&
    own.every(({ method }) => /^(GET|HEAD|OPTIONS|POST)$/.test(method))
  const isMost = verbs.size >= new Set(posted.map(pathOf)).size * MIN_SHARE
  return isPlain && isMost && verbs.size >= MIN_VERBS ? [root] : []
}
