import type { ErrorAnswer } from '../../engine/error-answer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { compareTexts, groupBy, mostFrequent } from '../../grouping.ts'
import { literalPattern } from '../../routing/path-template.ts'
import { isOfError, isStatus, speaksOf } from './answer-text.ts'
import type { FieldIssue } from './refused-values.ts'
import { OTHERS } from './field-limits.ts'

/** What an answer says of such a field, with names in place of the field and its value. */
export interface FieldMessage {
  readonly type: FieldIssue['type']
  readonly text: string
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
      const text = openedFor(part, issue)
      messages.push({ type: issue.type, text })
      // Both ends of a range are said alike.
      const other = issue.between && OTHERS[issue.type]
      if (other !== undefined) messages.push({ type: other, text })
      return '{message}'
    }
    if (Array.isArray(part) && part.length === 1) return [openText(part[0], issue)]
    return part
  }
  const openItem = (item: unknown): unknown => {
    if (typeof item === 'string' && item.includes(' ')) {
      const said = issues.find(({ field }) => speaksOf(item, field))
      return said === undefined ? item : openText(item, said)
    }
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
      return texts.size === 1 && [...texts].some((text) => /\{(field|message)\}/.test(text))
        ? items.slice(0, 1)
        : items
    }
    if (!isObject(part)) return part
    return Object.fromEntries(
      Object.entries(part).map(([name, value]) => {
        const isOther = isOfError(part, name) || isStatus(name, value)
        const issue = isOther ? undefined : issues.find(({ field }) => field === name)
        return issue === undefined ? [name, walk(value)] : ['{field}', openText(value, issue)]
      }),
    )
  }
  return { open: walk(response), messages }
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

// What a text is to be may be called like its field: an email must be an email.
function openedFor(text: string, { field, value }: FieldIssue): string {
  const said = typeof value === 'string' && value.length > 2 ? text.replaceAll(value, () => '{value}') : text
  return said.replaceAll(
    new RegExp(`(?<![\\w{-]|\\b(?:an?|valid) )${literalPattern(field)}(?![\\w}-])`, 'g'),
    () => '{field}',
  )
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
