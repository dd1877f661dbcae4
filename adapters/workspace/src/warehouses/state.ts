import { Ordered, type VirtualClock } from 'sim-gateway/adapter'
import type { Agenda } from '../agenda.ts'
import { invalid, workspaceError } from '../errors.ts'
import type { Body } from '../fields.ts'
import type { ObjectSource, Part, Restorable, Tools, WorkspaceFixture } from '../part.ts'
import {
  checkWarehouses,
  fixtureWarehouses,
  readSettings,
  type Warehouse,
  warehousesSchema,
} from './warehouse.ts'

interface SavedWarehouses {
  readonly count: number
  readonly warehouses: readonly Warehouse[]
}

/** How long a change of state takes on the virtual clock. */
const STEP_MS = 5000
const IDLE = 'warehouse-idle'

/** The SQL warehouses, and how they start, stop and go. */
export class WarehousesState implements ObjectSource, Restorable {
  readonly #tools: Tools
  readonly #byId = new Map<string, Warehouse>()
  readonly #ordered = new Ordered<Warehouse>()
  #count = 0

  constructor(tools: Tools) {
    this.#tools = tools
    this.#agenda.onStep('warehouses', (id, at) => this.#step(id, at), {
      stateOf: (id) => this.#byId.get(id)?.state,
    })
    this.#agenda.onStep(IDLE, (id, at) => this.#stopIdle(id, at))
  }

  static fromFixture(fixture: WorkspaceFixture, tools: Tools): WarehousesState {
    const state = new WarehousesState(tools)
    for (const entry of fixtureWarehouses(fixture)) {
      const { id, state: name = 'STOPPED', creator_name: creator = tools.defaultUser, startFailure } = entry
      const warehouse = state.#add(entry as unknown as Body, creator, name, {
        ...(id !== undefined && { id }),
        ...(startFailure && { startFailure }),
      })
      if (name === 'RUNNING') state.#awaitIdleness(warehouse, tools.clock.now())
      if (name === 'STARTING') state.#plan(warehouse.id, tools.clock.now())
    }
    return state
  }

  get ordered(): Ordered<Warehouse> {
    return this.#ordered
  }

  hasObject(id: string): boolean {
    return this.#byId.has(id)
  }

  get(id: string): Warehouse {
    const warehouse = this.#byId.get(id)
    if (warehouse !== undefined) return warehouse
    throw workspaceError('RESOURCE_DOES_NOT_EXIST', `SQL warehouse ${id} does not exist.`)
  }

  /** The warehouse as a client finds it that looks at it: reading may move it on. */
  observe(id: string): Warehouse {
    this.#agenda.observe('warehouses', id)
    return this.get(id)
  }

  create(body: Body, creatorName: string): Warehouse {
    const warehouse = this.#add(body, creatorName, 'STARTING', {})
    this.#plan(warehouse.id, this.#clock.now())
    return warehouse
  }

  edit(id: string, body: Body): void {
    const warehouse = this.get(id)
    const settings = readSettings(body, warehouse.settings)
    if (settings.name !== warehouse.settings.name) this.#requireFreeName(settings.name)
    warehouse.settings = settings
    this.touch(id)
  }

  delete(id: string): void {
    const warehouse = this.get(id)
    warehouse.state = 'DELETING'
    this.#agenda.cancel(IDLE, id)
    this.#plan(id, this.#clock.now())
  }

  start(id: string): void {
    const warehouse = this.get(id)
    if (warehouse.state === 'RUNNING' || warehouse.state === 'STARTING') return
    if (warehouse.state !== 'STOPPED')
      throw workspaceError('INVALID_STATE', `SQL warehouse ${id} is in unexpected state ${warehouse.state}.`)
    warehouse.state = 'STARTING'
    warehouse.isBroken = false
    this.#plan(id, this.#clock.now())
  }

  stop(id: string): void {
    const warehouse = this.get(id)
    if (warehouse.state === 'RUNNING' || warehouse.state === 'STARTING')
      this.#stopAt(warehouse, this.#clock.now())
    else if (warehouse.state === 'DELETING')
      throw workspaceError('INVALID_STATE', `SQL warehouse ${id} is in unexpected state DELETING.`)
  }

  /** When a warehouse will run, or have failed to; one that is stopped is started. */
  readyAt(id: string): number {
    const warehouse = this.get(id)
    if (warehouse.state === 'STOPPING') this.#agenda.step('warehouses', id)
    this.start(id)
    return this.#agenda.dueAt('warehouses', id) ?? this.#clock.now()
  }

  /** Ends the start of a warehouse at once; whether it runs. */
  bringUp(id: string): boolean {
    if (this.#byId.get(id)?.state === 'STARTING') this.#agenda.step('warehouses', id)
    return this.#byId.get(id)?.state === 'RUNNING'
  }

  /** The warehouse is in use until `at`: its idle time starts over then. */
  touch(id: string, at: number = this.#clock.now()): void {
    const warehouse = this.#byId.get(id)
    if (warehouse?.state === 'RUNNING') this.#awaitIdleness(warehouse, at)
  }

  /** What is planned for warehouses is saved with the agenda. */
  snapshot(): SavedWarehouses {
    return { count: this.#count, warehouses: [...this.#ordered].map((warehouse) => ({ ...warehouse })) }
  }

  restore(snapshot: unknown): void {
    const { count, warehouses } = snapshot as SavedWarehouses
    for (const warehouse of [...this.#ordered]) this.#forget(warehouse)
    for (const warehouse of warehouses) this.#keep({ ...warehouse })
    this.#count = count
  }

  get #agenda(): Agenda {
    return this.#tools.agenda
  }

  get #clock(): VirtualClock {
    return this.#tools.clock
  }

  #add(
    body: Body,
    creatorName: string,
    state: Warehouse['state'],
    given: Partial<Pick<Warehouse, 'id' | 'startFailure'>>,
  ): Warehouse {
    const settings = readSettings(body)
    this.#requireFreeName(settings.name)
    const sequence = this.#count
    this.#count += 1
    const id = given.id ?? this.#tools.ids.hex(16, 'warehouse', sequence)
    const warehouse = {
      ...given,
      id,
      sequence,
      creatorName,
      settings,
      state,
      failedStarts: 0,
      isBroken: false,
    }
    this.#keep(warehouse)
    return warehouse
  }

  #keep(warehouse: Warehouse): void {
    this.#byId.set(warehouse.id, warehouse)
    this.#ordered.add(warehouse)
  }

  #requireFreeName(name: string): void {
    for (const { settings, state } of this.#ordered)
      if (settings.name === name && state !== 'DELETING')
        throw invalid(`SQL warehouse with name \`${name}\` already exists`)
  }

  #plan(id: string, at: number): void {
    this.#agenda.plan('warehouses', id, at + STEP_MS)
  }

  #step(id: string, at: number): void {
    const warehouse = this.#byId.get(id)
    if (warehouse?.state === 'STARTING') this.#endStart(warehouse, at)
    else if (warehouse?.state === 'STOPPING') warehouse.state = 'STOPPED'
    else if (warehouse?.state === 'DELETING') this.#forget(warehouse)
  }

  #endStart(warehouse: Warehouse, at: number): void {
    const { startFailure, failedStarts } = warehouse
    warehouse.isBroken =
      startFailure !== undefined && failedStarts < (startFailure.times ?? Number.POSITIVE_INFINITY)
    warehouse.state = warehouse.isBroken ? 'STOPPED' : 'RUNNING'
    if (warehouse.isBroken) warehouse.failedStarts += 1
    else this.#awaitIdleness(warehouse, at)
  }

  #stopIdle(id: string, at: number): void {
    const warehouse = this.#byId.get(id)
    if (warehouse?.state === 'RUNNING') this.#stopAt(warehouse, at)
  }

  #stopAt(warehouse: Warehouse, at: number): void {
    warehouse.state = 'STOPPING'
    this.#agenda.cancel(IDLE, warehouse.id)
    this.#plan(warehouse.id, at)
  }

  #awaitIdleness({ id, settings }: Warehouse, at: number): void {
    if (settings.auto_stop_mins === 0) this.#agenda.cancel(IDLE, id)
    else this.#agenda.plan(IDLE, id, at + settings.auto_stop_mins * 60_000)
  }

  #forget(warehouse: Warehouse): void {
    this.#agenda.cancel('warehouses', warehouse.id)
    this.#agenda.cancel(IDLE, warehouse.id)
    this.#byId.delete(warehouse.id)
    this.#ordered.delete(warehouse)
  }
}

/** SQL warehouses: the fixture's `warehouses`, and the state made from them. */
export const warehousesPart: Part<WarehousesState> = {
  fixtureSchema: { warehouses: warehousesSchema },
  check: checkWarehouses,
  create: (fixture, tools) => WarehousesState.fromFixture(fixture, tools),
}
