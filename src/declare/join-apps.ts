import { createEngine, type Engine } from '../engine/engine.ts'
import { TargetInvalid } from '../sim-error.ts'
import { loadTarget } from './load-target.ts'

/**
 * One engine for the routes of several targets.
 * @throws TargetInvalid when a target is not an app of declared routes; DuplicateRoute when two answer the same
 */
export async function joinApps(targets: readonly string[], seed: number): Promise<Engine> {
  const engines: Engine[] = []
  for (const target of targets) {
    const loaded = await loadTarget(target)
    if (loaded.kind !== 'api')
      throw new TargetInvalid(`'${target}' is a web app; only declared routes can be joined`)
    engines.push(loaded.api.engine({ seed }))
  }
  return createEngine({ routes: engines.flatMap(({ routes }) => routes), seed })
}
