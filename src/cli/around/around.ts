import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageInvalid } from '../../errors.ts'
import { closeBesides, type Place } from '../../http/listeners.ts'
import { flushLog } from '../../http/open-log.ts'
import { caDirectory, type TlsOptions } from '../../http/tls-interception.ts'
import type { RunOutput } from '../run-output.ts'
import { summaryText } from '../run-report.ts'
import type { Serving } from '../serve-flags.ts'
import { listenAll, nameOf, printAddress, type Listening } from '../serve.ts'
import { commandEnvironment } from './environment.ts'
import { javaTrustStore } from './java-trust.ts'
import { runCommand } from './run-command.ts'
import { writeTrust } from './trust.ts'

/** A command that a gateway is started for, as it was given after `--`; absent where there is none. */
export type Around = readonly string[] | undefined

/** @throws UsageInvalid where no one gateway can be around a command */
export function readAround(given: object, { workers }: Pick<Serving, 'workers'>): Around {
  const { '--': command } = given as { readonly '--'?: readonly (string | number)[] }
  if (command === undefined) return undefined
  if (workers > 1)
    throw new UsageInvalid(
      '--workers serves by several processes, and a command needs one: leave out one of both',
    )
  return command.map(String)
}

/** TLS as a command needs it: all of it ends here, unless it is said whose. */
export function tlsAround(tls: TlsOptions = {}): TlsOptions {
  return (tls.intercept ?? []).length > 0 ? tls : { ...tls, intercept: ['*'] }
}

const DRAIN_MS = 2_000
const CHECK_MS = 50
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
  await close(app)
  // What it served may have been found wanting.
  const ended = isBroken ? FAILED : code === 0 ? Number(process.exitCode ?? 0) : code
  report.add('exitCode', ended)
  flushLog()
  if (!isQuiet) process.stderr.write(summaryText(report.summary()))
  process.exit(ended)
}

// Whoever the command left behind is cut off.
async function close(app: Listening): Promise<void> {
  setTimeout(() => app.server.closeAllConnections(), DRAIN_MS).unref()
  const timer = setInterval(() => app.server.closeIdleConnections(), CHECK_MS)
  await Promise.all([closeBesides(app.server), app.close()])
  clearInterval(timer)
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
