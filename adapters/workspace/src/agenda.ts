import { objectOf, OptionInvalid, type VirtualClock } from 'sim-gateway/adapter'
import TinyQueue from 'tinyqueue'

const KINDS = ['clusters', 'libraries', 'runs', 'statements', 'warehouses'] as const
const WAYS = ['reads', 'time']
const MAX_READS = 100

/** The kinds of resources that live through states. */
export type DrivenKind = (typeof KINDS)[number]

/**
 * What makes the resources of one kind move on. `reads`: reading one resource takes it to its final state, after each
 * state on the way was shown to `intermediateReads` reads (0: none is shown). `time`: only the virtual clock does.
 */
export interface Drive {
  readonly by: 'reads' | 'time'
  readonly intermediateReads?: number
}

/** How each kind is driven; a kind that is not named is driven by reads and shows no state on the way. */
export type Drives = Readonly<Partial<Record<DrivenKind, Drive>>>

export const drivesSchema = objectOf(
  [],
  Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      objectOf(['by'], {
        by: { enum: WAYS },
        intermediateReads: { type: 'integer', minimum: 0, maximum: MAX_READS },
      }),
    ]),
  ),
)

/** @throws OptionInvalid for drives of a configuration that cannot be; those of a fixture were checked with it */
export function checkDrives(drives: Drives = {}): void {
  for (const [kind, drive] of Object.entries(drives)) {
    if (!KINDS.includes(kind as DrivenKind))
      throw new OptionInvalid(`lifecycle names '${kind}'; there are ${KINDS.join(', ')}`)
    if (!WAYS.includes(drive.by))
      throw new OptionInvalid(`lifecycle.${kind}.by is '${drive.by}'; it can be ${WAYS.join(' or ')}`)
    const { intermediateReads: reads = 0 } = drive
    if (!Number.isSafeInteger(reads) || reads < 0 || reads > MAX_READS)
      throw new OptionInvalid(`lifecycle.${kind}.intermediateReads is ${reads}; it can be 0 to ${MAX_READS}`)
  }
}

/** Takes one step of a resource; `at` is the moment of the step on the resource's own timeline. */
export type Step = (id: string, at: number) => void

/** How reads move the resources of a kind on. */
export interface Reading {
  /** What a read must see change; without it every step counts as a change. */
  readonly stateOf?: (id: string) => unknown
  /** Whether a resource waits for others, so that no read may hurry it. */
  readonly isHeld?: (id: string) => boolean
}

export interface Plan {
  readonly kind: string
  readonly id: string
  readonly at: number
  /** How many reads were shown the state before it. */
  readonly reads?: number
}

interface Appointment extends Plan {
  readonly turn: number
}

/**
 * When each resource takes its next step. Steps fall due on the virtual clock, in order of time; where a kind is driven
 * by reads, reading a resource takes its steps early. A timer (a kind that is not driven) waits for the clock alone.
 */
export class Agenda {
  readonly #clock: VirtualClock
  readonly #drives: Drives
  readonly #kinds = new Map<string, Required<Reading> & { readonly step: Step }>()
  readonly #next = new Map<string, Appointment>()
  readonly #reads = new Map<string, number>()
  #queue = queueOf()
  #turns = 0

  constructor(clock: VirtualClock, drives: Drives) {
    this.#clock = clock
    this.#drives = drives
    clock.onAdvance(() => this.run())
  }

  /** Says how the resources of a kind take a step. */
  onStep(
    kind: string,
    step: Step,
    { stateOf = () => Symbol('changed'), isHeld = () => false }: Reading = {},
  ): void {
    this.#kinds.set(kind, { step, stateOf, isHeld })
  }

