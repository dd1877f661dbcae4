import type { Schema } from '../../src/engine/schema/schema.ts'
import type { HttpResponse } from '../../src/message.ts'
import type { Exchange } from '../../src/pipeline/exchange.ts'
import type { Session } from '../../src/state/session.ts'

/** An option of a fault besides its rate: a number. */
export interface FaultOption {
  readonly schema: Schema
  readonly default: number
  readonly describe: string
}

/** One way in which a connection goes wrong. */
export interface Fault {
  readonly name: string
  readonly describe: string
  readonly options?: Readonly<Record<string, FaultOption>>
  /**
   * Breaks the connection in place of a response, and says that it is handled; or prepares what happens while the
   * response is sent, and returns nothing.
   */
  inject(
    exchange: Exchange,
    options: Readonly<Record<string, number>>,
    session: Session,
  ): HttpResponse | undefined
}
