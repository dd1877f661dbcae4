import { decodeReferences, encodeReferences } from './character-references.ts'
import { mayBeBase64 } from './redact-base64.ts'
import { redactTags, redactText } from './redact-text.ts'
import type { Secrets } from './secrets.ts'

interface Element {
  /** What the element is called, or what says of it whose value it is. */
  readonly name: string
  /** Where its content begins. */
  readonly start: number
  /** What the child before says that the next one is the value of. */
  label?: string
}

const TAG = /<(\/?)([A-Za-z_][\w.:-]{0,80})([^<>]*)>/y
const CDATA = '<![CDATA['
const LABEL = /\s(?:key|name|id)\s*=\s*["']([^"']{1,80})/i
/** Children that name what comes after them, as in `<key>password</key><string>…</string>` of a property list. */
const NAMES_NEXT = /^(?:key|name|field|param|header)$/i
/** Elements that say no more than that they are a value. */
const IS_VALUE = /^(?:val|value|string|str|text|data|content|item|array|list|base64)$/i
/** What is shorter holds no secret and its name in base64. */
const LEAST = 24
const OWN_ENTITIES = /^(?:amp|lt|gt|quot|apos)$/

/**
 * Hides the secrets of XML: what is in elements that are named like one, by themselves, by an attribute, by the element
 * around them or by the one before them. The time is linear in the text's length.
 * @param redactInner hides the secrets of a document, or of base64, that is the text of an element
 */
export function redactXml(text: string, secrets: Secrets, redactInner: (text: string) => string): string {
  const entities = new Set<string>()
  const clean = redactElements(text, secrets, entities, redactInner)
  const declared = entities.size === 0 ? clean : redactEntities(clean, entities, secrets)
  return redactText(redactTags(declared, secrets), secrets)
}

function redactElements(
  text: string,
  secrets: Secrets,
  entities: Set<string>,
  redactInner: (text: string) => string,
): string {
  const nest: Element[] = []
  const pieces: string[] = []
  let copied = 0
  // Not by `includes`, which the optimizer takes for pure and repeats at each element.
  let hasCdata = /<!\[CDATA\[/.test(text)
  // Only what has no elements in it is a value.
  let isLeaf = false
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    if (hasCdata && text.startsWith(CDATA, at)) {
      const end = text.indexOf(']]>', at)
      hasCdata = end !== -1
      at = hasCdata ? end : at + 1
      continue
    }
    TAG.lastIndex = at
    const [whole = '<', close = '', tag = '', attributes = ''] = TAG.exec(text) ?? []
    const start = at
    at += whole.length
    if (tag === '') continue
    const name = tag.slice(tag.indexOf(':') + 1)
    if (close === '') {
      isLeaf = !attributes.endsWith('/')
      if (isLeaf) nest.push({ name: nameOf(name, attributes, nest.at(-1), secrets), start: at })
      continue
    }
    const element = nest.pop()
    const around = nest.at(-1)
    const range = isLeaf && element !== undefined ? valueIn(text, element.start, start) : undefined
    isLeaf = false
    if (around !== undefined) delete around.label
    if (element === undefined || range === undefined) continue
    const value = text.slice(range.start, range.end)
    if (secrets.hides(element.name, value) || secrets.hides(name, value)) {
      pieces.push(text.slice(copied, range.start), secrets.pseudonymize(value))
      copied = range.end
      for (const [, entity = ''] of value.matchAll(/&([\w.-]{1,80});/g))
        if (!OWN_ENTITIES.test(entity)) entities.add(entity)
    } else if (around !== undefined && NAMES_NEXT.test(name)) around.label = value.trim()
    else if (isWorthReading(value)) {
      const decoded = decodeReferences(value)
      const inner = redactInner(decoded)
      if (inner === decoded) continue
      pieces.push(text.slice(copied, range.start), decoded === value ? inner : encodeReferences(inner))
      copied = range.end
    }
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}

// What has no other reference than that of `&` says the same without it, and hexadecimal digits are not base64.
function isWorthReading(value: string): boolean {
  return value.includes('&')
    ? /&(?!amp;)/.test(value)
    : value.length >= LEAST && mayBeBase64(value) && /[G-Zg-z]/.test(value)
}

function nameOf(name: string, attributes: string, around: Element | undefined, { kindOf }: Secrets): string {
  const label = attributes === '' ? '' : (LABEL.exec(attributes)?.[1] ?? '')
  if (label !== '' && kindOf(label) !== 'harmless') return label
  return IS_VALUE.test(name) ? (around?.label ?? around?.name ?? name) : name
}

// Without the marks of character data, where nothing else stands beside it.
function valueIn(text: string, start: number, end: number): { start: number; end: number } {
  const isMarked =
    text.startsWith(CDATA, start) && text.endsWith(']]>', end) && end - start >= CDATA.length + 3
  return isMarked ? { start: start + CDATA.length, end: end - 3 } : { start, end }
}

// `<!ENTITY p "…">`, of which `<password>&p;</password>` is made.
function redactEntities(text: string, entities: ReadonlySet<string>, { pseudonymize }: Secrets): string {
  return text.replaceAll(
    /(<!ENTITY\s{1,9}([\w.-]{1,80})\s{1,9})(?:"([^"<]*)"|'([^'<]*)')/g,
    (whole, head: string, name: string, double?: string, single = '') => {
      if (!entities.has(name)) return whole
      const quote = double === undefined ? "'" : '"'
      return `${head}${quote}${pseudonymize(double ?? single)}${quote}`
    },
  )
}
