import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Engine } from '../engine/engine.ts'
import type { Store } from '../state/store.ts'
import type { RecordingLimits } from '../recording/files/recording-limits.ts'
import { loadPseudonymKey } from '../recording/redaction/pseudonym-key.ts'
import { createRedactor, type Redactor } from '../recording/redaction/redactor.ts'
import type { RedactionRules } from '../recording/redaction/secrets.ts'
import { createDescribe } from './describe.ts'
import { type DriftReport, findingText } from '../recording/drift/drift-log.ts'
import { loadModes } from '../modes/modes.ts'
import { createModes, type Modes, type ModeSettings } from '../modes/choose-mode.ts'
import { createDriftWatch, type DriftWatch } from '../recording/drift/drift-watch.ts'
import type { Answerers } from '../modes/mode.ts'
import { checkReplayOptions, type ReplayOptions } from '../recording/replay/replay-options.ts'
import type { Replayer } from '../recording/replay/replayer.ts'
import type { Recorder, RecorderOptions } from '../recording/capture/recorder.ts'
import { createMounts, type AdapterMount } from './adapters/mount.ts'
import { createTargets, type TargetOptions } from '../upstream/targets/create-targets.ts'
import type { Listening } from '../upstream/targets/guard.ts'
import { createUpstream, type UpstreamOptions } from '../upstream/upstream.ts'
import { undici } from '../upstream/undici.ts'

/** Who answers, and which of them answers what. */
export interface AnswererOptions {
  /** Answers the declared routes. */
  readonly engine: Engine<Store>
  /** Adapters that answer what no declared route does, for their hosts and prefixes. */
  readonly adapters?: readonly AdapterMount[] | undefined
  /** Base URL of the server that everything else is forwarded to; without one it is 404. */
  readonly upstream?: string | undefined
  /** Further upstreams by host and path, and which hosts clients may name. */
  readonly targets?: TargetOptions | undefined
  /** How upstreams are reached. */
  readonly reach?: UpstreamOptions | undefined
  /** Which of declared routes, upstreams and recording answers which request. */
  readonly modes?: ModeSettings | undefined
  /** Directory of the recording that forwarded exchanges are saved to. */
  readonly record?: string | undefined
  /** How much a recording may hold; as much as comes unless told. */
  readonly recordLimits?: RecordingLimits | undefined
  /** What recordings hide besides what they always do, and what they do not. */
  readonly redact?: RedactionRules | undefined
  /** Directory of the recording that is replayed or compared with. */
  readonly recording?: string | undefined
  /** Hears at the end what mode `diff` found, where it compared anything. */
  readonly onDrift?: ((report: DriftReport) => void) | undefined
  /** How requests are found in that recording, and how their answers are given. */
  readonly replay?: ReplayOptions | undefined
  /** Makes the OpenAPI document of the declared routes; served where there is no upstream. */
  readonly openapi?: (() => unknown) | undefined
}

/** Everything that answers, ready to. */
export interface Opened extends Answerers {
  readonly redactor: Redactor
  readonly modes: Modes
  /** Those that save what is forwarded. */
  recorders(): readonly Recorder[]
  close(): Promise<void>
}

/** Opens the recordings that those who answer need. @throws RecordingUnusable */
export type OpenAnswerers = (app: FastifyInstance) => Promise<Opened>

/**
 * Makes those who answer.
 * @throws OptionInvalid for an upstream, host, mode, option of replay or pattern of secrets that cannot be
 */
