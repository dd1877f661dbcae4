import { isDeepStrictEqual } from 'node:util'
import type { SimAPI } from '../../api.ts'
import { addressOf } from '../../collections/address.ts'
import { fixtureFiles } from '../../engine/fixtures/json-fixtures.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { findConfig } from '../../options/config-file.ts'
import { createRouter } from '../../routing/router.ts'
import type { StoreSnapshot } from '../../state/store.ts'
import { findTargetFile, loadTarget } from '../load-target.ts'
import type { LoadOptions, LoadedApi, Target } from '../target.ts'
import { findImports } from './load-again.ts'

/** One version of the targets of a command. */
export interface LoadedVersion {
  readonly targets: readonly Target[]
  /**
   * To be called when this version begins to answer in place of the last one: takes over what its stores hold.
   * @returns the collections that could not be kept, each with why
   */
  begin(): readonly string[]
}

/** Loads targets again and again. */
export interface Versions {
  /** @throws SimError as loading does */
  load(): Promise<LoadedVersion>
  /** The files that the targets are made of, those of a version that could not be loaded among them. */
  files(): readonly string[]
}

/** The versions of targets as their files change. A seed that was drawn for the first one stays. */
export function createVersions(names: readonly string[], options: LoadOptions): Versions {
  const seeds = new Map<number, number>()
  let last: ReadonlyMap<number, Begun> = new Map()
  let read: readonly string[] = []

  return {
    files: () => [...new Set([...names.flatMap(filesOf), ...read])],
    async load() {
      const targets: Target[] = []
      for (const name of names) targets.push(await loadTarget(name, undefined, { ...options, reload: true }))
      read = targets.flatMap((target) => (target.kind === 'api' ? target.files : [])).concat(fixtureFiles())
      const begun = new Map<number, Begun>()
      const seeded = targets.map((target, index) => {
        if (target.kind === 'web') return target
        begun.set(index, beginOf(target.api))
        return withSeed(target, index)
      })
      return {
        targets: seeded,
        begin() {
          const lost = [...begun].flatMap(([index, next]) => {
            const before = last.get(index)
            return before === undefined ? [] : keepStore(before, next)
          })
          last = begun
          return lost
        },
      }
    },
  }

  function withSeed<App extends LoadedApi>(target: App, index: number): App {
    const { api } = target
    if (api.options.seed !== undefined || options.options?.seed !== undefined) return target
    const seed = seeds.get(index) ?? api.seed
    seeds.set(index, seed)
    return { ...target, overrides: { seed, seedDrawn: true } }
  }
}

// While an editor replaces the target's file, it may not be there.
function filesOf(name: string): readonly string[] {
  const configs = [findConfig(process.cwd())].filter((file) => file !== undefined)
  try {
    return [...findImports(findTargetFile(name)), ...configs]
  } catch {
    return configs
  }
}

type Collections = StoreSnapshot['collections']

/** An app whose store may outlive it, and what its store began with. */
export interface Begun {
  readonly api: SimAPI
  readonly begin: StoreSnapshot
}

/** An app that has just been loaded. */
export function beginOf(api: SimAPI): Begun {
  return { api, begin: api.store.snapshot() }
}

/**
 * Gives an app what the store of its last version holds. A collection begins anew where the new version declares other
 * items for it, answers no path of its, or has a model that one of its items does not fit.
 * @returns the collections that could not be kept, each with why
 */
export function keepStore(last: Begun, next: Begun): readonly string[] {
  const lost: string[] = []
  const kept: Record<string, Collections[string]> = {}
  for (const [path, collection] of Object.entries(last.api.store.snapshot().collections)) {
    const [before, now] = [last.begin.collections[path], next.begin.collections[path]]
    if (!isDeepStrictEqual(before, now)) continue
    const problem = findMisfit(path, collection.items, next.api)
    if (problem === undefined) kept[path] = collection
    else lost.push(`${path} begins anew: ${problem}`)
  }
  next.api.store.restore({ version: 1, collections: { ...next.begin.collections, ...kept } })
  return lost
}

function findMisfit(
  path: string,
  items: Collections[string]['items'],
  { routes }: SimAPI,
): string | undefined {
  const router = createRouter(routes)
  const route = (router.match({ method: 'GET', path }) ?? router.match({ method: 'POST', path }))?.route
  if (route === undefined) return 'no route answers it any more'
  const { model } = addressOf(route, routes)
  if (model === undefined) return undefined
  const checker = createChecker(model)
  for (const [id, item] of items) {
    const [violation] = checker.check(item)
    if (violation !== undefined)
      return `item ${id} does not fit its model: ${[violation.path.join('.'), violation.message].filter((text) => text !== '').join(': ')}`
  }
  return undefined
}
