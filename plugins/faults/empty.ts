import { HANDLED } from '../../src/message.ts'
import type { Fault } from './fault.ts'

export const empty: Fault = {
  name: 'empty',
  describe: 'closes the connection without a response',
  inject({ transport }) {
    transport.abort('close')
    return HANDLED
  },
}
