import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lazy } from '../engine/lazy.ts'
import { ControlRefused } from '../errors.ts'
import type { Opened } from '../gateway/open-answerers.ts'
import { readCall, urlOf } from '../gateway/read-call.ts'
import type { RecorderCounts } from '../recording/capture/recorder.ts'
import { readSession } from '../state/session-key.ts'
import type { Sessions } from '../state/sessions.ts'
import { wayOf } from '../http/request-target.ts'
import type { Control, ControlOptions } from './control.ts'
import { isControl } from './guard.ts'
import { createMetrics, type Metrics } from './metrics.ts'

/** What the control plane of a gateway is about. */
export interface OpenOptions {
  readonly sessions: Sessions
  readonly answerers: Opened
  /** Directories of the recordings that are written or read. */
  readonly recordings: readonly string[]
  readonly control: ControlOptions | undefined
}

/**
 * Opens the control plane: from now on, what is for it is answered before anything else sees it. What answers is loaded
 * when it is first asked.
 */
export function openControl(app: FastifyInstance, options: OpenOptions): Metrics {
  const { sessions, answerers, recordings } = options
  const { engine, adapters, upstream, modes, drift, recorders } = answerers
  const closing = new AbortController()
  const recording = (): readonly RecorderCounts[] => recorders().map((each) => each.counts())
  const metrics = createMetrics({ sessions, pools: () => upstream.pools(), recording })
  const shared = options.control?.shared
  shared?.offer(() => metrics.data())
  const told = shared === undefined ? metrics : { ...metrics, text: () => shared.metrics() }
  const load = lazy(async () => {
    const { createControl } = await import('./control.ts')
    return createControl(
      { engine, adapters, sessions, modes, drift, metrics: told, recordings, closing: closing.signal },
      { ...options.control, addresses: () => (app.server.listening ? app.addresses() : []) },
    )
  })
  app.addHook('onRequest', (request, reply, proceed) => {
    if (!urlOf(request.raw).startsWith(`${app.prefix}/__sim`)) return proceed()
    answer(request, reply, app.prefix, { sessions, load }).then(() => proceed(), proceed)
  })
  // Neither who listens for requests to come nor who is held by a clock, which its reset wakes, keeps the server open.
  app.addHook('preClose', async () => {
    closing.abort()
    for (const { clock } of sessions.all()) {
      clock.freeze()
      clock.reset()
    }
  })
  return metrics
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  prefix: string,
  { sessions, load }: { readonly sessions: Sessions; readonly load: () => Promise<Control> },
): Promise<unknown> {
  const { key, call } = readSession(readCall(request, prefix))
  if (!isControl(call)) return undefined
  if (wayOf(request.raw).isProxied)
    throw new ControlRefused(`The control plane is asked directly, and not by way of ${call.host}`)
  const control = await load()
  return control(request, reply, call, () => sessions.of(key))
}
