import { createRequire } from 'node:module'
import type { FastifyBaseLogger } from 'fastify'
import type { DestinationStream, Logger } from 'pino'
import { lazy } from '../engine/lazy.ts'
import type { WriteLine } from './log.ts'
import { LineBuffer, type SharedParts } from './line-buffer.ts'
import { prettyLine } from './pretty-line.ts'
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

/** Where nobody reads stderr, lines are left out rather than kept without end. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

// One for the process, so that the lines of several gateways stay whole.
const stderr = lazy(() => {
  const target = { dest: 2, sync: false, maxLength: MAX_WAITING_BYTES, contentMode: 'buffer' as const }
  const stream = pinoOf().destination(target)
  // What it takes in its other mode are texts.
  const lines = new LineBuffer((bytes) => stream.write(bytes as unknown as string))
  const flush = (): void => {
    lines.flush()
    stream.flushSync()
  }
  process.on('exit', flush)
  return { lines, flush }
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
const NOTHING = Buffer.alloc(0)

/**
 * Writes lines of one kind, which have the same plain fields over and over: a log in JSON of our own gets them in a
 * small part of the time that pino takes, which looks for serializers, redaction and nested values.
 * @returns nothing where the logger says nothing of this level
 */
export function lineWriter(logger: FastifyBaseLogger, level: 'info' | 'debug'): WriteLine | undefined {
  if (!says(logger, level)) return undefined
  const ofLogger: WriteLine = (usual, own, message) => logger[level]({ ...usual, ...own }, message)
  if (!jsonLogs.has(logger)) return ofLogger
  const lines = (logger as unknown as Internals)[pinoOf().symbols.streamSym] as LineBuffer
  const written = new WeakMap<object, Uint8Array>()
  let moment = 0
  let last: string | undefined
  const parts: SharedParts = { start: NOTHING, fields: NOTHING, end: NOTHING }
  return (usual, own, message) => {
    let fields = written.get(usual)
    if (fields === undefined) {
      fields = fieldsOf(usual)
      if (fields === undefined) return ofLogger(usual, own, message)
      written.set(usual, fields)
    }
    const now = Date.now()
    if (now !== moment) {
      moment = now
      parts.start = Buffer.from(`{"level":"${level}","time":${now}`)
    }
    parts.fields = fields
    if (message !== last) {
      last = message
      parts.end = Buffer.from(`,"msg":${printableJson(JSON.stringify(message))}}\n`)
    }
    if (!lines.writeFields(parts, own)) ofLogger(usual, own, message)
  }
}

/** Fields as a part of JSON, each after a comma; `undefined` where one has a value that is not plain. */
function fieldsOf(fields: object): Uint8Array | undefined {
  if (Object.values(fields).some((value) => typeof value === 'object')) return undefined
  const text = printableJson(JSON.stringify(fields)).slice(1, -1)
  return Buffer.from(text === '' ? '' : `,${text}`)
}

function destinationOf(format: (typeof LOG_FORMATS)[number]): DestinationStream {
  const destination = stderr().lines
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