export function prepareAnswerers(options: AnswererOptions): OpenAnswerers {
  const { engine, record, recording, replay = {}, openapi, redact, recordLimits: limits } = options
  checkReplayOptions(replay)
  const keyless = createRedactor(redact)
  let listening: () => readonly Listening[] = () => []
  const equipment = { records: record !== undefined, hasRecording: recording !== undefined }
  const modes = createModes(options.modes ?? {}, equipment)
  const targets = createTargets(options.targets ?? {}, options.upstream, () => listening())
  const adapters = createMounts(options.adapters)
  const upstream = createUpstream(options.reach)
  const describe = openapi === undefined ? undefined : createDescribe(openapi)

  return async (app) => {
    listening = rememberListening(app)
    await loadModes(modes.names())
    // A server that was named will be asked, and the first request need not wait for what asks it.
    if (targets.hasUpstream) undici()
    // Secrets that are written or compared with written ones need a key, so that equal ones stay equal.
    const comparesHeaders = recording !== undefined && (replay.matchHeaders ?? []).length > 0
    const hasKey = record !== undefined || modes.names().includes('new-episodes') || comparesHeaders
    const withKey = async (): Promise<Redactor> => createRedactor(redact, await loadPseudonymKey())
    const redactor = hasKey ? await withKey() : keyless
    const open = async (directory: string): Promise<Recorder> =>
      openRecorder(app, { directory, limits, redactor: hasKey ? redactor : await withKey() })
    const recorder = record === undefined ? undefined : await open(record)
    const recorders = recorder === undefined ? [] : [recorder]
    let added: Promise<Recorder> | undefined
    const add = async (directory: string): Promise<Recorder> => {
      const opened = await open(directory)
      recorders.push(opened)
      return opened
    }
    const episodes = async (): Promise<Recorder | undefined> =>
      recorder ?? (recording === undefined ? undefined : (added ??= add(recording)))
    // What is to be added to need not be there yet.
    if (modes.names().includes('new-episodes')) await episodes()
    const replayer = recording === undefined ? undefined : await openReplayer(recording, redactor, replay)
    const drift = watchDrift(app, { engine, redactor, recording, isEager: modes.names().includes('diff') })
    const close = async (): Promise<void> => {
      await upstream.close()
      await replayer?.close()
      for (const each of recorders) await each.close()
      const report = await drift.report()
      if (report.exchanges > 0 || report.skipped > 0) options.onDrift?.(report)
    }
    const answerers = {
      redactor,
      engine,
      adapters,
      targets,
      upstream,
      modes,
      recorder,
      episodes,
      replayer,
      drift,
      describe,
    }
    return { ...answerers, recorders: () => recorders, close }
  }
}

function watchDrift(
  app: FastifyInstance,
  {
    engine,
    ...others
  }: Pick<AnswererOptions, 'engine' | 'recording'> & {
    readonly redactor: Redactor
    readonly isEager: boolean
  },
): DriftWatch {
  return createDriftWatch({
    isStateful: engine.store !== undefined,
    ...others,
    onDrift: ({ method, segments }, finding) =>
      app.log.warn({ drift: finding }, `${method} /${segments.join('/')} differs: ${findingText(finding)}`),
    onError: (error) => app.log.error(`Not compared: ${error.message}`),
  })
}

async function openReplayer(
  directory: string,
  redactor: Redactor,
  options: ReplayOptions,
): Promise<Replayer> {
  const { createExactReplayer } = await import('../recording/replay/exact-replayer.ts')
  return createExactReplayer(directory, redactor, options)
}

async function openRecorder(app: FastifyInstance, options: RecorderOptions): Promise<Recorder> {
  const { createRecorder } = await import('../recording/capture/recorder.ts')
  return createRecorder({
    ...options,
    onDrop: () =>
      app.log.warn(
        `Recording to ${options.directory} does not keep up, and exchanges are left out; sim_recorder_dropped_total counts them`,
      ),
    onError: (error) => app.log.error(`Recording stopped, traffic goes on: ${error.message}`),
  })
}

// An app asks the system where it listens, which is too much to do for each request.
function rememberListening(app: FastifyInstance): () => readonly Listening[] {
  let known: readonly Listening[] = []
  let until = 0
  return () => {
    if (!app.server.listening) return []
    const now = performance.now()
    if (now < until) return known
    until = now + REMEMBER_MS
    known = app.addresses().filter((address): address is AddressInfo => typeof address !== 'string')
    return known
  }
}

// An app that listens on a name begins on one of its addresses after the other.
const REMEMBER_MS = 1000
