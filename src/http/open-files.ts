import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { TooManyOpenFiles } from '../errors.ts'
import type { Log } from './log.ts'

/** So many files and connections are needed to start at all. */
export const MIN_FILES = 128
/** With fewer than so many, a command says at its start how many there are. */
const FEW_FILES = 1024
/** Connections of clients leave some for those to upstreams, and for files; of a low limit an eighth. */
const MAX_RESERVE = 64
/** How long none may have been refused until the next is news again. */
const QUIET_MS = 10_000

let limit: number | undefined

/** How many files and connections this process may have open at once; `Infinity` where the system does not say. */
export function openFilesLimit(): number {
  return (limit ??= readLimit())
}

function readLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? Infinity : Number(soft)
  } catch {
    return Infinity
  }
}

/** What is to be said at the start where there are few; nothing elsewhere. */
export function fewFilesNote(): string | undefined {
  const files = openFilesLimit()
  return files < FEW_FILES
    ? `warning: at most ${files} files and connections can be open at once (ulimit -n), so that clients beyond about ${Math.floor(files / 3)} at a time are answered 503`
    : undefined
}

/**
 * Whether a connection took one of the last descriptors that are free. A system gives out the lowest, so that its number
 * says how many there are at least.
 */
export function isOneTooMany(socket: unknown): boolean {
  const { _handle: handle } = socket as { readonly _handle?: { readonly fd?: number } | null }
  return (handle?.fd ?? 0) >= openFilesLimit() - reserve()
}

/** Whether so few are left that even a refusal is more than can be afforded. */
export function isLast(socket: Socket): boolean {
  const { _handle: handle } = socket as unknown as { readonly _handle?: { readonly fd?: number } | null }
  return (handle?.fd ?? 0) >= openFilesLimit() - reserve() / 2
}

function reserve(): number {
  return Math.min(MAX_RESERVE, openFilesLimit() / 8)
}

/** The error that stands for what the system says where no more can be open; nothing for all others. */
export function asTooManyOpenFiles(error: Error): TooManyOpenFiles | undefined {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EMFILE' || code === 'ENFILE' ? new TooManyOpenFiles(openFilesLimit(), error) : undefined
}

let refusedAt = -Infinity

/** Says once, until it has passed, that no more can be open. */
export function warnOfOpenFiles(log: Log, error: TooManyOpenFiles): void {
  const now = performance.now()
  if (now - refusedAt > QUIET_MS) log.warn(`${error.message} (${error.code})`)
  refusedAt = now
}
