import { OptionInvalid } from '../errors.ts'
import { onLimit } from '../engine/limit-notes.ts'
import type { Log } from '../http/log.ts'
import { findingText, type DriftReport } from '../recording/drift/drift-log.ts'
import { createDriftWatch, type DriftWatch } from '../recording/drift/drift-watch.ts'
import type { Recorded, Recorder, RecorderOptions } from '../recording/capture/recorder.ts'
import type { RecordingLimits } from '../recording/files/recording-files.ts'
import { findPseudonymKey, loadPseudonymKey } from '../recording/redaction/pseudonym-key.ts'
import { createRedactor, type Redactor } from '../recording/redaction/redactor.ts'
import type { RedactionRules } from '../recording/redaction/secrets.ts'
import { checkReplayOptions, type ReplayOptions } from '../recording/replay/replay-options.ts'
import type { MissReport } from '../recording/replay/misses.ts'
import type { Replayer } from '../recording/replay/replayer.ts'
import type { RequestIds } from '../pipeline/request-ids.ts'
import type { Policies } from '../pipeline/route.ts'
import type { AppEngine } from '../simulation/engine.ts'
import { createTargets, type TargetOptions } from '../upstream/targets/targets.ts'
import type { Listening } from '../upstream/targets/guard.ts'
import { undici } from '../upstream/undici.ts'
import { resolveLocally } from '../upstream/offline.ts'
import { createUpstream, type UpstreamOptions } from '../upstream/upstream.ts'
import { createMounts, type AdapterMount, type Mounts } from './adapter-mounts.ts'
import { createModes, type Modes, type ModeSettings } from './choose-mode.ts'
import { createCors } from '../../plugins/cors.ts'
import type { ComparisonOptions } from '../recording/drift/compare-observed.ts'
import { createDescribe } from './describe.ts'
import type { CoverageReport } from '../openapi/contract/coverage-report.ts'
import type { OpenContract } from '../openapi/contract/contract.ts'
import { openContract, type CheckOptions } from './open-contract.ts'
import type { ModeParts } from './mode.ts'
import { openRecorders } from './recorders.ts'
import { createShadow, type Shadow, type ShadowOptions } from './shadow.ts'

/** What requests are answered from. */
export interface PartsOptions {
  /** Answers the declared routes. Default: none are declared. */
  readonly engine?: AppEngine | undefined
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
  /** Whether the gateway counts as ready only while it records. Default: it is ready, and its health is degraded. */
  readonly requireRecording?: boolean | undefined
  /** How much a recording may hold. Default: as much as comes. */
  readonly recordLimits?: RecordingLimits | undefined
  /** What recordings hide besides what they always do, and what they do not. */
  readonly redact?: RedactionRules | undefined
  /** Directory of the recording that is replayed or compared with. */
  readonly recording?: string | undefined
  /** What exchanges are checked against, and what is done about it. Default: nothing is checked. */
  readonly check?: CheckOptions | undefined
  /** What mode `shadow` sends to upstreams, and compares. */
  readonly shadow?: ShadowOptions | undefined
  /** Called at the end with what was seen of the contract, where one was checked. */
  readonly onCoverage?: ((report: CoverageReport) => void) | undefined
  /** Called at the end with what mode `diff` found, where it compared anything. */
  readonly onDrift?: ((report: DriftReport) => void) | undefined
  /** Called at the end with what was recorded, for each recording. */
  readonly onRecorded?: ((recorded: Recorded) => void) | undefined
  /** Called at the end with why requests were not in the recording that is replayed, where some were not. */
  readonly onMisses?: ((report: MissReport) => void) | undefined
  /** How requests are found in that recording, and how their responses are given. */
  readonly replay?: ReplayOptions | undefined
  /**
   * Whether the upstream's own URLs in bodies become the gateway's, for clients that use its base URL: also of
   * forwarded responses, if `true`; of none, if `false`. Default: of recorded and generated ones.
   */
  readonly rewriteBodies?: boolean | undefined
  /** Makes the OpenAPI document of the declared routes; served where there is no upstream. */
  readonly openapi?: (() => unknown) | undefined
  /** Whether other gateways answer as this one does, with the state that they share. */
  readonly isShared?: boolean | undefined
}

/** Everything that answers, ready to. */
export interface OpenParts extends ModeParts {
  readonly adapters: Mounts
  readonly modes: Modes
  readonly redactor: Redactor
  /** Asks upstreams for what was simulated, in mode `shadow`. */
  readonly shadow: Shadow
  /** What requests and answers are checked against; absent where nothing is. */
  readonly contract: OpenContract | undefined
  /** Saves what is forwarded to this directory from now on, also where nothing was saved. @throws RecordingUnusable */
  startRecording(directory: string): Promise<void>
  /** Answers from this recording in the modes that read one, from now on. @throws RecordingUnusable */
  readRecording(directory: string): Promise<void>
  close(): Promise<void>
}

/** What the parts need to know of the app that they are for. */
export interface PartsHost {
  readonly log: Log
  readonly requestIds?: RequestIds | undefined
  /** Where the app listens now. */
  readonly listening: () => readonly Listening[]
}

/**
 * Checks the options, and returns what opens the recordings.
 * @throws OptionInvalid for an upstream, host, mode, option of replay or pattern of secrets that cannot be
 */
