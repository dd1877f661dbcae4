import { findConfig } from '../../options/config-file.ts'
import { fixtureFiles } from '../../engine/fixtures/json-fixtures.ts'
import { findTargetFile, loadTarget } from '../load-target.ts'
import type { LoadedApi, LoadOptions, Target } from '../target.ts'
import { findImports } from './find-imports.ts'
import { beginOf, keepStore, type Begun } from './keep-store.ts'

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
