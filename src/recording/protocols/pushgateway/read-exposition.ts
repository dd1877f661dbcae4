import {
  type Families,
  type FamilyType,
  formatGo,
  type Labels,
  type Metric,
  numberOf,
  sorted,
} from './families.ts'

/** A text that is not in the format. */
export class BadText extends Error {
  constructor(line: number, why: string) {
    super(`text format parsing error in line ${line}: ${why}`)
  }
}

/** What a text in the format of Prometheus says. */
export interface Exposition {
  readonly families: Families
  /** Whether a sample says when it was. */
  readonly hasTimes: boolean
}

interface OpenFamily {
  type?: FamilyType
  help?: string
  readonly metrics: Map<string, Metric>
}

const CUT = 'unexpected end of input stream'
const TYPES: ReadonlySet<string> = new Set(['counter', 'gauge', 'summary', 'histogram', 'untyped'])
const NAME = /[a-z_:][\w:]*/iy
const LABEL = /[a-z_]\w*/iy
const FLOAT = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan)$/i

/** Reads the text format. @throws BadText */
export function readExposition(text: string): Exposition {
  const families = new Map<string, OpenFamily>()
  let hasTimes = false
  const lines = text.split('\n')
  for (const [index, whole] of lines.entries()) {
    const at = index + 1
    const line = whole.replace(/^[ \t]+/, '')
    const isEnd = index === lines.length - 1
    if (line.startsWith('#')) {
      if (isEnd) throw new BadText(at, CUT)
      readComment(families, line, at)
    } else if (line !== '' && readSample(families, line, at, isEnd)) hasTimes = true
  }
  return {
    families: new Map(
      [...families]
        .filter(([, { metrics }]) => metrics.size > 0)
        .map(([name, { type = 'UNTYPED', help, metrics }]) => [
          name,
          { type, ...(help !== undefined && { help }), metrics: [...metrics.values()] },
        ]),
    ),
    hasTimes,
  }
}

function familyOf(families: Map<string, OpenFamily>, name: string): OpenFamily {
  const family = families.get(name) ?? { metrics: new Map() }
  families.set(name, family)
  return family
}

function readComment(families: Map<string, OpenFamily>, line: string, at: number): void {
  const [, kind, name = '', rest = ''] =
    /^#[ \t]*(HELP|TYPE)[ \t]+([a-z_:][\w:]*)(?:[ \t]+(.*))?$/is.exec(line) ?? []
  if (kind !== 'HELP' && kind !== 'TYPE') return
  if (rest === '' && kind === 'TYPE') return
  const family = familyOf(families, name)
  if (kind === 'HELP') {
    if (family.help !== undefined) throw new BadText(at, `second HELP line for metric name "${name}"`)
    family.help = unescaped(rest, at)
    return
  }
  if (family.type !== undefined || family.metrics.size > 0)
    throw new BadText(at, `second TYPE line for metric name "${name}", or TYPE reported after samples`)
  if (!TYPES.has(rest)) throw new BadText(at, `unknown metric type "${rest}"`)
  family.type = rest.toUpperCase() as FamilyType
}

// Whether it says when it was.
function readSample(families: Map<string, OpenFamily>, line: string, at: number, isEnd: boolean): boolean {
  const name = matchAt(NAME, line, 0)
  if (name === '') throw new BadText(at, 'invalid metric name')
  let rest = line.slice(name.length).replace(/^[ \t]+/, '')
  let labels: Labels = {}
  if (rest.startsWith('{')) {
    const read = readLabels(rest, name, at)
    labels = read.labels
    rest = rest.slice(read.length).replace(/^[ \t]+/, '')
  }
  const [, value = '', , time] = /^([^ \t]*)([ \t]+(.*))?$/s.exec(rest) ?? []
  if (isEnd && time === undefined) throw new BadText(at, CUT)
  if (!FLOAT.test(value) || (!/inf/i.test(value) && Math.abs(numberOf(value)) === Infinity))
    throw new BadText(at, `expected float as value, got "${value}"`)
  const [, stamp = '', more = ''] = /^([^ \t]*)(.*)$/s.exec(time ?? '0') ?? []
  if (isEnd && more === '') throw new BadText(at, CUT)
  if (!/^-?\d+$/.test(stamp)) throw new BadText(at, `expected integer as timestamp, got "${stamp}"`)
  if (more !== '') throw new BadText(at, `spurious string after timestamp: "${more}"`)
  addSample(families, { name, labels, value: numberOf(value) }, at)
  return time !== undefined
}