export function prepareParts(
  options: PartsOptions & { readonly engine: AppEngine; readonly policies?: Policies },
): (host: PartsHost) => Promise<OpenParts> {
  const { engine, record, recording, replay = {}, openapi, redact, recordLimits: limits } = options
  const { rewriteBodies, policies = {} } = options
  checkReplayOptions(replay)
  if (options.requireRecording === true && record === undefined && options.modes?.mode !== 'new-episodes')
    throw new OptionInvalid('requireRecording needs a recording to write: name its folder with record')
  // It throws for a pattern that cannot be.
  createRedactor(redact)
  let listening: PartsHost['listening'] = () => []
  const has = { records: record !== undefined, hasRecording: recording !== undefined }
  const modes = createModes(options.modes ?? {}, has)
  const resolve = options.reach?.offline === true ? resolveLocally : options.targets?.resolve
  const targeting = { ...options.targets, resolve, serverUrls: policies.serverUrls }
  const targets = createTargets(targeting, options.upstream, () => listening())
  const adapters = createMounts(options.adapters, policies)
  const upstream = createUpstream(options.reach)
  const describe = openapi === undefined ? undefined : createDescribe(openapi)
  const letPageIn = createCors(policies)

  return async (host) => {
    const { log, requestIds } = host
    listening = host.listening
    const endNotes = onLimit((note) => log.warn(`A limit was reached: ${note}`))
    // A server that was named will get requests, and the first need not wait for what sends them.
    if (targets.hasUpstream) undici()
    // Secrets that are written, or compared with written ones, need a key; what is said of others is better with one.
    const comparesHeaders = recording !== undefined && (replay.matchHeaders ?? []).length > 0
    const hasKey = record !== undefined || modes.names().includes('new-episodes') || comparesHeaders
    const comparesCallers = engine.routes.some(
      ({ options: { forbids, login } }) => forbids !== undefined || login?.does === 'begin',
    )
    const mayHaveKey = recording !== undefined || comparesCallers
    const key = hasKey ? loadPseudonymKey() : mayHaveKey ? findPseudonymKey() : undefined
    const redactor = createRedactor(redact, await key)
    const openKeyed = async (): Promise<Redactor> =>
      hasKey ? redactor : createRedactor(redact, await loadPseudonymKey())
    const recorders = await openRecorders(
      async (directory, confirm) =>
        openRecorder(log, { directory, limits, confirm, redactor: await openKeyed() }, rewriteBodies),
      { record, recording, isShared: options.isShared },
    )
    // What is to be added to need not be there yet.
    if (modes.names().includes('new-episodes')) await recorders.makeNewEpisodes()
    const openReplay = async (directory: string): Promise<Replayer> =>
      openReplayer(directory, redactor, replay)
    let replayer = recording === undefined ? undefined : await openReplay(recording)
    const drift = watchDrift(
      log,
      { engine, redactor, recording, values: options.shadow?.values },
      modes.names().includes('diff'),
    )
    const shadow = createShadow(options.shadow ?? {}, { ...{ engine, targets, upstream, drift, log } })
    const contract = await openContract(options.check, {
      ...{ engine, redactor, log },
      hasPages: describe !== undefined,
    })
    const parts: OpenParts & { recorder: Recorder | undefined; replayer: Replayer | undefined } = {
      redactor,
      contract,
      shadow,
      ...{ engine, adapters, targets, upstream, modes, recorders, recorder: recorders.first },
      ...{ replayer, drift, describe, letPageIn, rewriteBodies, log, requestIds },
      async startRecording(directory) {
        parts.recorder = await recorders.start(directory)
        has.records = true
      },
      async readRecording(directory) {
        for (const each of recorders.all()) await each.flush()
        const before = replayer
        parts.replayer = replayer = await openReplay(directory)
        has.hasRecording = true
        await before?.close()
      },
      async close() {
        endNotes()
        // What nobody waits for need not come.
        shadow.close()
        await upstream.close()
        const missed = options.onMisses && (await replayer?.misses.report())
        if (missed !== undefined && missed.missed > 0) options.onMisses?.(missed)
        await replayer?.close()
        for (const each of recorders.all()) {
          await each.close()
          const { written, dropped } = each.counts()
          options.onRecorded?.({ directory: each.directory, written, dropped })
        }
        if (contract !== undefined) options.onCoverage?.(contract.coverage())
        const report = await drift.report()
        if (report.exchanges > 0 || report.skipped > 0) options.onDrift?.(report)
      },
    }
    return parts
  }
}

function watchDrift(
  log: Log,
  { engine, ...others }: Pick<ComparisonOptions, 'recording' | 'redactor' | 'values'> & { engine: AppEngine },
  isEager: boolean,
): DriftWatch {
  return createDriftWatch({
    isStateful: engine.store !== undefined,
    ...others,
    isEager,
    onDrift: ({ method, segments }, finding) =>
      log.warn({ drift: finding }, `${method} /${segments.join('/')} differs: ${findingText(finding)}`),
    onError: (error) => log.error(`Not compared: ${error.message}`),
  })
}

async function openReplayer(
  directory: string,
  redactor: Redactor,
  options: ReplayOptions,
): Promise<Replayer> {
  const { createReplayer } = await import('../recording/replay/replayer.ts')
  return createReplayer(directory, redactor, options)
}

async function openRecorder(
  log: Log,
  options: RecorderOptions,
  rewriteBodies: boolean | undefined,
): Promise<Recorder> {
  const { createRecorder } = await import('../recording/capture/recorder.ts')
  return createRecorder({
    ...options,
    onDrop: () =>
      log.warn(
        `Recording to ${options.directory} does not keep up, and exchanges are left out; sim_recorder_dropped_total counts them`,
      ),
    onOwnUrl:
      rewriteBodies === undefined
        ? (origin) =>
            log.warn(
              `Bodies of ${origin} name it, and what clients request by such URLs goes past this gateway and is not recorded: --rewrite-bodies puts the URL of the gateway in their place (rewrite_bodies: false says that this is meant)`,
            )
        : undefined,
    onError: (error) => log.error(`Recording stopped, traffic goes on: ${error.message}`),
  })
}
