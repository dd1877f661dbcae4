import { HANDLED } from '../../src/message.ts'
import type { Fault } from './fault.ts'

export const hang: Fault = {
  name: 'hang',
  describe: 'never responds; the connection stays open until the client leaves',
  inject({ transport }) {
    transport.abort('hang')
    return HANDLED
  },
}
