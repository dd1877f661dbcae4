import { objectsOf, type ReportProblem } from 'sim-gateway/adapter'
import { invalid, refusalOf } from '../errors.ts'
import { type Body, optionalObjects, requiredText } from '../fields.ts'
import type { Restorable, Tools, WorkspaceFixture } from '../part.ts'

const KINDS = ['jar', 'egg', 'whl', 'requirements', 'pypi', 'maven', 'cran']

/** The libraries of a request, each of one kind. */
export function readLibraries(body: Body): readonly Body[] {
  const libraries = optionalObjects(body, 'libraries') ?? []
  if (libraries.length === 0) throw invalid('Missing required field: libraries')
  return libraries.map(readLibrary)
}

function readLibrary(library: Body): Body {
  const kinds = KINDS.filter((kind) => library[kind] != null)
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1)
    throw invalid(`A library must be exactly one of ${KINDS.join(', ')}.`)
  const value = library[kind]
  if (kind === 'pypi' || kind === 'cran') requiredText(value as Body, 'package')
  if (kind === 'maven') requiredText(value as Body, 'coordinates')
  return { [kind]: value }
}

/** The states that a library can be in on a cluster. */
export type LibraryState =
  'PENDING' | 'RESOLVING' | 'INSTALLING' | 'INSTALLED' | 'FAILED' | 'UNINSTALL_ON_RESTART'

export interface Installation {
  readonly library: Body
  status: LibraryState
  messages: readonly string[]
}

/** A library whose installation the fixture lets fail. */
export interface LibraryFailure {
  /** A word of the library, such as its package or path. */
  readonly library: string
  readonly message: string
  /** How many installations fail. Default: all. */
  readonly times?: number
}

const KIND = 'libraries'
const STEP_MS = 10_000
const NEXT: Readonly<Partial<Record<LibraryState, LibraryState>>> = {
  PENDING: 'RESOLVING',
  RESOLVING: 'INSTALLING',
  INSTALLING: 'INSTALLED',
}

interface LibrariesSnapshot {
  readonly clusters: readonly (readonly [string, readonly Installation[]])[]
  readonly running: readonly string[]
  readonly failed: readonly number[]
}

/** The libraries of all clusters. Installation goes on only while the cluster runs. */
export class LibrariesState implements Restorable {
  readonly #tools: Tools
  readonly #failures: readonly LibraryFailure[]
  #failed: number[]
  readonly #clusters = new Map<string, Installation[]>()
  readonly #running = new Set<string>()

