import { createReadStream, type ReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { FileNotWritten, SnapshotInvalid } from '../errors.ts'
import { TEXT, type Option } from '../pipeline/option.ts'
import { commonKeys } from '../state/redis/keys.ts'
import { publishChanges } from '../state/redis/publish.ts'
import { restoreSession } from '../state/redis/session-items.ts'
import { SessionKeys } from '../state/redis/session-keys.ts'
import { snapshotPieces } from '../state/redis/snapshot-pieces.ts'
import { readSnapshotStream } from '../state/snapshot-stream.ts'
import { OUTPUT_FLAGS, type Command, type OutputFlags } from './command.ts'
import { readFlags } from './flags.ts'
import { createProgress } from './progress.ts'
import { sayBehind, SERVER_FLAGS, SESSION_FLAGS, sessionOf, titleOf, withState } from './state-server.ts'
import { counted } from './text.ts'

const SNAPSHOT_FLAGS: Readonly<Record<'output' | 'quiet', Option>> = {
  output: {
    ...TEXT,
    flag: {
      ...{ name: 'output', alias: 'o', describe: 'File to write', required: true, requiresArg: true },
    },
  },
  quiet: OUTPUT_FLAGS.quiet,
}

/** `sim state snapshot` */
export const snapshot: Command = {
  command: 'snapshot',
  describe: 'Write all items of a session to a file, as of one moment',
  flags: [SERVER_FLAGS, SESSION_FLAGS, SNAPSHOT_FLAGS],
  examples: [['$0 state snapshot -o store.json', 'That sim state restore, and PUT /__sim/snapshot, take']],
  run: (given) =>
    withState(given, async ({ server, namespace }) => {
      const session = sessionOf(given)
      const flags = readFlags<{ readonly output: string; readonly quiet?: boolean }>(given, SNAPSHOT_FLAGS)
      const seed = (await server.command(['HGET', commonKeys(namespace).parts(session), 'seed'], true)) as
        string | null
      const progress = createProgress('items written', flags.quiet === true)
      const temporary = `${flags.output}.${process.pid}.tmp`
      const file = await open(temporary, 'w', 0o600).catch((error: Error) => {
        throw new FileNotWritten(`${flags.output} could not be written: ${error.message}`, { cause: error })
      })
      let items = 0
      try {
        const restart = async (): Promise<void> => {
          await file.truncate(0)
          items = 0
        }
        let at = 0
        const pieces = snapshotPieces(server, new SessionKeys(namespace, session), seed, async () => {
          await restart()
          at = 0
        })
        for await (const piece of pieces) {
          const { bytesWritten } = await file.write(piece.text, at)
          at += bytesWritten
          progress.at((items += piece.items))
        }
        await file.sync()
        await rename(temporary, flags.output)
      } finally {
        await file.close()
        await rm(temporary, { force: true })
      }
      progress.end()
      process.stdout.write(`Wrote ${counted(items, 'item')} of ${titleOf(session)} to ${flags.output}\n`)
    }),
}

/** `sim state restore` */
export const restore: Command = {
  command: 'restore <file>',
  describe: 'Put the items of a snapshot in the place of those of a session, all or none',
  positionals: { file: { ...TEXT, describe: 'File of sim state snapshot, or of GET /__sim/snapshot' } },
  flags: [SERVER_FLAGS, SESSION_FLAGS, { quiet: OUTPUT_FLAGS.quiet }],
  examples: [['$0 state restore store.json --session worker-1', 'Into another session, too']],
  run: ({ file, ...given }) =>
    withState(given, async ({ server, namespace }) => {
      const session = sessionOf(given)
      const { quiet = false } = readFlags<OutputFlags>(given, { quiet: OUTPUT_FLAGS.quiet } as never)
      const restoring = restoreSession(server, new SessionKeys(namespace, session))
      const progress = createProgress('items read', quiet)
      let read = 0
      try {
        const chunks = await openFile(String(file))
        const head = await readSnapshotStream(String(file), chunks, (entry) => {
          progress.at(++read)
          return restoring.add(entry)
        })
        let items = 0
        const behind = await publishChanges(server, namespace, async () => {
          items = await restoring.finish(head)
          return head.seed === undefined ? [] : [[session, 'seed', JSON.stringify(head.seed)]]
        })
        progress.end()
        process.stdout.write(`Restored ${counted(items, 'item')} of ${titleOf(session)}\n`)
        sayBehind(behind)
      } catch (error) {
        await restoring.drop()
        throw error
      }
    }),
}

async function openFile(file: string): Promise<ReadStream> {
  await stat(file).catch((error: Error) => {
    throw new SnapshotInvalid(`${file} could not be read as a snapshot: ${error.message}`, { cause: error })
  })
  return createReadStream(file, { highWaterMark: 1024 * 1024 })
}
