import { SILENT } from '../http/log.ts'
import { handleInProcess } from '../pipeline/handle.ts'
import { createPlans } from '../pipeline/plan.ts'
import type { Rerun } from '../pipeline/rerun.ts'
import type { Plugin, Policies, Route } from '../pipeline/route.ts'
import type { AppEngine } from '../simulation/engine.ts'
import { createRecordedHeads } from '../state/journal-record.ts'
import { applySession } from '../state/sessions.ts'
import { createMounts } from './adapter-mounts.ts'
import { createModes } from './choose-mode.ts'
import { createRouteFor, type DeclaredParts } from './declared-routes.ts'
import { createModeRoutes } from './index.ts'
import type { ModeParts } from './mode.ts'

/** What requests are run again with. */
interface RerunParts {
  readonly engine: AppEngine
  readonly parts: ModeParts
  /** Without what is checked: what was counted once is not counted twice. */
  readonly policies: Policies
  readonly plugins: readonly Plugin[]
  readonly declared: Omit<DeclaredParts, 'engine' | 'adapters' | 'defaults' | 'cache'>
  readonly control: Route
}

/** Runs requests again by the gateway's own pipeline, where they reach nothing but their session. */
export function createRerun({ engine, parts, policies, plugins, declared, control }: RerunParts): Rerun {
  const simulated = createModes({}, { records: false, hasRecording: false })
  const targets = { ...parts.targets, of: () => undefined }
  return (request, session, watch = {}) => {
    const own = watch.observer === undefined ? engine : engine.observed(watch.observer)
    const modeRoutes = createModeRoutes(policies, () => ({ ...parts, targets, engine: own }))
    return handleInProcess(
      {
        sessionOf(exchange) {
          applySession(exchange)
          return session
        },
        plans: createPlans(watch.plugins?.(plugins) ?? plugins),
        routeFor: createRouteFor(simulated, control, modeRoutes.of, {
          ...declared,
          engine: own,
          adapters: createMounts([], {}),
          defaults: policies,
          cache: undefined,
        }),
        count: () => undefined,
        heads: createRecordedHeads(),
        log: SILENT,
      },
      request,
    )
  }
}
