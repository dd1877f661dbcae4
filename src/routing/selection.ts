// Punctuation, names, numbers and variables, strings and block strings (GraphQL, section 2.1).
const TOKEN =
  /"""(?:\\"""|[^])*?(?:"""|$)|"(?:\\.|[^"\\])*"?|#[^\n\r]*|\.\.\.|[!$&()*:=@[\]{|}]|[\w.+-]+|[\s,\uFEFF]+/g

/** A document's operations and fragments, each as the tokens of its selection. */
interface Definition {
  /** `query`, `mutation`, `subscription` or `fragment`. */
  readonly kind: string
  readonly name: string
  /** The tokens of an operation's variables, or the type that a fragment is on. */
  readonly given: readonly string[]
  readonly fields: readonly Field[]
}

/** A field, a fragment that is spread, or one that is written in place. */
interface Field {
  /** `alias:name`, `...Name` or `...on Type`. */
  readonly text: string
  /** The tokens of its arguments, without their parentheses. */
  readonly given: readonly string[]
  /** The tokens of the arguments of its directives, by their names. */
  readonly directives: Readonly<Record<string, readonly string[]>>
  readonly fields: readonly Field[]
}

const MAX_DEPTH = 50
const MAX_FIELDS = 10_000

/**
 * What the operation of a GraphQL document selects, in one form: without arguments, directives and variables, with
 * fragments written in place and fields in order of their names, such as `query { user { id name } }`.
 * @param operationName chooses one of several operations
 * @returns undefined where there is no such operation, or the text is not a document
 */
export function selectionOf(document: string, operationName?: string): string | undefined {
  const definitions = readDocument(document)
  const operations = definitions?.filter(({ kind }) => kind !== 'fragment') ?? []
  const operation =
    operationName === undefined || operationName === ''
      ? operations[0]
      : operations.find(({ name }) => name === operationName)
  if (definitions === undefined || operation === undefined) return undefined
  const fragments = definitions.filter(({ kind }) => kind === 'fragment')
  const context = { fragments: new Map(fragments.map((each) => [each.name, each])), left: MAX_FIELDS }
  const text = writeFields(operation.fields, context, 0)
  return context.left < 0 ? undefined : `${operation.kind} ${text}`
}

/** A selection as it is compared; any other text stays as it is. */
export function normalizeSelection(selection: string): string {
  return selectionOf(selection) ?? selection.trim()
}

/** The kind of an operation and the fields that it selects at its root, such as `mutation.createUser`. */
export function rootsOf(selection: string): string {
  const operation = readDocument(selection)?.find(({ kind }) => kind !== 'fragment')
  const fields = operation?.fields.map(({ text }) => text.slice(text.indexOf(':') + 1)) ?? []
  return [operation?.kind ?? 'query', ...new Set(fields)].join('.')
}

/** A field of an operation as it is to be answered, its fragments written in place, without those that are skipped. */
export interface SelectedField {
  /** What it is called in the answer. */
  readonly alias: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** Of objects of which type alone it is wanted. */
  readonly on: string | undefined
  readonly fields: readonly SelectedField[]
}

/** An operation with the values of its variables. */
export interface SelectedOperation {
  /** `query`, `mutation` or `subscription`. */
  readonly kind: string
  readonly fields: readonly SelectedField[]
}

/**
 * An operation of a document with all its arguments.
 * @param variables by name, without those that have a default
 * @returns undefined where there is no such operation, or the text is not a document
 */
export function readSelected(
  document: string,
  operationName: string | undefined,
  variables: Readonly<Record<string, unknown>>,
): SelectedOperation | undefined {
  const definitions = readDocument(document) ?? []
  const operations = definitions.filter(({ kind }) => kind !== 'fragment')
  const operation =
    operationName === undefined ? operations[0] : operations.find(({ name }) => name === operationName)
  if (operation === undefined) return undefined
  const fragments = new Map(
    definitions.filter(({ kind }) => kind === 'fragment').map((each) => [each.name, each]),
  )
  const values = { ...defaultsIn(operation.given), ...variables }
  let left = MAX_FIELDS
  const select = (fields: readonly Field[], on: string | undefined, depth: number): SelectedField[] =>
    fields.flatMap(({ text, given, directives, fields: below }): SelectedField[] => {
      if (depth > MAX_DEPTH || left-- <= 0 || isSkipped(directives, values)) return []
      if (text.startsWith('...')) {
        const spread = fragments.get(text.slice(3))
        const type = text.startsWith('...on ') ? text.slice(6) : spread?.given[0]
        return select(spread?.fields ?? below, type ?? on, depth + 1)
      }
      const [alias = '', name = alias] = text.split(':')
      const args = readArguments(given, values)
      return [{ alias, name, args, on, fields: merged(select(below, undefined, depth + 1)) }]
    })
  return { kind: operation.kind, fields: merged(select(operation.fields, undefined, 0)) }
}

// What is selected several times under one name is one field (GraphQL, section 5.3.2).
function merged(fields: readonly SelectedField[]): readonly SelectedField[] {
  const found = new Map<string, SelectedField>()
  for (const field of fields) {
    const key = `${field.alias} ${field.on ?? ''}`
    const before = found.get(key)
    found.set(
      key,
      before === undefined ? field : { ...field, fields: merged([...before.fields, ...field.fields]) },
    )
  }
  return [...found.values()]
}

// `@include(if: false)` and `@skip(if: true)` (GraphQL, section 3.13).
function isSkipped(directives: Field['directives'], variables: Readonly<Record<string, unknown>>): boolean {
  const { include, skip } = directives
  const isTrue = (tokens: readonly string[]): boolean => readArguments(tokens, variables)['if'] === true
  return (include !== undefined && !isTrue(include)) || (skip !== undefined && isTrue(skip))
}

// `$first: Int = 10, $after: String`
function defaultsIn(tokens: readonly string[]): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [at, token] of tokens.entries()) {
    if (token !== '=') continue
    const start = tokens.lastIndexOf('$', at)
    found[tokens[start + 1] ?? ''] = readValue(tokens, at + 1, {})[0]
  }
  return found
}

function readArguments(
  tokens: readonly string[],
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return readMembers(tokens, 0, variables)[0]
}

function readMembers(
  tokens: readonly string[],
  start: number,
  variables: Readonly<Record<string, unknown>>,
): [members: Record<string, unknown>, end: number] {
  const members: Record<string, unknown> = {}
  let at = start
  while (at < tokens.length && tokens[at] !== '}') {
    const name = tokens[at] ?? ''
    const [value, end] = readValue(tokens, at + 2, variables)
    if (value !== undefined) members[name] = value
    at = end
  }
  return [members, at + 1]
}

/** A value of tokens, and where it ends; `undefined` for a variable that was not given. */
function readValue(
  tokens: readonly string[],
  at: number,
  variables: Readonly<Record<string, unknown>>,
): [value: unknown, end: number] {
  const token = tokens[at] ?? ''
  if (token === '$') return [variables[tokens[at + 1] ?? ''], at + 2]
  if (token === '{') return readMembers(tokens, at + 1, variables)
  if (token === '[') {
    const items: unknown[] = []
    let next = at + 1
    while (next < tokens.length && tokens[next] !== ']') {
      const [item, end] = readValue(tokens, next, variables)
      items.push(item)
      next = end
    }
    return [items, next + 1]
  }
  if (token.startsWith('"""')) return [token.slice(3, -3).trim(), at + 1]
  if (/^["\d-]/.test(token) || /^(true|false|null)$/.test(token)) return [jsonOf(token), at + 1]
  return [token, at + 1]
}

function jsonOf(token: string): unknown {
  try {
    return JSON.parse(token) as unknown
  } catch {
    return token
  }
}

interface WriteContext {
  readonly fragments: ReadonlyMap<string, Definition>
  /** How many fields may still be written: fragments in fragments can stand for any number. */
  left: number
}

function writeFields(fields: readonly Field[], context: WriteContext, depth: number): string {
  const texts = fields.flatMap((field) => writeField(field, context, depth))
  return `{ ${[...new Set(texts)].toSorted().join(' ')} }`
}

function writeField({ text, fields }: Field, context: WriteContext, depth: number): string[] {
  if (depth > MAX_DEPTH || context.left-- <= 0) return []
  const isSpread = text.startsWith('...') && !text.startsWith('...on ')
  const spread = isSpread ? context.fragments.get(text.slice(3)) : undefined
  if (spread !== undefined) return spread.fields.flatMap((each) => writeField(each, context, depth + 1))
  return [fields.length === 0 ? text : `${text} ${writeFields(fields, context, depth + 1)}`]
}

function readDocument(document: string): Definition[] | undefined {
  const tokens = (document.match(TOKEN) ?? []).filter((token) => !/^[\s,#\uFEFF]/.test(token))
  const definitions: Definition[] = []
  let at = 0

  const readGroup = (open: string, close: string): readonly string[] => {
    if (tokens[at] !== open) return []
    const start = at + 1
    let depth = 0
    do {
      if (tokens[at] === open) depth++
      else if (tokens[at] === close) depth--
      at++
    } while (depth > 0 && at < tokens.length)
    return tokens.slice(start, at - 1)
  }
  const readDirectives = (): Record<string, readonly string[]> => {
    const directives: Record<string, readonly string[]> = {}
    while (tokens[at] === '@') {
      const name = tokens[at + 1] ?? ''
      at += 2
      directives[name] = readGroup('(', ')')
    }
    return directives
  }
  const readFields = (depth: number): Field[] => {
    const fields: Field[] = []
    at++
    while (at < tokens.length && tokens[at] !== '}') {
      const field = readField(depth)
      if (field === undefined) break
      fields.push(field)
    }
    at++
    return fields
  }
  const readField = (depth: number): Field | undefined => {
    let text = tokens[at++] ?? ''
    if (text === '...') {
      if (tokens[at] === 'on') {
        text = `...on ${tokens[at + 1] ?? ''}`
        at += 2
      } else if (tokens[at] !== '{' && tokens[at] !== '@') text = `...${tokens[at++] ?? ''}`
    } else if (!/^\w/.test(text)) return undefined
    else if (tokens[at] === ':') {
      text = `${text}:${tokens[at + 1] ?? ''}`
      at += 2
    }
    const given = readGroup('(', ')')
    const directives = readDirectives()
    return {
      text,
      given,
      directives,
      fields: tokens[at] === '{' && depth < MAX_DEPTH ? readFields(depth + 1) : [],
    }
  }

  while (at < tokens.length) {
    const isShort = tokens[at] === '{'
    const kind = isShort ? 'query' : (tokens[at++] ?? '')
    if (!/^(query|mutation|subscription|fragment)$/.test(kind)) return undefined
    const name = !isShort && /^[A-Za-z_]/.test(tokens[at] ?? '') ? (tokens[at++] ?? '') : ''
    let given = readGroup('(', ')')
    if (kind === 'fragment' && tokens[at] === 'on') {
      given = tokens.slice(at + 1, at + 2)
      at += 2
    }
    readDirectives()
    if (tokens[at] !== '{') return undefined
    definitions.push({ kind, name, given, fields: readFields(0) })
    // A brace that is not closed.
    if (at > tokens.length) return undefined
  }
  return definitions.length === 0 ? undefined : definitions
}
