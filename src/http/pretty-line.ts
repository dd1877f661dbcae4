import { printable, printableLines } from './printable.ts'

type Fields = Readonly<Record<string, unknown>>

const RED = 31
const GREEN = 32
const YELLOW = 33
const CYAN = 36
const DIM = 2

const LEVELS: Readonly<Record<string, number>> = {
  fatal: RED,
  error: RED,
  warn: YELLOW,
  info: GREEN,
  debug: DIM,
  trace: DIM,
}
/** What the first part of a line says, and what need not be said again after it. */
const SHOWN = new Set([
  ...['level', 'time', 'msg', 'err', 'method', 'path', 'host', 'status', 'ms', 'bytes', 'by', 'route'],
  ...['id', 'requestId', 'mode'],
])

/** A line of the log for people. Nothing in it but its own colours is obeyed by a terminal. */
export function prettyLine(json: string, hasColours: boolean): string {
  const fields = JSON.parse(json) as Fields
  const paint = (code: number, text: string): string =>
    hasColours && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text
  const { time, level, err } = fields
  const said = fields['by'] === undefined ? messageOf(fields, paint) : requestOf(fields, paint)
  const rest = Object.entries(fields)
    .filter(([name, value]) => !SHOWN.has(name) && value !== '')
    .map(([name, value]) => paint(DIM, `${printable(name)}=${textOf(value)}`))
  const stack = (err as { readonly stack?: string } | undefined)?.stack
  const parts = [
    paint(DIM, timeOf(Number(time))),
    paint(LEVELS[String(level)] ?? DIM, String(level).toUpperCase().padEnd(5)),
    said,
    ...rest,
  ]
  return `${parts.filter((part) => part !== '').join(' ')}\n${stack === undefined ? '' : `${printableLines(stack)}\n`}`
}

type Paint = (code: number, text: string) => string

function messageOf({ msg, requestId }: Fields, paint: Paint): string {
  const id = requestId === undefined ? '' : ` ${paint(DIM, textOf(requestId))}`
  return `${textOf(msg ?? '')}${id}`
}

function requestOf(fields: Fields, paint: Paint): string {
  const { method, host = '', path, status, ms, bytes, by, route, id, requestId } = fields
  return [
    method === undefined ? 'no request' : `${textOf(method)} ${textOf(host)}${textOf(path)}`,
    paint(colourOf(Number(status ?? 0)), status === undefined ? 'broken off' : textOf(status)),
    ms === undefined ? '' : `${textOf(ms)} ms`,
    bytes === undefined ? '' : sizeOf(Number(bytes)),
    paint(CYAN, textOf(by)),
    route === undefined ? '' : textOf(route),
    paint(DIM, `${id === undefined ? '' : `#${textOf(id)}`} ${textOf(requestId ?? '')}`.trim()),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function colourOf(status: number): number {
  if (status >= 500 || status === 0) return RED
  return status >= 400 ? YELLOW : GREEN
}

function textOf(value: unknown): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value))
}

function timeOf(time: number): string {
  return new Date(time).toISOString().slice(11, 23)
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
