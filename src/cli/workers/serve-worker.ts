import type { Shared } from '../../control/control.ts'
import { createDrain, listen, type Address, type Listening } from '../serve.ts'
import type { FromWorker, ToWorker } from './part.ts'

/** What a worker shares with the others, by way of the process that started them. */
export function createShared(): Shared {
  const waiting = new Map<number, (text: string) => void>()
  let own: () => Promise<readonly object[]> = async () => []
  let last = 0
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'report-metrics')
      void own().then((metrics) => say({ kind: 'own-metrics', id: message.id, metrics }))
    if (message.kind !== 'all-metrics') return
    waiting.get(message.id)?.(message.text)
    waiting.delete(message.id)
  })
  return {
    offer(ask) {
      own = ask
    },
    metrics: () =>
      new Promise((settle) => {
        waiting.set(++last, settle)
        say({ kind: 'ask-metrics', id: last })
      }),
  }
}

/** Serves as one of several. The process that started this one says where it listens, and when it has to end. */
export async function serveWorker(app: Listening, address: Address): Promise<void> {
  await listen(app, address)
  const drain = createDrain(app)
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'drain') drain()
  })
  process.on('SIGTERM', drain)
  // A terminal interrupts all processes at once; which of them ends when is for the first to say.
  process.on('SIGINT', () => undefined)
  say({ kind: 'ready' })
}

function say(message: FromWorker): void {
  if (process.connected) process.send?.(message)
}
