import { createHash, hash, randomUUID, type Hash } from 'node:crypto'
import { access, lstat, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { addTo } from '../../grouping.ts'

/** A body on its way to disk, under a temporary name until all of it is there. */
export interface BodyFile {
  write(chunk: Buffer): Promise<void>
  /** Ends the file and gives it its name, its SHA-256 in hex; a body already stored is not stored twice. */
  keep(): Promise<string>
  /** Removes what was written; returns the SHA-256 of it, which may go on. */
  discard(): Promise<Hash>
}

const TEMPORARY = '.tmp'
const STALE_MS = 24 * 60 * 60 * 1000

/** Begins a body in `directory`, hashed as it is written and readable only to this user. */
export async function createBodyFile(directory: string): Promise<BodyFile> {
  const path = join(directory, `${randomUUID()}${TEMPORARY}`)
  const handle = await open(path, 'wx', 0o600)
  const digest = createHash('sha256')

  const discard = async (): Promise<Hash> => {
    await handle.close()
    await rm(path, { force: true })
    return digest
  }
  return {
    discard,
    async write(chunk) {
      digest.update(chunk)
      await handle.appendFile(chunk)
    },
    async keep() {
      await handle.close()
      const sha256 = digest.digest('hex')
      const target = join(directory, sha256)
      if (!(await exists(target))) await rename(path, target)
      await rm(path, { force: true })
      return sha256
    },
  }
}

/** Stores a whole body; returns its SHA-256 in hex. */
export async function storeBody(directory: string, bytes: Buffer): Promise<string> {
  const sha256 = hash('sha256', bytes)
  if (await exists(join(directory, sha256))) return sha256
  const file = await createBodyFile(directory)
  try {
    await file.write(bytes)
    return await file.keep()
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** Whether a recording may name a body so: it may come from someone else, and must not make us read other files. */
export function isBodyPath(file: unknown): boolean {
  return typeof file === 'string' && /^bodies\/[0-9a-f]{64}$/.test(file)
}

/** The bytes of a stored body. */
export async function readBodyFile(path: string): Promise<Buffer> {
  await sizeOfBody(path)
  return readFile(path)
}

/** How long a stored body is. A link may lead to any file, and a pipe or a device may have no end: neither is one. */
export async function sizeOfBody(path: string): Promise<number> {
  const state = await lstat(path)
  if (!state.isFile()) throw new Error('it is not a file')
  return state.size
}

/** Removes what a crash left behind. Files of the last day stay: another process may be writing them. */
export async function removeStaleFiles(directory: string, now = Date.now()): Promise<void> {
  const names = await readdir(directory)
  for (const path of names.filter((name) => name.endsWith(TEMPORARY)).map((name) => join(directory, name))) {
    const { mtimeMs } = await stat(path)
    if (now - mtimeMs > STALE_MS) await rm(path, { force: true })
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Bodies that are being stored, or are stored and not yet named by a line, which nothing may remove. */
interface KeptBodies {
  /** Stores a body, and keeps it until it is named. */
  keep(store: () => Promise<string>): Promise<string>
  /** An exchange was written, which names these bodies from now on. */
  areNamed(bodies: readonly string[]): void
  /** Does something while no body is being stored. */
  alone(work: (isKept: (sha256: string) => boolean) => Promise<void>): Promise<void>
}

/** Keeps none yet. */
export function createKeptBodies(): KeptBodies {
  const counts = new Map<string, number>()
  const storing = new Set<Promise<unknown>>()
  let working: Promise<void> | undefined

  const untilFree = async (): Promise<void> => {
    if (working === undefined) return
    await working.catch(() => undefined)
    return untilFree()
  }
  return {
    async keep(store) {
      await untilFree()
      const stored = store()
      storing.add(stored)
      try {
        const sha256 = await stored
        addTo(counts, sha256)
        return sha256
      } finally {
        storing.delete(stored)
      }
    },
    areNamed(bodies) {
      for (const sha256 of bodies) {
        const left = (counts.get(sha256) ?? 0) - 1
        if (left > 0) counts.set(sha256, left)
        else counts.delete(sha256)
      }
    },
    async alone(work) {
      working = Promise.allSettled(storing).then(() => work((sha256) => counts.has(sha256)))
      try {
        await working
      } finally {
        working = undefined
      }
    },
  }
}
