import type { ServerResponse } from 'node:http'
import { interceptBody } from './body-writer.ts'
import { closeConnection } from './connection.ts'

/** Closes the connection halfway through a body: half of its stated length, or else of what is written first. */
export function truncateBody(response: ServerResponse): void {
  const statedLength = watchLength(response)
  let sent = 0
  let most: number | undefined

  interceptBody(response, (raw) => ({
    write(chunk) {
      most ??= Math.floor((statedLength() ?? chunk.length) / 2)
      const left = most - sent
      if (left < 0) return false
      if (chunk.length < left) {
        sent += chunk.length
        return raw.write(chunk)
      }
      sent = Infinity
      // An empty write sends the head.
      raw.write(chunk.subarray(0, left), () => closeConnection(response))
      return false
    },
    end() {
      if (sent === Infinity) return
      if (most === undefined) raw.end()
      else closeConnection(response)
    },
  }))
}

// Headers that are given with the head are not among the response's own.
function watchLength(response: ServerResponse): () => number | undefined {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse
  let stated: unknown
  response.writeHead = (...head: unknown[]) => {
    stated = lengthIn(head.at(-1))
    return writeHead(...head)
  }
  return () => {
    const length = stated ?? response.getHeader('content-length')
    return length === undefined ? undefined : Number(length)
  }
}

function lengthIn(headers: unknown): unknown {
  if (headers === null || typeof headers !== 'object') return undefined
  const flat = Array.isArray(headers)
    ? (headers as readonly unknown[]).flat()
    : Object.entries(headers).flat()
  const at = flat.findIndex((each, index) => index % 2 === 0 && /^content-length$/i.test(String(each)))
  return at < 0 ? undefined : flat[at + 1]
}
