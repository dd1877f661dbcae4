import { randomUUID } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RecordingUnusable } from '../../errors.ts'

const WRITER = /^\.writer-(\d+)-/

/** Says beside a recording that this process has it open for writing. Returns what ends that. */
export async function markWriter(
  directory: string,
): Promise<(() => Promise<void>) & { readonly mark: string }> {
  const mark = `.writer-${process.pid}-${randomUUID()}`
  const file = join(directory, mark)
  await writeFile(file, '', { mode: 0o600 })
  return Object.assign(() => rm(file, { force: true }), { mark })
}

/**
 * Does something to a recording while no one else has it open for writing, and removes the marks of processes that ended
 * without. Of two that begin at the same time, at most one goes on.
 * @throws RecordingUnusable naming the process that writes it
 */
export async function alone<Result>(directory: string, work: () => Promise<Result>): Promise<Result> {
  await refuseWriters(directory)
  const unmark = await markWriter(directory).catch((error: Error) => {
    throw new RecordingUnusable(`Cannot write to the recording: ${error.message}`, { cause: error })
  })
  try {
    await refuseWriters(directory, unmark.mark)
    return await work()
  } finally {
    await unmark()
  }
}

async function refuseWriters(directory: string, own?: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const [, id] = WRITER.exec(name) ?? []
    if (id === undefined || name === own) continue
    if (isRunning(Number(id)))
      throw new RecordingUnusable(
        `${directory} is being written by process ${id}: stop it first. If that is not a gateway, remove ${join(directory, name)}`,
      )
    await rm(join(directory, name), { force: true })
  }
}

/** Whether there is a process with this number. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
