import { once } from 'node:events'
import { statSync } from 'node:fs'
import { watch } from 'chokidar'

/** Watches files until it is closed. */
interface FileWatch {
  /** Watches these files and no others, whether they are there yet or not. */
  follow(files: readonly string[]): void
  close(): Promise<void>
}

const SETTLE_MS = 50

/**
 * Calls back with the files that changed, once for a burst of changes. A call that is under way ends before the next.
 * Files that editors replace, or that are removed and come back, stay watched. Resolves once no change can be missed.
 */
export async function watchFiles(
  files: readonly string[],
  onChange: (files: readonly string[]) => Promise<void>,
): Promise<FileWatch> {
  const watcher = watch([...files], { ignoreInitial: true, atomic: SETTLE_MS })
  const states = new Map(files.map((file) => [file, stateOf(file)]))
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()

  const findChanged = (): string[] =>
    [...states].flatMap(([file, state]) => (stateOf(file) === state ? [] : [file]))
  const reportChanged = async (): Promise<void> => {
    const changed = findChanged()
    if (changed.length === 0) return
    for (const file of changed) states.set(file, stateOf(file))
    await onChange(changed)
    await reportChanged()
  }
  // The watcher leaves out changes that follow each other closely: it says when to look, and not what changed.
  const look = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      working = working.then(reportChanged)
    }, SETTLE_MS)
  }
  watcher.on('all', look).on('raw', look)
  await once(watcher, 'ready')
  return {
    follow(next) {
      const gone = [...states.keys()].filter((file) => !next.includes(file))
      const added = next.filter((file) => !states.has(file))
      watcher.unwatch(gone)
      watcher.add(added)
      for (const file of gone) states.delete(file)
      for (const file of added) states.set(file, stateOf(file))
    },
    async close() {
      clearTimeout(timer)
      await watcher.close()
      await working
    },
  }
}

function stateOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? 'missing' : `${stats.ino} ${stats.size} ${stats.mtimeNs}`
}
