import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { StoreSnapshot } from './store.ts'
import { SnapshotInvalid } from '../errors.ts'

/** Writes a snapshot as JSON. The file is replaced whole: a crash leaves the old one. */
export function writeSnapshot(file: string, snapshot: StoreSnapshot): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, `${JSON.stringify(snapshot)}\n`, { mode: 0o600 })
    renameSync(temporary, file)
  } catch (error) {
    throw new SnapshotInvalid(`The store could not be saved to ${file}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Reads a snapshot. @throws SnapshotInvalid when the file is missing or is none */
export function readSnapshot(file: string): StoreSnapshot {
  const snapshot = parseFile(file)
  const problem = findProblem(snapshot)
  if (problem !== undefined) throw new SnapshotInvalid(`${file} is not a snapshot of a store: ${problem}`)
  return snapshot as StoreSnapshot
}

function parseFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new SnapshotInvalid(`${file} could not be read as a snapshot: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** What is wrong with a value that is to be a snapshot; `undefined` where that is nothing. */
export function findProblem(snapshot: unknown): string | undefined {
  const { version, collections } = (snapshot ?? {}) as { version?: unknown; collections?: unknown }
  if (version !== 1) return `its version is ${JSON.stringify(version)}, and only 1 is known`
  if (collections === null || typeof collections !== 'object') return 'it has no collections'
  for (const [path, collection] of Object.entries(collections)) {
    const { assigned, items } = (collection ?? {}) as { assigned?: unknown; items?: unknown }
    if (!Number.isInteger(assigned)) return `${path} does not say how many ids it assigned`
    if (!Array.isArray(items) || !items.every(isEntry)) return `${path} does not hold pairs of id and item`
  }
  return undefined
}

function isEntry(entry: unknown): boolean {
  const [id, item] = Array.isArray(entry) && entry.length === 2 ? entry : []
  return typeof id === 'string' && item !== null && typeof item === 'object'
}
