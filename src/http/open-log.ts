import { createRequire } from 'node:module'
import type { FastifyBaseLogger } from 'fastify'
import type { DestinationStream, Logger } from 'pino'
import { lazy } from '../engine/lazy.ts'
import { createMemo } from '../memo.ts'
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

/** How long lines wait for others: to hand over each costs more than all the rest of writing it. */
const GATHER_MS = 20
const GATHER_LENGTH = 32 * 1024
/** Where nobody reads stderr, lines are left out rather than kept without end. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

// One for the process, so that the lines of several gateways stay whole.
const stderr = lazy(() => {
  const target = { dest: 2, sync: false, maxLength: MAX_WAITING_BYTES, contentMode: 'buffer' as const }
  const stream = pinoOf().destination(target)
  let lines: string[] = []
  let length = 0
  let isTimed = false
  const handOver = (): void => {
    if (length > 0) stream.write(bytesOf(lines.join('')))
    lines = []
    length = 0
  }
  const flush = (): void => {
    handOver()
    stream.flushSync()
  }
  process.on('exit', flush)
  return {
    flush,
    write(line: string): void {
      lines.push(line)
      length += line.length
      if (length > GATHER_LENGTH) return handOver()
      if (isTimed) return
      isTimed = true
      setTimeout(() => {
        isTimed = false
        handOver()
      }, GATHER_MS).unref()
    },
  }
})

// UTF-8, as the stream wants its bytes; what is ASCII only takes half the time so.
function bytesOf(text: string): string {
  const isAscii = Buffer.byteLength(text) === text.length
  return Buffer.from(text, isAscii ? 'latin1' : 'utf8') as unknown as string
}

/** A log on stderr. It is written a moment later, and before the process ends. */
export function openLog({ level = 'info', format }: LogOptions = {}): Logger {
  const chosen = format ?? (process.stderr.isTTY ? 'pretty' : 'json')
  const formatters = { level: (label: string) => ({ level: label }) }
  const options = { level: chosen === 'none' ? 'silent' : level, base: null, formatters }
  const logger = pinoOf().pino(options, destinationOf(chosen))
  if (chosen === 'json') writeFast(logger)
  return logger
}

type WriteJson = (this: Internals, fields: object, message: string, level: number, time: string) => string

/** A logger, by pino's symbols. */
interface Internals {
  [symbol: symbol]: unknown
}

/**
 * Has lines of a logger be such as a terminal may get, and those of plain values, which requests have, be written in a
 * third of the time that pino takes, which looks for serializers, redaction and nested values.
 */
function writeFast(logger: Logger): void {
  const { asJsonSym, lsCacheSym } = pinoOf().symbols
  const own = logger as unknown as Internals
  const ofPino = own[asJsonSym] as WriteJson
  const levels = own[lsCacheSym] as Readonly<Record<number, string>>
  const write: WriteJson = function (fields, message, level, time) {
    // Children have fields of their own.
    const plain = this === own ? plainFields(fields) : undefined
    if (plain === undefined) return printableJson(ofPino.call(this, fields, message, level, time))
    return `${levels[level]}${time}${plain},"msg":${quoted(message)}}\n`
  }
  own[asJsonSym] = write
}

const names = createMemo<string>()

/** Fields as a part of JSON, each after a comma; `undefined` where a value is not plain. */
function plainFields(fields: object): string | undefined {
  let text = ''
  for (const name in fields) {
    const value = (fields as Readonly<Record<string, unknown>>)[name]
    if (value === undefined) continue
    let start = names.get(name)
    if (start === undefined) names.set(name, (start = `,${quoted(name)}:`))
    if (typeof value === 'string') text += start + quoted(value)
    else if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
      text += `${start}${value}`
    else return undefined
  }
  return text
}

const PLAIN = /^[ !#-[\]-~]*$/

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : printableJson(JSON.stringify(text))
}

function destinationOf(format: (typeof LOG_FORMATS)[number]): DestinationStream {
  if (format !== 'pretty') return { write: (line) => stderr().write(line) }
  const hasColours = process.stderr.isTTY && process.stderr.hasColors()
  return { write: (line) => stderr().write(prettyLine(line, hasColours)) }
}

/** Writes what of the log still waits, so that what is printed next comes after it. */
export function flushLog(): void {
  stderr().flush()
}

/** Whether a logger says things of this level. */
export function says(logger: FastifyBaseLogger, level: 'info' | 'debug'): boolean {
  const { isLevelEnabled } = logger as Partial<Logger>
  if (isLevelEnabled !== undefined) return isLevelEnabled.call(logger, level)
  return LOG_LEVELS.indexOf(logger.level as 'info') >= LOG_LEVELS.indexOf(level)
}
