import type { Worker } from 'node:worker_threads'
import { startThread } from '../../own-thread.ts'
import type { Exchange, Redacted } from '../exchange.ts'
import type { RedactionRules } from './secrets.ts'

/** Redacts exchanges in a thread of its own, so that long bodies hold nobody up. */
export type RedactApart = (exchange: Exchange) => Promise<Redacted<Exchange>>

/** What its thread is started with. */
export interface WorkerRules {
  readonly rules: RedactionRules
  readonly key: Uint8Array | undefined
}

interface Waiting {
  readonly exchange: Exchange
  readonly done: (redacted: Redacted<Exchange>) => void
  readonly failed: (error: unknown) => void
}

/**
 * Starts its thread with the first exchange. Where a thread cannot be had, or ends, the work is done in this one.
 * @param redact does the same in this thread
 */
export function createRedactApart(
  redact: (exchange: Exchange) => Redacted<Exchange>,
  rules: RedactionRules,
  key?: Buffer,
): RedactApart {
  let worker: Worker | undefined
  let hasFailed = false
  let waiting: Waiting[] = []
  const fail = (): void => {
    hasFailed = true
    worker = undefined
    const left = waiting
    waiting = []
    for (const { exchange, done, failed } of left) {
      try {
        done(redact(exchange))
      } catch (error) {
        failed(error)
      }
    }
  }
  const start = (): Worker => {
    const started = startThread(new URL('./redact-worker', import.meta.url), {
      rules,
      key,
    } satisfies WorkerRules)
    started.on('message', (redacted: Redacted<Exchange>) => {
      const next = waiting.shift()
      // It keeps the process alive only while it is waited for.
      if (waiting.length === 0) started.unref()
      next?.done(redacted)
    })
    started.on('error', fail)
    started.on('exit', fail)
    started.unref()
    return started
  }
  return (exchange) => {
    if (hasFailed) return Promise.resolve(exchange).then(redact)
    return new Promise((done, failed) => {
      worker ??= start()
      waiting.push({ exchange, done, failed })
      worker.ref()
      worker.postMessage(exchange, [])
    })
  }
}
