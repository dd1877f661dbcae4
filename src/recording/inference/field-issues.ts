import { remembered } from '../../engine/lazy.ts'
import type { ErrorAnswer } from '../../engine/error-answer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { compareTexts, groupBy, mostFrequent } from '../../grouping.ts'
import { literalPattern } from '../../routing/path-template.ts'
import { correlationFields } from './correlation.ts'
import type { Sample } from './sample.ts'
import { isTaken } from './taken.ts'

/** What is wrong with a field of a refused request, by those that succeeded. */
export interface FieldIssue {
  readonly field: string
  /**
   * As issues of the gateway's own validation are called: it is missing, of another type than ever, or has a text that
   * no other had, or a number below or above all others, while the answer names it; or nothing but it was ever sent with
   * such a name, and the answer says that.
   */
  readonly type:
    'missing' | 'type_error' | 'enum' | 'greater_than_equal' | 'less_than_equal' | 'extra_forbidden'
  readonly value: unknown
  /** The least or the greatest number that is taken, where the answer says one. */
  readonly bound?: number
}

/** What an answer says of such a field, with names in place of the field and its value. */
export interface FieldMessage {
  readonly type: FieldIssue['type']
  readonly text: string
}

/** What may be why a request was refused, by those to the same route that succeeded. */
export function fieldIssues(sample: Sample, samples: readonly Sample[]): readonly FieldIssue[] {
  const own = members(saidBy(sample))
  const answer = textOfAnswer(sample.response)
  const correlations = correlationFields(samples)
  const accepted = acceptedFields(samples)
  const more = [...own.keys()].filter(
    (path) => isTop(path) && !accepted.has(path) && answer.includes(path.slice(1)),
  )
  const extra =
    accepted.size === 0
      ? []
      : more.map((path): FieldIssue => ({
          field: path.slice(1),
          type: 'extra_forbidden',
          value: own.get(path),
        }))
  const known = [...accepted].flatMap(([path, { isAlways, types, values }]): FieldIssue[] => {
    const field = path.slice(path.lastIndexOf('/') + 1)
    if (correlations.has(path.slice(1))) return []
    if (!own.has(path)) return isAlways ? [{ field, type: 'missing', value: undefined }] : []
    const value = own.get(path)
    if (!types.has(jsonTypeOf(value))) return [{ field, type: 'type_error', value }]
    const beyond =
      typeof value === 'number' && answer.includes(field) ? boundOf(value, values, answer) : undefined
    if (beyond !== undefined) return [{ field, value, ...beyond }]
    const isOther = typeof value === 'string' && value !== '' && !values.has(value) && answer.includes(field)
    return isOther ? [{ field, type: 'enum', value }] : []
  })
  return known.length === 0 ? extra : known
}

function isTop(path: string): boolean {
  return path.lastIndexOf('/') === 0
}

// A number that is beyond all that were taken, and what the answer says lies between.
function boundOf(
  value: number,
  taken: ReadonlySet<unknown>,
  answer: string,
): Pick<FieldIssue, 'type' | 'bound'> | undefined {
  const numbers = [...taken].filter((each) => typeof each === 'number')
  if (numbers.length < MIN_TAKEN) return undefined
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  if (value >= least && value <= most) return undefined
  const said = [...answer.matchAll(/(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-])/g)].map(([text]) => Number(text))
  const [bound] = said.filter((each) =>
    value < least ? each > value && each <= least : each < value && each >= most,
  )
  return {
    type: value < least ? 'greater_than_equal' : 'less_than_equal',
    ...(bound !== undefined && { bound }),
  }
}

/** Fewer numbers say nothing of which are taken. */
const MIN_TAKEN = 2

