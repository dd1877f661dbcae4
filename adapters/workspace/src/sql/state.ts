import type { Agenda } from '../agenda.ts'
import { workspaceError } from '../errors.ts'
import type { Part, Restorable, Tools, WorkspaceFixture } from '../part.ts'
import {
  checkStatements,
  createFinder,
  type FixtureMatcher,
  type Match,
  statementsSchema,
} from './matcher.ts'
import type { StatementRequest } from './request.ts'
import { bytesOfRows, type StatementCallback } from './result.ts'
import { isFinished, type Outcome, outcomeOf, type Statement } from './statement.ts'

/** What statements need of warehouses. */
export interface WarehouseUse {
  /** When a warehouse will run, or have failed to; one that is stopped is started. */
  readyAt(id: string): number
  /** Ends the start of a warehouse at once; whether it runs. */
  bringUp(id: string): boolean
  /** The warehouse is in use until `at`. */
  touch(id: string, at?: number): void
}

interface SavedStatements {
  readonly count: number
  readonly uses: readonly (readonly [number, number])[]
  readonly statements: readonly Statement[]
}

const EXPIRY = 'statement-expiry'
const KEPT_MS = 12 * 60 * 60 * 1000
const MAX_STATEMENTS = 10_000
const MAX_RESULT_BYTES = 256 * 1024 * 1024

/** The SQL statements, and how they are executed: by what the fixture says of them. */
export class StatementsState implements Restorable {
  readonly #tools: Tools
  readonly #find: ReturnType<typeof createFinder>
  readonly #callbacks: ReadonlyMap<string, StatementCallback>
  readonly #statements = new Map<string, Statement>()
  readonly #uses = new Map<number, number>()
  #warehouses: WarehouseUse | undefined
  #count = 0
  #resultBytes = 0

