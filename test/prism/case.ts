import { isJson } from '../corpus/json.ts'

/** A contract case of Prism's: a document, how it is served, a command, and what that must print. */
export interface Case {
  readonly spec: string
  readonly server: string
  readonly command: string
  readonly expected: string
  /** Whether the body must be the very same, have the same keys, or have the same structure. */
  readonly kind: 'expect' | 'expect-loose' | 'expect-keysOnly'
}

export function readCase(text: string): Case {
  const parts = text.split(/====(server|test|spec|command|expect|expect-loose|expect-keysOnly)====\r?\n/i)
  const part = (name: string): string => parts[parts.indexOf(name) + 1] ?? ''
  const kind =
    (['expect', 'expect-loose', 'expect-keysOnly'] as const).find((name) => parts.includes(name)) ?? 'expect'
  return { spec: part('spec'), server: part('server'), command: part('command'), expected: part(kind), kind }
}

interface Message {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

function readMessage(text: string): Message {
  const [head = '', ...body] = text.trim().split(/\r?\n\r?\n/)
  const [first = '', ...lines] = head.split(/\r?\n/)
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(':')
    return [name.trim().toLowerCase(), value.join(':').trim()]
  })
  return { status: Number(first.split(' ')[1]), headers: new Map(headers), body: body.join('\n\n').trim() }
}

/** How an answer differs from what a case wants; undefined where it does not. */
export function missOf({ expected, kind }: Case, printed: string): string | undefined {
  const [wanted, given] = [readMessage(expected), readMessage(printed)]
  if (wanted.status !== given.status)
    return `status ${given.status} where ${wanted.status} is wanted: ${given.body.slice(0, 120)}`
  for (const [name, value] of wanted.headers) {
    const other = given.headers.get(name)
    if (name === 'date' || name === 'connection') continue
    if (other === undefined) return `no header ${name}`
    if (name === 'content-type' && typeOf(other) !== typeOf(value))
      return `content-type ${other} where ${value} is wanted`
  }
  // The words of errors are Prism's own.
  if (wanted.body.includes('https://stoplight.io/prism/errors#')) return undefined
  const [left, right] = [parsed(wanted.body), parsed(given.body)]
  if (kind === 'expect' && JSON.stringify(left) !== JSON.stringify(right))
    return `body ${given.body.slice(0, 120)} where ${wanted.body.slice(0, 120)} is wanted`
  const missing = missingIn(left, right, kind === 'expect-keysOnly' ? 1 : Infinity)
  return missing === undefined ? undefined : `body has no ${missing}: ${given.body.slice(0, 120)}`
}

function typeOf(value: string): string {
  return value.split(';')[0]?.trim().toLowerCase() ?? ''
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function missingIn(wanted: unknown, given: unknown, depth: number): string | undefined {
  if (!isJson(wanted) || depth === 0) return undefined
  if (!isJson(given)) return 'object'
  for (const [name, value] of Object.entries(wanted)) {
    if (!(name in given)) return name
    const below = missingIn(value, given[name], depth - 1)
    if (below !== undefined) return `${name}.${below}`
  }
  return undefined
}
