import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageInvalid } from '../../errors.ts'
import type { Place } from '../../http/listeners.ts'
import { flushLog } from '../../http/open-log.ts'
import { caDirectory } from '../../http/tls-interception.ts'
import type { RunOutput } from '../run-output.ts'
import { summaryText } from '../run-report.ts'
import { closeInTime, listenAll, nameOf, printAddress, type Listening } from '../serve.ts'
import { commandEnvironment } from './environment.ts'
import { javaTrustStore } from './java-trust.ts'
import { runCommand } from './run-command.ts'
import { writeTrust } from './trust.ts'

const DRAIN_MS = 2_000
const FAILED = 1

/** What serving around a command needs besides the app. */
export interface AroundOptions {
  readonly command: readonly string[]
  /** Where the certificate authority lives; this user's own by default. */
  readonly caDirectory: string | undefined
  readonly output: Pick<RunOutput, 'report' | 'isQuiet'>
}

/**
 * Serves while a command runs, and ends with its exit code; with that of this process where the command's is 0.
 * @throws NotListening when a place cannot be had; UsageInvalid where none is an address
 */
export async function serveAround(
  app: Listening,
  places: readonly Place[],
  { command, caDirectory: directory, output: { report, isQuiet } }: AroundOptions,
): Promise<void> {
  const listening = await listenAll(app, places)
  const url = listening.map(urlOf).find((each) => each !== undefined)
  if (url === undefined) throw new UsageInvalid('A command needs an address: give --port besides --listen')
  if (!isQuiet) for (const place of listening) printAddress(place, process.stderr)
  report.add('url', url)
  report.add('command', command)
  const folder = await mkdtemp(join(tmpdir(), 'sim-command-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const running = runCommand(command, await environmentOf(url, folder, directory))
  let isBroken = false
  const onClose = (): void => {
    isBroken = true
    process.stderr.write('The gateway ended before the command did\n')
    running.stop()
  }
  app.server.once('close', onClose)
  const code = await running.ended
  app.server.off('close', onClose)
  // Whoever the command left behind is cut off.
  await closeInTime(app, DRAIN_MS)
  // What it served may have been found wanting.
  const ended = isBroken ? FAILED : code === 0 ? Number(process.exitCode ?? 0) : code
  report.add('exitCode', ended)
  flushLog()
  if (!isQuiet) process.stderr.write(summaryText(report.summary()))
  process.exit(ended)
}

async function environmentOf(
  url: string,
  folder: string,
  directory = caDirectory(),
): Promise<Record<string, string | undefined>> {
  const { openAuthority } = await import('../../http/certificate-authority.ts')
  const { certFile } = await openAuthority(directory)
  const [trust, javaStore] = await Promise.all([
    writeTrust(folder, certFile, process.env),
    javaTrustStore(certFile, process.env),
  ])
  return commandEnvironment({ url, trust, javaStore })
}

function urlOf(place: Place): string | undefined {
  if ('path' in place) return undefined
  const isAny = place.host === '0.0.0.0' || place.host === '::'
  return `http://${nameOf(isAny ? { ...place, host: '127.0.0.1' } : place)}`
}
