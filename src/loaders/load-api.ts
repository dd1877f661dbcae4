import { TargetInvalid } from '../errors.ts'
import { loadTarget } from './load-target.ts'
import type { LoadedApi, LoadOptions, Target } from './target.ts'

/**
 * Loads a target that must be an app of declared routes.
 * @param purpose what is done with the routes, for the message
 * @throws TargetInvalid as `loadTarget` does, and for a web app
 */
export async function loadApi(
  target: string,
  purpose: string,
  directory?: string,
  options?: LoadOptions,
): Promise<LoadedApi> {
  return requireApi(await loadTarget(target, directory, options), target, purpose)
}

/** A loaded target that must be an app of declared routes. @throws TargetInvalid for a web app */
export function requireApi(loaded: Target, target: string, purpose: string): LoadedApi {
  if (loaded.kind === 'api') return loaded
  throw new TargetInvalid(`'${target}' is a web app; only the declared routes of a SimAPI can be ${purpose}`)
}
