import { HANDLED } from '../../src/message.ts'
import type { Fault } from './fault.ts'

export const reset: Fault = {
  name: 'reset',
  describe: 'breaks the connection at once: a TCP reset, or a reset of the HTTP/2 stream',
  inject({ transport }) {
    transport.abort('reset')
    return HANDLED
  },
}
