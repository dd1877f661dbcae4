import { createRequire } from 'node:module'
import type { FastifyBaseLogger } from 'fastify'
import type { DestinationStream, Logger } from 'pino'
import { lazy } from '../engine/lazy.ts'
import type { WriteLine } from './log.ts'
import { prettyLine } from './pretty-line.ts'
import { asOnePiece } from '../memo.ts'
import { printableJson } from './printable.ts'

/** From the least said to the most; `silent` says nothing. */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
/** How a log is written; with `none`, nothing is said. */
export const LOG_FORMATS = ['pretty', 'json', 'none'] as const

/** What a gateway says of its requests and of itself, on stderr. */
export interface LogOptions {
  /** The least important of what is said: requests are of `info`, those of the control plane of `debug`. Default: `info`. */
  readonly level?: (typeof LOG_LEVELS)[number] | undefined
  /** Lines for people or for programs. Default: `pretty` on a terminal, `json` elsewhere. */
  readonly format?: (typeof LOG_FORMATS)[number] | undefined
  /** Whether upstreams get an `X-Request-Id` with requests that came without one. Default: true. */
  readonly requestIds?: boolean | undefined
}

// It takes a while to load, and most gateways in tests have no log.
const pinoOf = lazy(() => createRequire(import.meta.url)('pino') as typeof import('pino'))

/** How long lines wait for others: to hand over each costs more than all the rest of writing it. */
const GATHER_MS = 20
const GATHER_LENGTH = 128 * 1024
/** Where nobody reads stderr, lines are left out rather than kept without end. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

// One for the process, so that the lines of several gateways stay whole.
const stderr = lazy(() => {
  const target = { dest: 2, sync: false, maxLength: MAX_WAITING_BYTES, contentMode: 'buffer' as const }
  const stream = pinoOf().destination(target)
  let gathered = ''
  let isTimed = false
  const handOver = (): void => {
    // What it takes in its other mode are texts.
    if (gathered !== '') stream.write(Buffer.from(gathered) as unknown as string)
    gathered = ''
  }
  const flush = (): void => {
    handOver()
    stream.flushSync()
  }
  process.on('exit', flush)
  return {
    flush,
    write(line: string): void {
      gathered += line
      if (gathered.length > GATHER_LENGTH) handOver()
      if (isTimed) return
      isTimed = true
      setTimeout(() => {
        isTimed = false
        handOver()
      }, GATHER_MS).unref()
    },
  }
})

/** A log on stderr. It is written a moment later, and before the process ends. */
export function openLog({ level = 'info', format }: LogOptions = {}): Logger {
  const chosen = format ?? (process.stderr.isTTY ? 'pretty' : 'json')
  const formatters = { level: (label: string) => ({ level: label }) }
  const options = { level: chosen === 'none' ? 'silent' : level, base: null, formatters }
  const logger = pinoOf().pino(options, destinationOf(chosen))
  if (chosen === 'json') {
    makePrintable(logger)
    jsonLogs.add(logger)
  }
  return logger
}

/** A logger, by pino's symbols. */
interface Internals {
  [symbol: symbol]: unknown
}

type AsJson = (this: Internals, fields: object, message: string, level: number, time: string) => string

// The lines of a log are such as a terminal may get.
function makePrintable(logger: Logger): void {
  const { asJsonSym } = pinoOf().symbols
  const own = logger as unknown as Internals
  const ofPino = own[asJsonSym] as AsJson
  const asJson: AsJson = function (...given) {
    return printableJson(ofPino.apply(this, given))
  }
  own[asJsonSym] = asJson
}

const jsonLogs = new WeakSet<object>()

/**
 * Writes lines of one kind, which have the same plain fields over and over: a log in JSON of our own gets them in a
 * fifth of the time that pino takes, which looks for serializers, redaction and nested values.
 * @returns nothing where the logger says nothing of this level
 */
export function lineWriter(logger: FastifyBaseLogger, level: 'info' | 'debug'): WriteLine | undefined {
  if (!says(logger, level)) return undefined
  const ofLogger: WriteLine = (usual, own, message) => logger[level]({ ...usual, ...own }, message)
  if (!jsonLogs.has(logger)) return ofLogger
  const stream = (logger as unknown as Internals)[pinoOf().symbols.streamSym] as DestinationStream
  const textOf = createFieldWriter()
  const written = new WeakMap<object, string>()
  const usualText = (usual: object): string | undefined => {
    const before = written.get(usual)
    if (before !== undefined) return before
    const text = textOf(usual)
    if (text !== undefined) written.set(usual, asOnePiece(text))
    return text
  }
  const endOf = createEnding()
  let moment = 0
  let start = ''
  return (usual, own, message) => {
    const text = usualText(usual)
    const ownText = textOf(own)
    if (text === undefined || ownText === undefined) return ofLogger(usual, own, message)
    const now = Date.now()
    if (now !== moment) {
      moment = now
      start = `{"level":"${level}","time":${now}`
    }
    stream.write(start + text + ownText + endOf(message))
  }
}

// The message is most often that of the line before.
function createEnding(): (message: string) => string {
  let last: string | undefined
  let text = ''
  return (message) => {
    if (message !== last) {
      last = message
      text = asOnePiece(`,"msg":${quoted(message)}}\n`)
    }
    return text
  }
}

/** Makes what writes fields as a part of JSON, each after a comma; `undefined` for what has a value that is not plain. */
function createFieldWriter(): (fields: object) => string | undefined {
  const starts = new Map<string, string>()
  return (fields) => {
    let text = ''
    for (const name in fields) {
      const value = (fields as Readonly<Record<string, unknown>>)[name]
      if (value === undefined) continue
      let start = starts.get(name)
      if (start === undefined) starts.set(name, (start = `,${quoted(name)}:`))
      if (typeof value === 'number' && Number.isFinite(value)) text += start + decimal(value)
      else if (typeof value === 'string') text += start + quoted(value)
      else if (typeof value === 'boolean') text += start + String(value)
      else return undefined
    }
    return text
  }
}

const THOUSAND = 1000
const THOUSANDTHS = Array.from({ length: THOUSAND }, (_, index) => String(index / THOUSAND).slice(1))

// Milliseconds with three places come in each line, and to write any other fraction takes far longer.
function decimal(value: number): string {
  const thousandths = Math.round(value * THOUSAND)
  if (Number.isSafeInteger(value) || value < 0 || thousandths > 1e9 || thousandths / THOUSAND !== value)
    return `${value}`
  return `${Math.trunc(value)}${THOUSANDTHS[thousandths % THOUSAND]}`
}

const PLAIN = /^[ !#-[\]-~]*$/

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : printableJson(JSON.stringify(text))
}

function destinationOf(format: (typeof LOG_FORMATS)[number]): DestinationStream {
  const destination = stderr()
  if (format !== 'pretty') return destination
  const hasColours = process.stderr.isTTY && process.stderr.hasColors()
  return { write: (line) => destination.write(prettyLine(line, hasColours)) }
}

/** Writes what of the log still waits, so that what is printed next comes after it. */
export function flushLog(): void {
  stderr().flush()
}

/** Whether a logger says things of this level. */
function says(logger: FastifyBaseLogger, level: 'info' | 'debug'): boolean {
  const { isLevelEnabled } = logger as Partial<Logger>
  if (isLevelEnabled !== undefined) return isLevelEnabled.call(logger, level)
  return LOG_LEVELS.indexOf(logger.level as 'info') >= LOG_LEVELS.indexOf(level)
}
