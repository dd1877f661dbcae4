import { randomUUID } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RecordingUnusable } from '../../errors.ts'

const WRITER = /^\.writer-(\d+)-/

/** Says beside a recording that this process has it open for writing. Returns what ends that. */
export async function markWriter(directory: string): Promise<() => Promise<void>> {
  const file = join(directory, `.writer-${process.pid}-${randomUUID()}`)
  await writeFile(file, '', { mode: 0o600 })
  return () => rm(file, { force: true })
}

/**
 * Makes sure that no process has a recording open for writing, and removes the marks of those that ended without.
 * @throws RecordingUnusable naming the process
 */
export async function refuseWriters(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const [, id] = WRITER.exec(name) ?? []
    if (id === undefined) continue
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
