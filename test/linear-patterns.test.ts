import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const LENGTH = 16_000
/** Those of the square of the length take some hundred times as long. */
const SUSPICIOUS_MS = 20
const MAX_MS = 2000

/** Beginnings, middles and separators of what patterns look for; on and on, they lead to many ways to fail. */
const UNITS = [
  ...[
    'a',
    '0',
    'A',
    '_',
    '-',
    '/',
    '.',
    '[',
    '(',
    '{',
    '}',
    '"',
    "'",
    '<',
    '\\',
    '~',
    '#',
    '?',
    '&',
    '‘',
    '+',
  ],
  ...[
    '"\\',
    '\t',
    '\n',
    '\t\n',
    '\r\n',
    '=',
    ',',
    'a=',
    'a,',
    'a.',
    'a-',
    'Aa',
    '0.',
    '/*',
    '{a}',
    '[]',
    '<a',
  ],
  ...[
    '<a>',
    'a:',
    'a b ',
    '1-',
    '1-1a',
    '&a',
    'a="',
    ':',
    'a1',
    '%41',
    'id',
    '-a',
    '__id',
    '{{',
    ',{',
    '<!--',
    '://',
  ],
]
const textsOf = (length: number): readonly string[] =>
  UNITS.flatMap((unit) => ['\0!', '\n'].map((end) => unit.repeat(length / unit.length) + end))
const TEXTS = textsOf(LENGTH)
const LONG_TEXTS = textsOf(4 * LENGTH)

interface Written {
  readonly file: string
  readonly pattern: string
  readonly flags: string
}

function patternsIn(file: string): Written[] {
  const found: Written[] = []
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { regex } = node as { regex?: { pattern: string; flags: string } }
    if (regex !== undefined) found.push({ file, ...regex })
    Object.values(node).forEach(look)
  }
  look(parseSync(file, readFileSync(join(ROOT, file), 'utf8')).program)
  return found
}

function sources(): string[] {
  const adapters = readdirSync(join(ROOT, 'adapters')).map((name) => `adapters/${name}/src`)
  return ['src', 'plugins', ...adapters].flatMap((folder) => {
    const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    return names
      .filter((name) => /\.tsx?$/.test(name) && !dirname(name).includes('node_modules'))
      .map((name) => join(folder, name))
  })
}

// Patterns look into bytes of strangers, or will once.
it('no pattern of the sources takes the square of the length of a text', () => {
  const patterns = [
    ...new Map(
      sources()
        .flatMap(patternsIn)
        .map((each) => [`${each.pattern}/${each.flags}`, each]),
    ).values(),
  ]
  expect(patterns.length).toBeGreaterThan(1500)
  const slowOnes = patterns.filter(({ pattern, flags }) => {
    // Sticky ones go on from where they ended.
    const form = new RegExp(pattern, flags.includes('y') && !flags.includes('g') ? `${flags}g` : flags)
    return timesOf(form, TEXTS).some((before, index) => before > SUSPICIOUS_MS && isSquare(form, index))
  })
  expect(slowOnes).toEqual([])
}, 60_000)

// A text of four times the length takes sixteen times as long; others may have the processor meanwhile.
function isSquare(form: RegExp, index: number): boolean {
  const leastTime = (texts: readonly string[], most?: number): number =>
    Math.min(...[1, 2, 3, 4, 5].flatMap(() => timesOf(form, texts.slice(index, index + 1), most)))
  const before = leastTime(TEXTS)
  return (
    before === Infinity || (before > SUSPICIOUS_MS / 2 && leastTime(LONG_TEXTS, 20 * before) > 8 * before)
  )
}

const context = createContext({ now: () => performance.now() })

/** How long a pattern takes for each text; what takes too long ends it. */
function timesOf(form: RegExp, texts: readonly string[], most = MAX_MS): readonly number[] {
  const times: number[] = []
  Object.assign(context, { form, texts, times })
  const script = `for (const text of texts) {
    const begin = now()
    if (form.global) text.match(form)
    else form.exec(text)
    times.push(now() - begin)
  }`
  try {
    runInContext(script, context, { timeout: Math.ceil(most) })
    return times
  } catch {
    return [...times, Infinity]
  }
}
