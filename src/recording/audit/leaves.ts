import { isUtf8 } from 'node:buffer'

/** A text of an exchange, and where it is. */
export interface Leaf {
  readonly pointer: string
  readonly text: string
  /** Where the value begins, behind the name that says what it is. */
  readonly start: number
}

/** A value within another, and the name that says what it is. */
interface Part {
  readonly value: unknown
  readonly pointer: string
  readonly name: string
}

/** The texts of a JSON value at every depth, decoded from base64 and from JSON in texts of JSON. */
export function* leavesOf(whole: unknown, start = ''): Generator<Leaf> {
  const waiting: Part[] = [{ value: whole, pointer: start, name: '' }]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { value, pointer, name } = part
    if (typeof value === 'string') {
      const head = name === '' ? '' : `${name}: `
      yield { pointer, text: head + value, start: head.length }
      if (/^\s*[{[]/.test(value)) yield* leavesInJson(value, pointer)
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of partsOf(value as Readonly<Record<string, unknown>>, pointer).toReversed())
        waiting.push(inner)
    }
  }
}

function partsOf(value: Readonly<Record<string, unknown>>, pointer: string): Part[] {
  const { name: label, data, opcode, text } = value
  const encoding = ['encoding', '_encoding'].some((each) => value[each] === 'base64')
  return Object.entries(value).map(([member, inner]) => {
    const isBytes = (member === 'text' && encoding) || (member === 'data' && opcode === 2)
    const isNamed = member === 'value' && typeof label === 'string'
    return {
      value: isBytes ? decoded(member === 'text' ? text : data) : inner,
      pointer: pointer + pointerOf(member),
      name: isNamed ? label : '',
    }
  })
}

/** A step of a JSON pointer (RFC 6901, section 3). */
export function pointerOf(step: string | number): string {
  return `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

// Only what is escaped has another text than the JSON around it.
function* leavesInJson(text: string, pointer: string): Generator<Leaf> {
  if (!text.includes('\\')) return
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch {
    return
  }
  const before = pointer.includes('#') ? pointer : `${pointer}#`
  for (const leaf of leavesOf(tree, before)) if (/[\n\r\t"\\]/.test(leaf.text)) yield leaf
}

function decoded(base64: unknown): string {
  const bytes = Buffer.from(String(base64), 'base64')
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}
