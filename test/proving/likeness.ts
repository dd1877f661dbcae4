import type { Relayed } from './relay.ts'

/** What a body is, as far as it is compared. */
type Content =
  | { readonly kind: 'none' | 'bytes' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'xml'; readonly paths: ReadonlySet<string> }

/** What values were seen at one place of JSON. */
interface Seen {
  readonly types: Set<string>
  objects: number
  readonly members: Map<string, { count: number; readonly seen: Seen }>
  items?: Seen
}

/**
 * In what an answer differs from the real one by status and shape; empty where it does not. It is written apart from what
 * sim itself compares shapes with, which it judges.
 * @param known all real answers of this step
 */
export function unlikeness(
  real: Relayed,
  given: Relayed | undefined,
  known: readonly Relayed[],
  isMap: (pointer: string) => boolean = () => false,
): readonly string[] {
  if (given === undefined) return ['was not sent']
  if (given.method !== real.method) return [`${given.method} in place of ${real.method}`]
  if (given.status !== real.status) return [`status ${given.status} in place of ${real.status}`]
  const [wanted, got] = [contentOf(real), contentOf(given)]
  if (wanted.kind !== got.kind) return [`body: ${got.kind} in place of ${wanted.kind}`]
  const alike = known.filter(({ status }) => status === real.status).map(contentOf)
  if (got.kind === 'json') {
    const seen = createSeen()
    for (const each of alike) if (each.kind === 'json') see(seen, each.value)
    return misfits(got.value, seen, isMap, '')
  }
  if (got.kind !== 'xml') return []
  const sets = alike.flatMap((each) => (each.kind === 'xml' ? [each.paths] : []))
  const missing = [...(sets[0] ?? [])].filter(
    (path) => sets.every((each) => each.has(path)) && !got.paths.has(path),
  )
  const unknown = [...got.paths].filter((path) => !sets.some((each) => each.has(path)))
  return [...missing.map((path) => `<${path}> missing`), ...unknown.map((path) => `<${path}> unknown`)]
}

/** Pairs the exchanges of two runs of a session: those of equal requests in order, and then others of a step in order. */
export function pairUp(
  first: readonly Relayed[],
  second: readonly Relayed[],
): readonly (readonly [Relayed, Relayed | undefined])[] {
  const left = new Set(second)
  const take = (isFit: (each: Relayed) => boolean): Relayed | undefined => {
    for (const each of left) {
      if (!isFit(each)) continue
      left.delete(each)
      return each
    }
    return undefined
  }
  const exact = first.map((one) => take((each) => each.step === one.step && isSameRequest(each, one)))
  return first.map((one, at) => [one, exact[at] ?? take(({ step }) => step === one.step)])
}

/** Whether two requests cannot be distinguished, but for their headers. */
export function isSameRequest(one: Relayed, other: Relayed): boolean {
  return one.method === other.method && one.url === other.url && one.sent.equals(other.sent)
}

/** What stands for a secret in a recording. */
const PSEUDONYM = /redacted-[0-9a-f]{16}/