  constructor(tools: Tools, failures: readonly LibraryFailure[] = []) {
    this.#tools = tools
    this.#failures = failures
    this.#failed = failures.map(() => 0)
    tools.agenda.onStep(KIND, (id, at) => this.#step(id, at))
  }

  /** The libraries of a cluster in the order they were added, those to be removed last. */
  of(clusterId: string): readonly Installation[] {
    const all = this.#clusters.get(clusterId) ?? []
    const isLeaving = ({ status }: Installation): boolean => status === 'UNINSTALL_ON_RESTART'
    return [...all.filter((each) => !isLeaving(each)), ...all.filter(isLeaving)]
  }

  /** The same, after a read that moves them on. */
  read(clusterId: string): readonly Installation[] {
    this.#tools.agenda.observe(KIND, clusterId)
    return this.of(clusterId)
  }

  install(clusterId: string, libraries: readonly Body[]): void {
    const present = this.#clusters.get(clusterId) ?? []
    for (const library of libraries) {
      const known = present.findIndex((each) => keyOf(each.library) === keyOf(library))
      const isKept = known >= 0 && present[known]?.status !== 'FAILED'
      if (isKept && present[known]?.status !== 'UNINSTALL_ON_RESTART') continue
      if (known >= 0) present.splice(known, 1)
      present.push({ library, status: 'PENDING', messages: [] })
    }
    this.#clusters.set(clusterId, present)
    this.#plan(clusterId, this.#tools.clock.now())
  }

  /** Marks libraries for removal at the next restart; absent ones are ignored. */
  uninstall(clusterId: string, libraries: readonly Body[]): void {
    const leaving = new Set(libraries.map(keyOf))
    for (const each of this.#clusters.get(clusterId) ?? [])
      if (leaving.has(keyOf(each.library))) each.status = 'UNINSTALL_ON_RESTART'
  }

  /** The cluster runs, freshly started: what was to be removed is gone, the rest is installed anew. */
  clusterRuns(clusterId: string, at: number): void {
    this.#running.add(clusterId)
    const staying = (this.#clusters.get(clusterId) ?? []).filter(
      ({ status }) => status !== 'UNINSTALL_ON_RESTART',
    )
    for (const each of staying) Object.assign(each, { status: 'PENDING', messages: [] })
    if (staying.length > 0) this.#clusters.set(clusterId, staying)
    else this.#clusters.delete(clusterId)
    this.#plan(clusterId, at)
  }

  /** The cluster runs no more. */
  clusterStops(clusterId: string): void {
    this.#running.delete(clusterId)
    this.#tools.agenda.cancel(KIND, clusterId)
    for (const each of this.#clusters.get(clusterId) ?? [])
      if (each.status === 'RESOLVING' || each.status === 'INSTALLING') each.status = 'PENDING'
  }

  forget(clusterId: string): void {
    this.clusterStops(clusterId)
    this.#clusters.delete(clusterId)
  }

  snapshot(): LibrariesSnapshot {
    const clusters = structuredClone([...this.#clusters])
    return { clusters, running: [...this.#running], failed: [...this.#failed] }
  }

  restore(snapshot: unknown): void {
    const { clusters, running, failed } = structuredClone(snapshot) as LibrariesSnapshot
    this.#clusters.clear()
    this.#running.clear()
    for (const [id, installations] of clusters) this.#clusters.set(id, [...installations])
    for (const id of running) this.#running.add(id)
    this.#failed = [...failed]
  }

  #plan(clusterId: string, at: number): void {
    const isBusy = (this.#clusters.get(clusterId) ?? []).some(({ status }) => NEXT[status] !== undefined)
    if (isBusy && this.#running.has(clusterId)) this.#tools.agenda.plan(KIND, clusterId, at + STEP_MS)
  }

  #step(clusterId: string, at: number): void {
    for (const each of this.#clusters.get(clusterId) ?? []) this.#moveOn(each)
    this.#plan(clusterId, at)
  }

  #moveOn(installation: Installation): void {
    const next = NEXT[installation.status]
    if (next === undefined) return
    const failure = next === 'INSTALLED' ? this.#apply(installation) : undefined
    installation.status = failure ? 'FAILED' : next
    if (failure) installation.messages = [failure.message]
  }

  #apply({ library }: Installation): LibraryFailure | undefined {
    const text = keyOf(library)
    const index = this.#failures.findIndex(
      (rule, at) =>
        text.includes(rule.library) && (this.#failed[at] ?? 0) < (rule.times ?? Number.POSITIVE_INFINITY),
    )
    if (index >= 0) this.#failed[index] = (this.#failed[index] ?? 0) + 1
    return this.#failures[index]
  }
}

function keyOf(library: Body): string {
  return JSON.stringify(Object.entries(library).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The libraries' share of a fixture. */
export interface LibrariesFixture {
  readonly libraries?: readonly { readonly cluster_id: string; readonly libraries: readonly Body[] }[]
  readonly libraryFailures?: readonly LibraryFailure[]
}

export const librariesFixtureSchema = {
  libraries: objectsOf(['cluster_id', 'libraries'], {
    cluster_id: { type: 'string' },
    libraries: { type: 'array', items: { type: 'object', minProperties: 1, maxProperties: 1 } },
  }),
  libraryFailures: objectsOf(['library', 'message'], {
    library: { type: 'string' },
    message: { type: 'string' },
    times: { type: 'integer', minimum: 1 },
  }),
} as const

/** Reports libraries of clusters that the fixture does not have. */
export function checkLibraries(fixture: WorkspaceFixture, report: ReportProblem): void {
  const clusters = (fixture['clusters'] as readonly { cluster_id?: string }[] | undefined) ?? []
  const ids = new Set(clusters.map(({ cluster_id }) => cluster_id))
  for (const [index, { cluster_id: id, libraries }] of (
    (fixture as LibrariesFixture).libraries ?? []
  ).entries()) {
    if (!ids.has(id)) report(['libraries', index, 'cluster_id'], `there is no cluster '${id}'`)
    const problem = libraries.length === 0 ? undefined : refusalOf(() => readLibraries({ libraries }))
    if (problem !== undefined) report(['libraries', index, 'libraries'], problem)
  }
}

/** The state of libraries; to be filled when there are clusters. */
export function createLibraries(fixture: WorkspaceFixture, tools: Tools): LibrariesState {
  const { libraries = [], libraryFailures = [] } = fixture as LibrariesFixture
  const state = new LibrariesState(tools, libraryFailures)
  for (const { cluster_id: id, libraries: given } of libraries) state.install(id, structuredClone(given))
  return state
}
