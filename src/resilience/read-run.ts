import { isObject } from '../engine/schema/schema.ts'
import { RunUnreadable } from '../errors.ts'
import type { AttemptEntry } from './attempts.ts'
import type { ChaosReport } from './report-form.ts'
import { chaosReport } from './report.ts'

/**
 * The report of a run that was saved: a report as it was written, by itself or in one of `--report`, or the requests of a journal, as a list or one a line.
 * @throws RunUnreadable saying what in it is not one
 */
export function reportIn(text: string, name: string): ChaosReport {
  const given = parse(text, name)
  // What --report writes has it among others.
  const data = isObject(given) && isObject(given['chaos']) ? given['chaos'] : given
  if (isObject(data) && Array.isArray(data['clients']) && Array.isArray(data['injected']))
    return data as unknown as ChaosReport
  return chaosReport({ entries: entriesIn(data, name) })
}

/** The requests of a journal as the control plane has them. @throws RunUnreadable for anything else */
export function entriesIn(data: unknown, name: string): readonly AttemptEntry[] {
  const entries = isObject(data) ? data['requests'] : data
  if (!Array.isArray(entries))
    throw new RunUnreadable(`${name} is neither a report nor a list of requests as /__sim/requests has them`)
  return entries.map((entry, index) => entryIn(entry, `request ${index + 1} of ${name}`))
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line, index) => parseLine(line, index === 0 ? name : `line ${index + 1} of ${name}`, error))
  }
}

function parseLine(line: string, where: string, whole: unknown): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    throw new RunUnreadable(`${where} is not JSON: ${(whole as Error).message}`)
  }
}

const NAMES: Readonly<Record<string, string>> = {
  duration_ms: 'durationMs',
  arrived_ms: 'arrivedMs',
  retry_headers: 'retryHeaders',
  request_body: 'requestBody',
}

function entryIn(entry: unknown, where: string): AttemptEntry {
  const named = isObject(entry)
    ? Object.fromEntries(Object.entries(entry).map(([name, value]) => [NAMES[name] ?? name, value]))
    : {}
  const missing = ['id', 'time', 'method', 'path', 'durationMs'].find((name) => named[name] === undefined)
  if (missing !== undefined || !Array.isArray(named['headers']))
    throw new RunUnreadable(`${where} is not one of a journal: it has no ${missing ?? 'headers'}`)
  return named as unknown as AttemptEntry
}