  /** The next step of a resource is due at `at`, in place of any other. */
  plan(kind: string, id: string, at: number): void {
    const key = keyOf(kind, id)
    const appointment = { kind, id, at, turn: (this.#turns += 1) }
    this.#next.set(key, appointment)
    this.#reads.delete(key)
    this.#queue.push(appointment)
    if (this.#queue.length > 64 + 2 * this.#next.size) this.#compact()
  }

  /** The resource takes no step until another is planned. */
  cancel(kind: string, id: string): void {
    this.#next.delete(keyOf(kind, id))
    this.#reads.delete(keyOf(kind, id))
  }

  /** When the next step of a resource is due. */
  dueAt(kind: string, id: string): number | undefined {
    return this.#next.get(keyOf(kind, id))?.at
  }

  /** Takes the next step of a resource now, whatever drives it; false when there is none. */
  step(kind: string, id: string): boolean {
    const appointment = this.#next.get(keyOf(kind, id))
    if (!appointment) return false
    this.#take(appointment)
    return true
  }

  /** To be called before one resource is read: moves it on if its kind is driven by reads. */
  observe(kind: DrivenKind, id: string): void {
    const drive = this.#drives[kind] ?? { by: 'reads' }
    if (drive.by !== 'reads') return
    const shows = drive.intermediateReads ?? 0
    if (shows === 0) while (this.#hurry(kind, id));
    else if (this.#next.has(keyOf(kind, id))) this.#countRead(kind, id, shows)
  }

  /** What is planned, as JSON, in the order in which it was. */
  snapshot(): readonly Plan[] {
    const planned = [...this.#next.values()].toSorted((a, b) => a.turn - b.turn)
    return planned.map(({ kind, id, at }) => {
      const reads = this.#reads.get(keyOf(kind, id))
      return { kind, id, at, ...(reads !== undefined && { reads }) }
    })
  }

  /** Plans what a snapshot says, and nothing else. */
  restore(plans: readonly Plan[]): void {
    this.#next.clear()
    this.#reads.clear()
    this.#queue = queueOf()
    for (const { kind, id, at, reads } of plans) {
      this.plan(kind, id, at)
      if (reads !== undefined) this.#reads.set(keyOf(kind, id), reads)
    }
  }

  /** Takes every step that the clock has reached. */
  run(): void {
    for (let first = this.#queue.peek(); first; first = this.#queue.peek()) {
      const isPlanned = this.#next.get(keyOf(first.kind, first.id)) === first
      if (isPlanned && first.at > this.#clock.now()) return
      this.#queue.pop()
      if (isPlanned) this.#take(first)
    }
  }

  #countRead(kind: DrivenKind, id: string, shows: number): void {
    const key = keyOf(kind, id)
    const reads = this.#reads.get(key) ?? 0
    if (reads < shows) this.#reads.set(key, reads + 1)
    else this.#stepOn(kind, id)
  }

  /** Steps until what a reader sees is another state. */
  #stepOn(kind: string, id: string): void {
    const see = (): unknown => this.#kinds.get(kind)?.stateOf(id)
    const before = see()
    for (let hasStepped = true; hasStepped && see() === before;) hasStepped = this.#hurry(kind, id)
    // The read that brought it here sees it too.
    if (this.#next.has(keyOf(kind, id))) this.#reads.set(keyOf(kind, id), 1)
  }

  #hurry(kind: string, id: string): boolean {
    return this.#kinds.get(kind)?.isHeld(id) !== true && this.step(kind, id)
  }

  /** Appointments that were moved stay in the queue until their time; this drops them. */
  #compact(): void {
    this.#queue = queueOf([...this.#next.values()])
  }

  #take({ kind, id, at }: Appointment): void {
    this.#next.delete(keyOf(kind, id))
    this.#reads.delete(keyOf(kind, id))
    this.#kinds.get(kind)?.step(id, at)
  }
}

function queueOf(appointments: Appointment[] = []): TinyQueue<Appointment> {
  return new TinyQueue(appointments, (a, b) => a.at - b.at || a.turn - b.turn)
}

function keyOf(kind: string, id: string): string {
  return `${kind}/${id}`
}
