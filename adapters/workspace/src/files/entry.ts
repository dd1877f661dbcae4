import type { ReportProblem } from 'sim-gateway/adapter'
import { pathOf } from './read.ts'

/** A file or directory of a fixture. */
export interface FileEntry {
  readonly path: string
  readonly directory?: boolean
  readonly text?: string
  readonly base64?: string
}

export const fileEntryProperties = {
  path: { type: 'string', pattern: '^/', description: 'Absolute.' },
  directory: { type: 'boolean', description: 'Makes a directory. Default: false.' },
  text: { type: 'string', description: 'What the file holds, as text.' },
  base64: {
    type: 'string',
    pattern: '^[A-Za-z0-9+/]*={0,2}$',
    description: 'What the file holds, as base64.',
  },
}

/** What the file of an entry holds. */
export function bytesOfEntry({ text, base64 }: FileEntry): Buffer {
  return base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64')
}

/** Reports entries that stand in each other's way, or say what they hold in two ways. */
export function checkEntries(entries: readonly FileEntry[], key: string, report: ReportProblem): void {
  const isFile = new Map<string, boolean>()
  for (const [index, entry] of entries.entries()) {
    const segments = entry.path.split('/').filter((segment) => segment !== '')
    const path = pathOf(segments)
    if (segments.length === 0) report([key, index, 'path'], 'must not be the root, which is always there')
    if (segments.some((segment) => segment === '.' || segment === '..'))
      report([key, index, 'path'], 'must not contain . or .. segments')
    const holds = [entry.text, entry.base64].filter((each) => each !== undefined).length
    if (holds > (entry.directory === true ? 0 : 1))
      report([key, index], 'must have either text or base64, and neither for a directory')
    if (isFile.has(path)) report([key, index, 'path'], `must not be declared twice: ${path}`)
    isFile.set(path, entry.directory !== true)
  }
  for (const [index, { path }] of entries.entries())
    for (const parent of parentsOf(path))
      if (isFile.get(parent) === true)
        report([key, index, 'path'], `must not lie below ${parent}, which is declared as a file`)
}

function parentsOf(path: string): readonly string[] {
  const segments = path.split('/').filter((segment) => segment !== '')
  return segments.slice(1).map((_, index) => pathOf(segments.slice(0, index + 1)))
}
