import type { Plugin } from '../src/pipeline/route.ts'
import { FAULTS } from './faults/index.ts'

const BY_NAME = new Map(FAULTS.map((fault) => [fault.name, fault]))

/** Breaks connections on purpose, as the session's rules decided: in place of a response, or while it is sent. */
export const faults: Plugin = {
  name: 'faults',
  plan({ policies }, session) {
    const isRuled = session.chaos.rules.some(({ rule }) => rule.faults !== undefined)
    if (!isRuled && policies.chaos?.faults === undefined) return undefined
    return (exchange) => {
      const { fault } = exchange.chaos ?? {}
      const response = fault && BY_NAME.get(fault.kind)?.inject(exchange, fault.options, session)
      if (response !== undefined) exchange.source = 'fault'
      return response
    }
  },
}
