import { adapters } from './adapters.ts'
import { chaos } from './chaos.ts'
import { chaosReports } from './chaos-report.ts'
import { clock } from './clock.ts'
import { coverage } from './coverage.ts'
import { drift } from './drift.ts'
import { explain } from './explain/explain.ts'
import { repro } from './explain/repro.ts'
import { health, ready } from './health.ts'
import { misses } from './misses.ts'
import { modes } from './modes.ts'
import { utf8Bytes } from '../message.ts'
import { defineOperation, WholeResponse, type ControlOperation } from './operation.ts'
import { overrides } from './overrides.ts'
import { recordings } from './recordings.ts'
import { snapshot } from './snapshot.ts'
import { schedule } from './chaos-schedule.ts'
import { recordingContents } from './recording-contents.ts'
import { requests } from './requests.ts'
import { reset } from './reset.ts'
import { routes } from './routes.ts'
import { scenarios } from './scenarios.ts'
import { sessions } from './sessions.ts'
import { store } from './store.ts'
import { verify } from './verify.ts'

const metrics = defineOperation(
  'GET',
  '/metrics',
  { scope: 'gateway', tag: 'gateway', summary: 'Counters and gauges in the text format of Prometheus' },
  async (_input, { metrics: { contentType, text } }) =>
    new WholeResponse({
      status: 200,
      headers: ['content-type', contentType],
      body: utf8Bytes(await text()),
    }),
)

/** Every operation of the control plane but its own description. */
export const OPERATIONS: readonly ControlOperation[] = [
  health,
  ready,
  routes,
  ...requests,
  explain,
  repro,
  verify,
  reset,
  ...store,
  ...snapshot,
  ...scenarios,
  ...sessions,
  ...overrides,
  ...chaos,
  schedule,
  chaosReports,
  ...clock,
  ...modes,
  ...drift,
  ...coverage,
  ...misses,
  adapters,
  ...recordings,
  ...recordingContents,
  metrics,
]
