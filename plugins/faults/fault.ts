import type { HttpResponse } from '../../src/message.ts'
import type { Exchange } from '../../src/pipeline/exchange.ts'
import type { Form } from '../../src/pipeline/option.ts'
import type { Session } from '../../src/state/session.ts'

/** An option of a fault besides its rate: a number. */
export interface FaultOption extends Form {
  readonly default: number
  readonly describe: string
}

/** One way in which a connection goes wrong. */
export interface Fault {
  readonly name: string
  readonly describe: string
  /** `--fault` takes the first of them after the rate: `slow-body:1:5000`. */
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