/** Which fields answers say are needed, and which are not, though all requests had them that succeeded. */
export function neededFields(samples: readonly Sample[]): {
  readonly named: ReadonlySet<string>
  readonly spared: ReadonlySet<string>
} {
  const answers = samples.filter(isInvalid).map((sample) => {
    const missing = fieldIssues(sample, samples).flatMap(({ type, field }) =>
      type === 'missing' ? [field] : [],
    )
    const text = textOfAnswer(sample.response)
    const named = missing.filter((field) => text.includes(field))
    return { named, others: named.length === 0 ? [] : missing.filter((field) => !named.includes(field)) }
  })
  const named = new Set(answers.flatMap((each) => each.named))
  // Only a server that names several at once names all.
  const isComplete = answers.some((each) => each.named.length > 1)
  const others = isComplete ? answers.flatMap((each) => each.others) : []
  // What is there already is refused for that, whatever else is not sent.
  const unsent = samples.filter(isTaken).flatMap(({ body }) => absentIn(body, samples))
  return { named, spared: new Set([...others, ...unsent].filter((field) => !named.has(field))) }
}

function absentIn(body: unknown, samples: readonly Sample[]): readonly string[] {
  const sent = samples.flatMap((sample) => (isObject(sample.body) ? Object.keys(sample.body) : []))
  return isObject(body) ? [...new Set(sent)].filter((name) => !Object.hasOwn(body, name)) : []
}

/** Whether a request was refused for what it says. */
export function isInvalid(sample: Sample): boolean {
  return isCalledInvalid(sample) && !isTaken(sample)
}

/** Whether it was, or since what it would make is there. Some servers have another status for it, and say so. */
export function isCalledInvalid({ method, status, body, response }: Sample): boolean {
  if (status === 400 || status === 422) return true
  const mayBe = status > 402 && status < 500 && status !== 404 && status !== 412
  return mayBe && method !== 'GET' && isObject(body) && /validat/i.test(JSON.stringify(response ?? ''))
}

function saidBy({ method, query, body }: Sample): unknown {
  return method === 'GET' ? query : body
}

interface Accepted {
  /** Whether all have it. */
  readonly isAlways: boolean
  readonly types: ReadonlySet<string>
  readonly values: ReadonlySet<unknown>
}

const acceptedFields = remembered<readonly Sample[], ReadonlyMap<string, Accepted>>((samples) => {
  const bodies = samples.filter(({ status }) => status < 400).map((sample) => members(saidBy(sample)))
  const fields = groupBy(
    bodies.flatMap((own) => [...own]),
    ([path]) => path,
  )
  return new Map(
    [...fields].map(([path, all]) => [
      path,
      {
        isAlways: all.length === bodies.length,
        types: new Set(all.map(([, value]) => jsonTypeOf(value))),
        values: new Set(all.map(([, value]) => value)),
      },
    ]),
  )
}, new WeakMap())

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const MAX_DEPTH = 4

function members(value: unknown, at = '', depth = 0): ReadonlyMap<string, unknown> {
  if (!isObject(value) || depth >= MAX_DEPTH) return new Map()
  return new Map(
    Object.entries(value).flatMap(([name, part]) => [
      [`${at}/${name}`, part] as const,
      ...members(part, `${at}/${name}`, depth + 1),
    ]),
  )
}

/**
 * What was answered with `{field}` in place of fields that are wrong, and `{message}` for what is said of each: where it
 * has them as members, or a list that has an item for each.
 */
