import { wordsIn } from '../../../engine/schema/name-words.ts'

const SUFFIXES = /^(id|uuid|guid|gid|sid|ref|key|slug|code|number|login|username|name)$/

/** The words of a field's name: what it names, and by what. */
export function wordsOf(name: string): {
  readonly noun: readonly string[]
  readonly suffix: string | undefined
} {
  const words = wordsIn(name).filter((word) => word !== '')
  const last = words.at(-1) ?? ''
  const one = singular(last)
  if (words.length > 1 && SUFFIXES.test(one)) return { noun: words.slice(0, -1), suffix: one }
  return { noun: [...words.slice(0, -1), one], suffix: undefined }
}

/**
 * The ways to read a field's name: what `systemSymbol` names is a system, where those are known by their symbols, and
 * what `taskid` names a task.
 */
export function readingsOf(name: string): readonly ReturnType<typeof wordsOf>[] {
  const words = wordsOf(name)
  const { noun, suffix } = words
  const [, stem, id] = noun.length === 1 ? (/^(\w{2,})(uuid|guid|id)$/.exec(noun[0] ?? '') ?? []) : []
  if (stem !== undefined && suffix === undefined) return [words, { noun: [stem], suffix: id }]
  return suffix !== undefined || noun.length < 2
    ? [words]
    : [words, { noun: noun.slice(0, -1), suffix: noun.at(-1) }]
}

/** Whether a name is that of an id, such as `user_id`. */
export function isIdName(name: string): boolean {
  const { noun, suffix } = wordsOf(name)
  return IDS.has(suffix ?? noun.at(-1) ?? '')
}

/** The suffixes that may stand for any id. */
export const IDS: ReadonlySet<string> = new Set(['id', 'uuid', 'guid', 'gid', 'sid', 'ref'])

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

/** What a number says by itself: how much there is of something, and where it stands among others. */
const NUMBERS = new Set([
  ...[
    'order',
    'position',
    'index',
    'rank',
    'priority',
    'level',
    'version',
    'revision',
    'page',
    'step',
    'stage',
  ],
  ...['status', 'state', 'code', 'port', 'line', 'unit', 'rating', 'score', 'grade', 'point', 'vote', 'like'],
  ...['price', 'amount', 'cost', 'fee', 'tax', 'total', 'balance', 'credit', 'discount', 'count', 'quantity'],
  ...[
    'year',
    'month',
    'week',
    'day',
    'hour',
    'minute',
    'second',
    'time',
    'date',
    'duration',
    'interval',
    'age',
  ],
  ...[
    'size',
    'length',
    'width',
    'height',
    'weight',
    'volume',
    'limit',
    'offset',
    'value',
    'number',
    'percentage',
  ],
])

/** Whether a field says where in another thing something is, or how much of it there is, such as `orderInPage`. */
export function saysWhere(path: readonly string[]): boolean {
  const words = wordsIn(path.findLast((name) => name !== '*') ?? '')
  return words.some((word, at) => /^(in|on|of|per)$/.test(word) && NUMBERS.has(words[at - 1] ?? ''))
}

/** What people read, whatever else is called so. */
const TEXTS = new Set([
  ...[
    'message',
    'text',
    'description',
    'comment',
    'note',
    'summary',
    'body',
    'content',
    'subject',
    'caption',
  ],
  ...['reason', 'detail', 'explanation', 'title', 'headline'],
])

/** Whether a text is one that people read, such as the `message` of an error, rather than the name of an item. */
export function isRead(path: readonly string[]): boolean {
  return TEXTS.has(singular(wordsIn(path.findLast((name) => name !== '*') ?? '').at(-1) ?? ''))
}

/** Whether a whole number may name an item by what it is called: `owner`, and not `comments`, which counts them. */
export function namesOne(path: readonly string[]): boolean {
  const isListed = path.at(-1) === '*'
  const words = wordsIn(path.findLast((name) => name !== '*') ?? '').filter((word) => word !== '')
  const last = words.at(-1) ?? ''
  const one = singular(last)
  return (isListed || one === last) && !NUMBERS.has(one)
}
