import { randomUUID } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RecordingUnusable } from '../../errors.ts'

const MARK = /^\.(writer|change)-(\d+)-/
const DOES = { writer: 'written', change: 'changed' }
type Kind = keyof typeof DOES

/**
 * Says beside a recording that this process has it open to add to it. Returns what ends that.
 * @throws RecordingUnusable naming the process that changes what is in it
 */
export async function markWriter(directory: string): Promise<() => Promise<void>> {
  return mark(directory, 'writer', ['change'])
}

/**
 * Does something to a recording while no one else has it open for writing, and removes the marks of processes that ended
 * without. Of two that begin at the same time, at most one goes on.
 * @throws RecordingUnusable naming the process that writes it
 */
export async function alone<Result>(directory: string, work: () => Promise<Result>): Promise<Result> {
  const unmark = await mark(directory, 'change', ['writer', 'change'])
  try {
    return await work()
  } finally {
    await unmark()
  }
}

// Looks again once its mark is there, so that of two at the same time one at least sees the other.
async function mark(directory: string, kind: Kind, refused: readonly Kind[]): Promise<() => Promise<void>> {
  await refuse(directory, refused)
  const name = `.${kind}-${process.pid}-${randomUUID()}`
  const file = join(directory, name)
  await writeFile(file, '', { mode: 0o600 }).catch((error: Error) => {
    throw new RecordingUnusable(`Cannot write to the recording: ${error.message}`, { cause: error })
  })
  // Where it cannot be removed, it names a process that is no longer there.
  const unmark = (): Promise<void> => rm(file, { force: true }).catch(() => undefined)
  await refuse(directory, refused, name).catch(async (error: Error) => {
    await unmark()
    throw error
  })
  return unmark
}

async function refuse(directory: string, kinds: readonly Kind[], own?: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const [, kind, id] = (MARK.exec(name) ?? []) as [] | [string, Kind, string]
    if (kind === undefined || name === own || !kinds.includes(kind)) continue
    if (isRunning(Number(id)))
      throw new RecordingUnusable(
        `${directory} is being ${DOES[kind]} by process ${id}: stop it first. If that process does not use it, remove ${join(directory, name)}`,
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