export function openIssues(
  response: unknown,
  issues: readonly FieldIssue[],
): { readonly open: unknown; readonly messages: readonly FieldMessage[] } {
  const messages: FieldMessage[] = []
  const openText = (part: unknown, issue: FieldIssue): unknown => {
    if (typeof part === 'string') {
      messages.push({ type: issue.type, text: openedFor(part, issue) })
      return '{message}'
    }
    if (Array.isArray(part) && part.length === 1) return [openText(part[0], issue)]
    return part
  }
  const openItem = (item: unknown): unknown => {
    if (!isObject(item)) return item
    const texts = Object.entries(item).filter(([, part]) => typeof part === 'string')
    const issue = issues.find(({ field }) => Object.values(item).some((part) => namesField(part, field)))
    const [longest] = texts
      .filter(([, part]) => issue !== undefined && !namesField(part, issue.field) && / /.test(part as string))
      .toSorted(([, a], [, b]) => (b as string).length - (a as string).length)
    if (issue === undefined || longest === undefined) return item
    return Object.fromEntries(
      Object.entries(item).map(([name, part]) => {
        if (name === longest[0]) return [name, openText(part, issue)]
        return [name, namesField(part, issue.field) ? withField(part, issue.field) : part]
      }),
    )
  }
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) {
      const items = (part as readonly unknown[]).map((item) => {
        const opened = openItem(item)
        return opened === item ? walk(item) : opened
      })
      const texts = new Set(items.map((item) => JSON.stringify(item)))
      return texts.size === 1 && [...texts].some((text) => text.includes('{field}'))
        ? items.slice(0, 1)
        : items
    }
    if (!isObject(part)) return part
    return Object.fromEntries(
      Object.entries(part).map(([name, value]) => {
        const issue = isOfError(part, name) ? undefined : issues.find(({ field }) => field === name)
        return issue === undefined ? [name, walk(value)] : ['{field}', openText(value, issue)]
      }),
    )
  }
  return { open: walk(response), messages }
}

/** What members of errors are called in problem details, JSON:API and their like. */
const OF_ERRORS = ['type', 'title', 'status', 'detail', 'code', 'message', 'instance', 'source']

/** What an answer says, but for the names of what every error has. */
export function textOfAnswer(response: unknown): string {
  return JSON.stringify(withoutNames(response ?? ''))
}

function withoutNames(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutNames)
  if (!isObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value], at) => [
      isOfError(part, name) ? String(at) : name,
      withoutNames(value),
    ]),
  )
}

// What has several of these is an error, and no list of fields that are called so, too.
function isOfError(part: Readonly<Record<string, unknown>>, name: string): boolean {
  return OF_ERRORS.includes(name) && OF_ERRORS.filter((each) => Object.hasOwn(part, each)).length > 2
}

// A path of a field ends with its name.
function namesField(part: unknown, field: string): boolean {
  if (Array.isArray(part)) return part.at(-1) === field
  return (
    typeof part === 'string' && (part === field || part.endsWith(`.${field}`) || part.endsWith(`/${field}`))
  )
}

function withField(part: unknown, field: string): unknown {
  if (Array.isArray(part)) return [...(part as readonly unknown[]).slice(0, -1), '{field}']
  return `${String(part).slice(0, -field.length)}{field}`
}

function openedFor(text: string, { field, value }: FieldIssue): string {
  const said = typeof value === 'string' && value.length > 2 ? text.replaceAll(value, () => '{value}') : text
  return said.replaceAll(new RegExp(`(?<![\\w{-])${literalPattern(field)}(?![\\w}-])`, 'g'), () => '{field}')
}

/** What is most often said of each, by the route itself where it says anything, and else by others. */
export function messagesOf(
  own: readonly { readonly messages: readonly FieldMessage[] }[],
  all: readonly { readonly messages: readonly FieldMessage[] }[],
): Readonly<Record<string, string>> {
  const byType = (some: typeof all): [string, string][] =>
    [
      ...groupBy(
        some.flatMap(({ messages }) => messages),
        ({ type }) => type,
      ),
    ].flatMap(([type, same]) => {
      const text = mostFrequent(same.map((each) => each.text))
      return text === undefined ? [] : [[type, text] as [string, string]]
    })
  return Object.fromEntries([...byType(all), ...byType(own)].toSorted(([a], [b]) => compareTexts(a, b)))
}

/** An answer that says what is wrong; one with but one thing to say has that in its place. */
export function withMessages(answer: ErrorAnswer, messages: Readonly<Record<string, string>>): ErrorAnswer {
  const text = JSON.stringify(answer)
  if (!text.includes('{message}')) return answer
  const [first, ...others] = new Set(Object.values(messages))
  if (first === undefined || others.length > 0) return { ...answer, messages }
  return JSON.parse(text.replaceAll('{message}', () => JSON.stringify(first).slice(1, -1))) as ErrorAnswer
}
