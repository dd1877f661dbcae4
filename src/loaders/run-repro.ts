import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkRepro, isExpected, readRepro, type ReproData } from '../control/explain/repro-data.ts'
import { SnapshotInvalid } from '../errors.ts'
import type { MemoryResponse } from '../http/memory-transport.ts'
import { openInProcess, type AppGatewayOptions } from '../gateway.ts'
import type { Seed } from '../engine/random.ts'
import { createPastSession } from '../state/past.ts'
import type { Overrides } from '../api.ts'
import { joinLoaded } from './join-apps.ts'
import { loadApi } from './load-target.ts'
import type { LoadedApi } from './target.ts'

/** What a folder of `sim repro` answers. */
export interface ReproResult {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer
  /** Whether status and body are the same as where the folder was made. */
  readonly same: boolean
  /** Status, size and how it compares, in a line. */
  readonly summary: string
}

/**
 * Answers the request of a folder that `sim repro` wrote, in this process and from nothing but the folder.
 * @throws SnapshotInvalid for another folder; SimError as loading the app does
 */
export async function runRepro(folder: string): Promise<ReproResult> {
  const data = readData(join(folder, 'repro.json'))
  const { past, request, watch } = readRepro(data)
  const gateway = await openInProcess(await optionsOf(data, folder))
  try {
    const session = createPastSession(past, gateway.redactor)
    const response = await gateway.rerun(request, session, watch)
    const same = isExpected(data, response)
    return { ...response, same, summary: summaryOf(data, response, same) }
  } finally {
    await gateway.close()
  }
}

function summaryOf(
  { secrets_hidden: hidden = 0 }: ReproData,
  { status, body }: MemoryResponse,
  same: boolean,
): string {
  const answer = `${status}, ${body.length} bytes`
  if (!same) return `${answer}: NOT the same as then, which repro.json has as its answer`
  return hidden === 0
    ? `${answer}: the same as then`
    : `${answer}: what is answered without the secrets of then (${hidden} hidden); other bytes were sent`
}

function readData(file: string): ReproData {
  let data: unknown
  try {
    data = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new SnapshotInvalid(`${file} could not be read: ${(error as Error).message}`, { cause: error })
  }
  return checkRepro(data, file)
}

async function optionsOf({ app }: ReproData, folder: string): Promise<AppGatewayOptions> {
  const directory = resolve(folder, 'app', app.directory)
  const before = process.cwd()
  const loaded: LoadedApi[] = []
  try {
    // Modules may read files where the command ran, which none of the folder's need have been in.
    mkdirSync(directory, { recursive: true })
    process.chdir(directory)
    for (const { target, options } of app.targets) {
      const { seedDrawn, ...own } = options as Overrides
      const api = await loadApi(target, 'run again', directory, { options: own })
      const overrides = { ...api.overrides, ...own, ...(seedDrawn !== undefined && { seedDrawn }) }
      loaded.push({ ...api, overrides })
    }
  } finally {
    process.chdir(before)
  }
  const [first] = loaded
  const options =
    app.joined || first === undefined
      ? joinLoaded(loaded, {}, Number(app.gateway_seed satisfies Seed))
      : first.api.gatewayOptions(first.overrides)
  return { ...options, defaults: app.defaults, cors: app.cors as AppGatewayOptions['cors'] }
}
