import { relative } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { LoadedVersion, Versions } from '../loaders/watch/versions.ts'
import { watchFiles } from '../loaders/watch/watch-files.ts'
import type { Limits } from '../http/limits.ts'
import type { Place } from '../http/listeners.ts'
import { createHotServer } from './hot-server.ts'
import type { Listening } from './serve.ts'

/** Makes an app of loaded targets. */
type Build = (version: LoadedVersion) => FastifyInstance

/**
 * Serves the first version of some targets, and a new one whenever one of their files changes. One that cannot be
 * loaded or built is reported, and the last one goes on answering.
 * @throws SimError as loading does, for the first version
 */
export async function serveWatched(
  versions: Versions,
  build: Build,
  places: readonly Place[],
  limits: Limits | undefined,
  serveApp: (app: Listening, ...at: readonly Place[]) => Promise<void>,
): Promise<void> {
  const first = await versions.load()
  const server = await createHotServer(build(first), limits)
  first.begin()
  let lastReason: string | undefined

  const reload = async (changed: readonly string[]): Promise<void> => {
    try {
      const next = await versions.load()
      await server.replace(build(next), () => next.begin().forEach(printLine))
      printLine(`reloaded: ${changed.map((file) => relative(process.cwd(), file)).join(', ')} changed`)
      lastReason = undefined
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (reason !== lastReason) printLine(`${reason}\nnot reloaded: the last good version goes on answering`)
      lastReason = reason
    }
  }
  const watch = await watchFiles(versions.files(), async (changed) => {
    await reload(changed)
    watch.follow(versions.files())
  })
  const close = async (): Promise<void> => void (await Promise.all([server.close(), watch.close()]))
  await serveApp({ ...server, close }, ...places)
}

function printLine(line: string): void {
  process.stderr.write(`${line}\n`)
}
