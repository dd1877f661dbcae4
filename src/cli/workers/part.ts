import cluster from 'node:cluster'
import type { Overrides } from '../../api.ts'
import type { LoadedApi } from '../../loaders/target.ts'
import type { AppSeed } from '../../loaders/join-apps.ts'

/** What a worker has to know, so that all of them answer alike. */
export interface Part {
  /** What chaos is drawn from. */
  readonly seed: number
  /** What the content of each app is drawn from. */
  readonly apps: readonly Pick<Overrides, 'seed' | 'seedDrawn'>[]
  /** Where to listen: a free port was found already where one was wanted. */
  readonly port: number
  /** Which of the workers it is, from 1: one that takes the place of another has its number. */
  readonly number: number
}

/** The environment variable that holds a worker's part. */
export const PART = 'SIM_WORKER'

/** The part of this process among the workers of a command; `undefined` where it is the command itself. */
export function ownPart(): Part | undefined {
  const text = cluster.isWorker ? process.env[PART] : undefined
  return text === undefined ? undefined : (JSON.parse(text) as Part)
}

/** The seeds of apps in the form that workers get. */
export function seedsForWorkers(apps: readonly AppSeed[]): Part['apps'] {
  return apps.map(({ seed, isDrawn }) => ({ seed: Number(seed), seedDrawn: isDrawn }))
}

/** Apps with the seeds that a worker was given. */
export function withSeeds(
  apps: readonly LoadedApi[],
  part: Pick<Part, 'apps'> | undefined,
): readonly LoadedApi[] {
  if (part === undefined) return apps
  return apps.map((app, index) => ({ ...app, overrides: { ...app.overrides, ...part.apps[index] } }))
}

/** What a worker says to the process that started it. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'ask-metrics'; readonly id: number }
  | { readonly kind: 'own-metrics'; readonly id: number; readonly metrics: readonly object[] }

/** What is said to it. */
export type ToWorker =
  | { readonly kind: 'drain' }
  | { readonly kind: 'report-metrics'; readonly id: number }
  | { readonly kind: 'all-metrics'; readonly id: number; readonly text: string }
