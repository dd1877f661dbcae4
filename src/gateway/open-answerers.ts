import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Engine } from '../engine/engine.ts'
import { createDescribe } from './describe.ts'
import { createModes, type Modes, type ModeSettings } from './modes/choose-mode.ts'
import { createExactReplayer } from './modes/exact-replayer.ts'
import type { Answerers } from './modes/mode.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { createTargets, type TargetOptions } from './targets/create-targets.ts'
import type { Listening } from './targets/guard.ts'
import { createUpstream, type UpstreamOptions } from './upstream.ts'

/** Who answers, and which of them answers what. */
export interface AnswererOptions {
  /** Answers the declared routes. */
  readonly engine: Engine
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
  /** Directory of the recording that is replayed or compared with. */
  readonly recording?: string | undefined
  /** Makes the OpenAPI document of the declared routes; served where there is no upstream. */
  readonly openapi?: (() => unknown) | undefined
}

/** Everything that answers, ready to. */
export interface Opened extends Answerers {
  readonly modes: Modes
  close(): Promise<void>
}

/** Opens the recordings that those who answer need. @throws RecordingUnusable */
export type OpenAnswerers = (app: FastifyInstance) => Promise<Opened>

/**
 * Makes those who answer.
 * @throws OptionInvalid for an upstream, host or mode that cannot be
 */
export function prepareAnswerers(options: AnswererOptions): OpenAnswerers {
  const { engine, record, recording, openapi } = options
  let listening: () => readonly Listening[] = () => []
  const equipment = { records: record !== undefined, hasRecording: recording !== undefined }
  const modes = createModes(options.modes ?? {}, equipment)
  const targets = createTargets(options.targets ?? {}, options.upstream, () => listening())
  const upstream = createUpstream(options.reach)
  const describe = openapi === undefined ? undefined : createDescribe(openapi)

  return async (app) => {
    listening = () => listeningOf(app)
    const recorder = record === undefined ? undefined : await openRecorder(app, record)
    let added: Promise<Recorder> | undefined
    const episodes = async (): Promise<Recorder | undefined> =>
      recorder ?? (recording === undefined ? undefined : (added ??= openRecorder(app, recording)))
    // What is to be added to need not be there yet.
    if (modes.names().includes('new-episodes')) await episodes()
    const replayer = recording === undefined ? undefined : await createExactReplayer(recording)
    const close = async (): Promise<void> => {
      await upstream.close()
      await recorder?.close()
      await (await added)?.close()
    }
    return { engine, targets, upstream, modes, recorder, episodes, replayer, describe, close }
  }
}

async function openRecorder(app: FastifyInstance, directory: string): Promise<Recorder> {
  return createRecorder({
    directory,
    onError: (error) => app.log.error(`Recording stopped, traffic goes on: ${error.message}`),
  })
}

function listeningOf(app: FastifyInstance): readonly Listening[] {
  const addresses = app.server.listening ? app.addresses() : []
  return addresses.filter((address): address is AddressInfo => typeof address !== 'string')
}
