import { constants } from 'node:fs'
import { access, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { RecordingUnusable } from '../../errors.ts'
import { exchangesPath } from './lines.ts'

/**
 * Makes what is missing of the recording in `directory`, which another process may be writing.
 * @throws RecordingUnusable when it cannot be made
 */
export async function makeRecording(directory: string): Promise<void> {
  try {
    await makeDirectories(join(directory, 'bodies'))
    await (await open(exchangesPath(directory), 'a', 0o600)).close()
  } catch (error) {
    throw new RecordingUnusable(`Cannot record to ${directory}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Makes the folder of long bodies, and those that it is in. */
export async function makeDirectories(bodies: string): Promise<void> {
  await mkdir(bodies, { recursive: true, mode: 0o700 })
  await access(bodies, constants.W_OK | constants.X_OK)
}
