import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RecordingUnusable } from '../../errors.ts'
import { stateDirectory } from './state-directory.ts'

const BYTES = 32
const FILE = 'redaction.key'

/**
 * This user's key for pseudonyms, made on first use. It lies outside of all recordings, readable by its owner alone.
 * @throws RecordingUnusable when it can be neither read nor made
 */
export async function loadPseudonymKey(directory = stateDirectory()): Promise<Buffer> {
  const file = join(directory, FILE)
  try {
    return (await readKey(file)) ?? (await makeKey(directory, file))
  } catch (error) {
    throw new RecordingUnusable(
      `The key that hides secrets cannot be read at ${file}: ${(error as Error).message}. SIM_STATE_DIR names another directory`,
      { cause: error },
    )
  }
}

/** This user's key, where there is one that can be read. */
export async function findPseudonymKey(directory = stateDirectory()): Promise<Buffer | undefined> {
  return readKey(join(directory, FILE)).catch(() => undefined)
}

async function readKey(file: string): Promise<Buffer | undefined> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (bytes !== undefined && bytes.length !== BYTES)
    throw new Error(`it holds ${bytes.length} bytes, not ${BYTES}`)
  return bytes
}

// Linking a finished file fails where another process was first, and then that one's key counts.
async function makeKey(directory: string, file: string): Promise<Buffer> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(temporary, randomBytes(BYTES), { mode: 0o600 })
  await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(temporary)
  return (await readKey(file)) ?? Buffer.alloc(0)
}