/** Whether bodies are the same, but for secrets, and for the server's own URL, which may have become the gateway's. */
export function isSameBody(recorded: Buffer, given: Buffer, server: string, gateway: string): boolean {
  if (recorded.equals(given)) return true
  const renamed = recorded
    .toString('latin1')
    .replaceAll(server, gateway)
    .replaceAll(escaped(server), escaped(gateway))
  const [first = '', ...parts] = given.toString('latin1').split(PSEUDONYM)
  if (!renamed.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    const next = isLast ? renamed.length - part.length : renamed.indexOf(part, at + 1)
    if (next <= at || !renamed.startsWith(part, next) || /["<>\s]/.test(renamed.slice(at, next))) return false
    at = next + part.length
  }
  return at === renamed.length
}

// As PHP writes URLs in JSON.
function escaped(url: string): string {
  return url.replaceAll('/', '\\/')
}

/** What a server makes up, such as a UUID or a token. */
const MADE = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{24,}(?:=|%3D)*)/i

/** The names that a server made up, by those that stand for them, if the texts are the same but for these. */
export function namesIn(
  recorded: string,
  given: string,
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> | undefined {
  const [was, is] = [recorded.trimEnd().split(MADE), given.trimEnd().split(MADE)]
  const names = new Map(known)
  const isSame = was.every((part, at) => {
    const other = is[at] ?? ''
    if (at % 2 === 0) return part === other
    names.set(part, names.get(part) ?? other)
    return names.get(part) === other
  })
  return isSame && was.length === is.length ? names : undefined
}

/** A request without the names that a server made up. */
export function requestForm({ step, method, url, sent }: Relayed): string {
  return [step, method, url, sent.toString('latin1')].join(' ').replaceAll(new RegExp(MADE, 'gi'), '*')
}

function contentOf({ headers, body }: Relayed): Content {
  if (body.length === 0) return { kind: 'none' }
  const type = headers['content-type'] ?? ''
  const text = body.toString('utf8')
  if (/json/i.test(type) || /^\s*[[{]/.test(text)) {
    const value = jsonOf(text)
    if (value !== undefined) return { kind: 'json', value }
  }
  if (/xml/i.test(type) || text.startsWith('<?xml')) return { kind: 'xml', paths: elementsOf(text) }
  return { kind: 'bytes' }
}

// One value, or one on each line.
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    try {
      return text
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line))
    } catch {
      return undefined
    }
  }
}

function elementsOf(text: string): ReadonlySet<string> {
  const paths = new Set<string>()
  const open: string[] = []
  for (const [, close, name = '', empty] of text.matchAll(/<(\/?)([A-Za-z_][\w:.-]*)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (close === '/') {
      open.pop()
      continue
    }
    open.push(name.replace(/^.*:/, ''))
    paths.add(open.join('/'))
    if (empty === '/') open.pop()
  }
  return paths
}

function createSeen(): Seen {
  return { types: new Set(), objects: 0, members: new Map() }
}

function see(seen: Seen, value: unknown): void {
  seen.types.add(typeOf(value))
  if (Array.isArray(value)) {
    seen.items ??= createSeen()
    for (const each of value) see(seen.items, each)
  } else if (isObject(value)) {
    seen.objects++
    for (const [name, each] of Object.entries(value)) {
      const member = seen.members.get(name) ?? { count: 0, seen: createSeen() }
      seen.members.set(name, member)
      member.count++
      see(member.seen, each)
    }
  }
}

function misfits(
  value: unknown,
  seen: Seen | undefined,
  isMap: (pointer: string) => boolean,
  pointer: string,
): readonly string[] {
  // Nothing was ever there, so anything may be.
  if (seen === undefined || seen.types.size === 0) return []
  const type = typeOf(value)
  if (!seen.types.has(type)) return [`${pointer || '/'}: ${type} in place of ${[...seen.types].join(' or ')}`]
  if (Array.isArray(value)) return value.flatMap((each) => misfits(each, seen.items, isMap, `${pointer}/-`))
  if (!isObject(value)) return []
  const { members, objects } = seen
  const names = Object.keys(value)
  const isDictionary =
    isMap(pointer) ||
    (objects > 1 && members.size > 0 && ![...members.values()].some(({ count }) => count === objects))
  if (isDictionary) {
    const any = [...members.values()][0]?.seen
    return names.flatMap((name) =>
      misfits(value[name], members.get(name)?.seen ?? any, isMap, `${pointer}/*`),
    )
  }
  const missing = [...members].filter(([name, { count }]) => count === objects && !(name in value))
  return [
    ...missing.map(([name]) => `${pointer}/${name}: missing`),
    ...names.flatMap((name) => {
      const member = members.get(name)
      return member === undefined
        ? [`${pointer}/${name}: unknown`]
        : misfits(value[name], member.seen, isMap, `${pointer}/${name}`)
    }),
  ]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeOf(value) === 'object'
}