  constructor(tools: Tools, matchers: readonly FixtureMatcher[]) {
    this.#tools = tools
    this.#find = createFinder(matchers)
    this.#callbacks = new Map(Object.entries(tools.config.statementCallbacks ?? {}))
    this.#agenda.onStep('statements', (id, at) => this.#step(id, at), {
      stateOf: (id) => this.#statements.get(id)?.state,
    })
    this.#agenda.onStep(EXPIRY, (id) => this.#forget(this.get(id)))
  }

  static fromFixture(fixture: WorkspaceFixture, tools: Tools): StatementsState {
    return new StatementsState(tools, (fixture['statements'] ?? []) as readonly FixtureMatcher[])
  }

  /** Statements run on these warehouses. */
  connect(warehouses: WarehouseUse): void {
    this.#warehouses = warehouses
  }

  get(id: string): Statement {
    const statement = this.#statements.get(id)
    if (statement !== undefined) return statement
    throw workspaceError('NOT_FOUND', `The statement ${id} was not found.`)
  }

  /** The statement as a client finds it that looks at it: reading may move it on. */
  observe(id: string): Statement {
    this.#agenda.run()
    this.#agenda.observe('statements', id)
    return this.get(id)
  }

  /** Executes a statement for as long as its client waits; the rest is for the clock, or for those who look at it. */
  async execute(request: StatementRequest, creatorName: string): Promise<Statement> {
    const readyAt = this.#use.readyAt(request.warehouseId)
    const match = this.#match(request)
    const outcome = await outcomeOf(match, request, this.#callbacks)
    const durationMs = match.kind === 'found' ? (match.matcher.durationMs ?? 0) : 0
    const now = this.#tools.clock.now()
    const statement = this.#add(request, creatorName, durationMs, outcome)
    this.#agenda.plan('statements', statement.id, readyAt)
    if (request.waitMs === 0) return statement
    if (readyAt - now + durationMs <= request.waitMs) while (this.#agenda.step('statements', statement.id));
    else if (request.cancelsOnTimeout) this.cancel(statement.id)
    else if (readyAt - now <= request.waitMs) this.#agenda.step('statements', statement.id)
    return statement
  }

  cancel(id: string): void {
    const statement = this.get(id)
    if (!isFinished(statement)) this.#finish(statement, 'CANCELED', this.#tools.clock.now())
  }

  /** Gives the result of a statement up, or cancels it. */
  close(id: string): void {
    const statement = this.get(id)
    this.cancel(id)
    if (statement.state !== 'SUCCEEDED') return
    statement.state = 'CLOSED'
    delete statement.outcome
  }

  /** What is planned for statements is saved with the agenda. */
  snapshot(): SavedStatements {
    const statements = [...this.#statements.values()].map((statement) => ({ ...statement }))
    return { count: this.#count, uses: [...this.#uses], statements }
  }

  restore(snapshot: unknown): void {
    const { count, uses, statements } = snapshot as SavedStatements
    for (const statement of [...this.#statements.values()]) this.#forget(statement)
    for (const statement of statements) this.#keep({ ...statement })
    this.#uses.clear()
    for (const [index, times] of uses) this.#uses.set(index, times)
    this.#count = count
  }

  get #agenda(): Agenda {
    return this.#tools.agenda
  }

  get #use(): WarehouseUse {
    if (this.#warehouses === undefined) throw new TypeError('StatementsState.connect must be called first')
    return this.#warehouses
  }

  #match(request: StatementRequest): Match {
    const match = this.#find(
      request,
      ({ index, times }) => (this.#uses.get(index) ?? 0) >= (times ?? Number.POSITIVE_INFINITY),
    )
    if (match.kind === 'found' && match.matcher.times !== undefined)
      this.#uses.set(match.matcher.index, (this.#uses.get(match.matcher.index) ?? 0) + 1)
    return match
  }

  #add(request: StatementRequest, creatorName: string, durationMs: number, outcome: Outcome): Statement {
    const { warehouseId, disposition, format } = request
    const id = this.#tools.ids.uuid('statement', this.#count)
    this.#count += 1
    const statement: Statement = {
      id,
      creatorName,
      warehouseId,
      disposition,
      format,
      durationMs,
      resultBytes: outcome.kind === 'result' ? bytesOfRows(outcome.result.rows) : 0,
      state: 'PENDING',
      outcome,
    }
    this.#keep(statement)
    for (const oldest of this.#statements.values()) {
      const isFull = this.#statements.size > MAX_STATEMENTS || this.#resultBytes > MAX_RESULT_BYTES
      if (!isFull || !isFinished(oldest)) break
      this.#forget(oldest)
    }
    return statement
  }

  #keep(statement: Statement): void {
    this.#statements.set(statement.id, statement)
    this.#resultBytes += statement.resultBytes
  }

  #step(id: string, at: number): void {
    const statement = this.#statements.get(id)
    if (statement?.state === 'PENDING') this.#begin(statement, at)
    else if (statement?.state === 'RUNNING')
      this.#finish(statement, statement.outcome?.kind === 'result' ? 'SUCCEEDED' : 'FAILED', at)
  }

  #begin(statement: Statement, at: number): void {
    statement.state = 'RUNNING'
    if (this.#use.bringUp(statement.warehouseId)) {
      this.#use.touch(statement.warehouseId, at + statement.durationMs)
      this.#agenda.plan('statements', statement.id, at + statement.durationMs)
      return
    }
    const message = `SQL warehouse ${statement.warehouseId} is not running: it could not start, was stopped or deleted.`
    statement.outcome = { kind: 'error', error: { message } }
    this.#finish(statement, 'FAILED', at)
  }

  #finish(statement: Statement, state: 'SUCCEEDED' | 'FAILED' | 'CANCELED', at: number): void {
    statement.state = state
    if (state === 'CANCELED') delete statement.outcome
    this.#agenda.cancel('statements', statement.id)
    this.#agenda.plan(EXPIRY, statement.id, at + KEPT_MS)
  }

  #forget({ id, resultBytes }: Statement): void {
    this.#agenda.cancel('statements', id)
    this.#agenda.cancel(EXPIRY, id)
    if (this.#statements.delete(id)) this.#resultBytes -= resultBytes
  }
}

/** SQL statements: the fixture's `statements`, and the state made from them. */
export const statementsPart: Part<StatementsState> = {
  fixtureSchema: { statements: statementsSchema },
  check: checkStatements,
  create: (fixture, tools) => StatementsState.fromFixture(fixture, tools),
}
