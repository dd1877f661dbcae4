import type { SimAPI } from '../api.ts'
import { TargetInvalid } from '../sim-error.ts'
import { loadTarget } from './load-target.ts'

/**
 * Loads a target that must be an app of declared routes.
 * @param purpose what is done with the routes, for the message
 * @throws TargetInvalid as `loadTarget` does, and for a web app
 */
export async function loadApi(target: string, purpose: string, directory?: string): Promise<SimAPI> {
  const loaded = await loadTarget(target, directory)
  if (loaded.kind === 'api') return loaded.api
  throw new TargetInvalid(`'${target}' is a web app; only the declared routes of a SimAPI can be ${purpose}`)
}
