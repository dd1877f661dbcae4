// Punctuation, names, numbers and variables, strings and block strings (GraphQL, section 2.1).
const TOKEN =
  /"""(?:\\"""|[^])*?"""|"(?:\\.|[^"\\])*"|#[^\n\r]*|\.\.\.|[!$&()*:=@[\]{|}]|[\w.+-]+|[\s,\uFEFF]+/g

/** A document's operations and fragments, each as the tokens of its selection. */
interface Definition {
  /** `query`, `mutation`, `subscription` or `fragment`. */
  readonly kind: string
  readonly name: string
  readonly fields: readonly Field[]
}

/** A field, a fragment that is spread, or one that is written in place. */
interface Field {
  /** `alias:name`, `...Name` or `...on Type`. */
  readonly text: string
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

  const skipGroup = (open: string, close: string): void => {
    if (tokens[at] !== open) return
    let depth = 0
    do {
      if (tokens[at] === open) depth++
      else if (tokens[at] === close) depth--
      at++
    } while (depth > 0 && at < tokens.length)
  }
  const skipDirectives = (): void => {
    while (tokens[at] === '@') {
      at += 2
      skipGroup('(', ')')
    }
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
    skipGroup('(', ')')
    skipDirectives()
    return { text, fields: tokens[at] === '{' && depth < MAX_DEPTH ? readFields(depth + 1) : [] }
  }

  while (at < tokens.length) {
    const isShort = tokens[at] === '{'
    const kind = isShort ? 'query' : (tokens[at++] ?? '')
    if (!/^(query|mutation|subscription|fragment)$/.test(kind)) return undefined
    const name = !isShort && /^[A-Za-z_]/.test(tokens[at] ?? '') ? (tokens[at++] ?? '') : ''
    skipGroup('(', ')')
    if (kind === 'fragment' && tokens[at] === 'on') at += 2
    skipDirectives()
    if (tokens[at] !== '{') return undefined
    definitions.push({ kind, name, fields: readFields(0) })
  }
  return definitions.length === 0 ? undefined : definitions
}
