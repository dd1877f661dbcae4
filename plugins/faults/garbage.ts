import { chaosDraws } from '../../src/engine/random.ts'
import { HANDLED } from '../../src/message.ts'
import type { Fault } from './fault.ts'

const BYTES = 256

export const garbage: Fault = {
  name: 'garbage',
  describe: 'sends bytes that are not HTTP, and closes the connection',
  inject({ transport, key, ordinal }, _options, { seed }) {
    const draw = chaosDraws(seed, 'garbage', key, ordinal)
    transport.abort('close', Buffer.from(Array.from({ length: BYTES }, () => Math.floor(draw() * 256))))
    return HANDLED
  },
}
