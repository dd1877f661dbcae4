import type { Plugin } from '../src/pipeline/route.ts'

/** Reads and checks what the route takes of a request: query, path, body. What does not fit is refused with 422. */
export const readInput: Plugin = {
  name: 'read-input',
  plan({ readInput: read }) {
    if (read === undefined) return undefined
    return (exchange) => {
      const input = read(exchange)
      if (!(input instanceof Promise)) {
        exchange.input = input
        return undefined
      }
      return input.then((later) => {
        exchange.input = later
        return undefined
      })
    }
  },
}