// A summary's and a histogram's samples are one metric.
function addSample(
  families: Map<string, OpenFamily>,
  { name, labels, value }: { readonly name: string; readonly labels: Labels; readonly value: number },
  at: number,
): void {
  const [, base = '', suffix = ''] = /^(.*)_(sum|count|bucket)$/s.exec(name) ?? []
  const isPart =
    families.get(name)?.type === undefined && PART_TYPES.has(`${families.get(base)?.type} ${suffix}`)
  const family = familyOf(families, isPart ? base : name)
  const part = family.type === 'HISTOGRAM' ? 'le' : family.type === 'SUMMARY' ? 'quantile' : undefined
  const { [part ?? '']: bound, ...own } = labels
  const others = part === undefined ? labels : own
  const key = JSON.stringify(sorted(others))
  const isTwice = part === undefined && family.metrics.has(key)
  const metric = family.metrics.get(key) ?? { labels: others }
  const shown = formatGo(value)
  if (part === undefined) {
    family.metrics.set(isTwice ? `${key} ${family.metrics.size}` : key, { labels, value: shown })
    return
  }
  if (bound !== undefined && !FLOAT.test(bound))
    throw new BadText(at, `expected float as value for '${part}' label, got "${bound}"`)
  const parts = part === 'le' ? 'buckets' : 'quantiles'
  family.metrics.set(key, {
    [parts]: {},
    ...metric,
    ...(bound !== undefined && { [parts]: { ...metric[parts], [formatGo(numberOf(bound))]: shown } }),
    ...(bound === undefined && suffix !== '' && suffix !== 'bucket' && { [suffix]: shown }),
  })
}

const PART_TYPES: ReadonlySet<string> = new Set([
  'SUMMARY sum',
  'SUMMARY count',
  'HISTOGRAM sum',
  'HISTOGRAM count',
  'HISTOGRAM bucket',
])

function readLabels(
  text: string,
  metric: string,
  line: number,
): { readonly labels: Labels; readonly length: number } {
  const labels = new Map<string, string>()
  let at = 1
  const skip = (): void => {
    while (text[at] === ' ' || text[at] === '\t') at++
  }
  for (;;) {
    skip()
    if (text[at] === '}') return { labels: Object.fromEntries(labels), length: at + 1 }
    const name = matchAt(LABEL, text, at)
    if (name === '') throw new BadText(line, `invalid label name for metric "${metric}"`)
    if (labels.has(name)) throw new BadText(line, `duplicate label names for metric "${metric}"`)
    at += name.length
    skip()
    if (text[at] !== '=')
      throw new BadText(line, `expected '=' after label name, found '${text[at] ?? '\\n'}'`)
    at++
    skip()
    if (text[at] !== '"')
      throw new BadText(line, `expected '"' at start of label value, found '${text[at] ?? '\\n'}'`)
    const raw = matchAt(QUOTED, text, at)
    if (raw === '')
      throw new BadText(line, `label value ${JSON.stringify(text.slice(at + 1))} contains unescaped new-line`)
    const value = unescaped(raw.slice(1, -1), line)
    labels.set(name, value)
    at += raw.length
    skip()
    if (text[at] === ',') at++
    else if (text[at] !== '}')
      throw new BadText(line, `unexpected end of label value ${JSON.stringify(value)}`)
  }
}

const QUOTED = /"(?:[^"\\]|\\.)*"/sy

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

function unescaped(text: string, line: number): string {
  return text.replaceAll(/\\(.?)/gs, (_whole, sign: string) => {
    if (sign === 'n') return '\n'
    if (sign === '\\' || sign === '"') return sign
    throw new BadText(line, `invalid escape sequence '\\${sign}'`)
  })
}
