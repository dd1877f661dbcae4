import type { Fault } from './fault.ts'

export const truncate: Fault = {
  name: 'truncate',
  describe: 'closes the connection halfway through the body',
  // Half of its stated length, or else of what is written first.
  inject({ transport }) {
    transport.interceptBody((raw) => {
      let sent = 0
      let most: number | undefined
      return {
        write(chunk) {
          most ??= Math.floor((raw.statedLength() ?? chunk.length) / 2)
          const left = most - sent
          if (left < 0) return false
          if (chunk.length < left) {
            sent += chunk.length
            return raw.write(chunk)
          }
          sent = Infinity
          // An empty write sends the head.
          raw.write(chunk.subarray(0, left), raw.close)
          return false
        },
        end() {
          if (sent === Infinity) return
          if (most === undefined) raw.end()
          else raw.close()
        },
      }
    })
    return undefined
  },
}
