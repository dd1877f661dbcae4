import type { Worker } from 'node:cluster'
import { sumMetrics } from '../../control/metrics.ts'
import type { FromWorker, ToWorker } from './part.ts'

/** Gets from workers what they have measured, and adds it up. */
interface Gathering {
  /** Hears what a worker says about metrics. */
  hear(worker: Worker, message: FromWorker): void
  /** A worker is gone, so that nobody waits for it. */
  forget(worker: Worker): void
}

interface Request {
  readonly worker: Worker
  readonly settle: (metrics: readonly object[]) => void
}

/** @param workers those that serve now */
export function createGathering(workers: () => readonly Worker[]): Gathering {
  const waiting = new Map<number, Request>()
  let last = 0

  const ask = (worker: Worker): Promise<readonly object[]> =>
    new Promise((settle) => {
      const id = ++last
      waiting.set(id, { worker, settle })
      send(worker, { kind: 'report-metrics', id })
    })
  const settle = (id: number, metrics: readonly object[]): void => {
    waiting.get(id)?.settle(metrics)
    waiting.delete(id)
  }
  const answer = async (asker: Worker, id: number): Promise<void> => {
    const all = await Promise.all(workers().map(ask))
    send(asker, { kind: 'all-metrics', id, text: await sumMetrics(all) })
  }
  return {
    hear(worker, message) {
      if (message.kind === 'ask-metrics') void answer(worker, message.id)
      if (message.kind === 'own-metrics') settle(message.id, message.metrics)
    },
    forget(gone) {
      for (const [id, { worker }] of waiting) if (worker === gone) settle(id, [])
    },
  }
}

/** Says something to a worker that may be gone. */
export function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined)
}
