import { SimAPI } from '../api.ts'
import { loadTarget } from '../loaders/load-target.ts'
import type { StoreSnapshot } from '../state/store.ts'
import { TargetInvalid } from '../errors.ts'

/** An app to test: `module[:attr]` relative to the working directory, a SimAPI, or what makes one. */
export type AppTarget = string | SimAPI | (() => SimAPI | Promise<SimAPI>)

/**
 * An app in the state it starts in. A module is executed again; an app that is met again gets its first store back,
 * and its scenarios start over.
 * @throws TargetInvalid when there is no such module or attribute, or when it is not a SimAPI
 */
export async function openApp(target: AppTarget): Promise<SimAPI> {
  const api: unknown = typeof target === 'string' ? await loadApp(target) : await made(target)
  if (!SimAPI.is(api))
    throw new TargetInvalid(`The app to test must be a SimAPI, or a text such as './app.ts:api'`)
  resetApp(api)
  return api
}

/** Gives an app the store that it had when it was first opened, and starts its scenarios over. */
export function resetApp(api: SimAPI): void {
  restoreStore(api)
  api.resetScenarios()
}

/** Gives an app the store that it had when it was first opened. */
export function restoreStore(api: SimAPI): void {
  const first = firstStores.get(api)
  if (first === undefined) firstStores.set(api, api.store.snapshot())
  else api.store.restore(first)
}

const firstStores = new WeakMap<SimAPI, StoreSnapshot>()

async function made(target: unknown): Promise<unknown> {
  return typeof target === 'function' ? (target as () => unknown)() : target
}

async function loadApp(target: string): Promise<SimAPI> {
  const loaded = await loadTarget(target, process.cwd(), { fresh: true })
  if (loaded.kind === 'api') return loaded.api
  throw new TargetInvalid(`'${target}' is a web app; tests need its SimAPI`)
}
