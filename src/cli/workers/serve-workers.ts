import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { WorkerEnded } from '../../errors.ts'
import { listen, printAddress, type Address } from '../serve.ts'
import { createGathering, send } from './gather-metrics.ts'
import type { FromWorker } from './part.ts'
import { PART, type Part } from './part.ts'

/**
 * Serves by several processes, each of which runs this command as a worker. One that ends is replaced; SIGINT and
 * SIGTERM let all of them answer their requests, and end.
 * @throws NotListening when the address cannot be had; WorkerEnded when a worker ends before it serves
 */
export async function serveWorkers(
  count: number,
  address: Address,
  seeds: Omit<Part, 'port' | 'number'>,
): Promise<void> {
  const port = await findPort(address)
  const serving = new Set<Worker>()
  const gathering = createGathering(() => [...serving])
  let isEnding = false

  const start = async (number: number): Promise<void> => {
    const part: Part = { ...seeds, port, number }
    const worker = cluster.fork({ [PART]: JSON.stringify(part) })
    worker.on('error', giveUp)
    worker.on('message', (message: FromWorker) => gathering.hear(worker, message))
    await ready(worker, number)
    serving.add(worker)
    worker.once('exit', (code, signal) => replace(worker, number, signal ?? code))
    if (isEnding) send(worker, { kind: 'drain' })
  }
  const replace = (worker: Worker, number: number, how: string): void => {
    serving.delete(worker)
    gathering.forget(worker)
    if (isEnding) return
    process.stderr.write(`worker ${number} ended (${how}): another takes its place\n`)
    start(number).catch(giveUp)
  }
  const endAll = async (): Promise<void> => {
    isEnding = true
    await Promise.all([...serving].map((worker) => ended(worker)))
    process.exit(0)
  }
  try {
    await Promise.all(Array.from({ length: count }, (_, index) => start(index + 1)))
  } catch (error) {
    killAll()
    throw error
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void endAll())
  printAddress({ ...address, port })
}

function ready(worker: Worker, number: number): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', ({ kind }: FromWorker) => {
      if (kind === 'ready') resolve()
    })
    worker.once('exit', (code, signal) =>
      reject(new WorkerEnded(`Worker ${number} ended before it served (${signal ?? code})`)),
    )
  })
}

async function ended(worker: Worker): Promise<void> {
  const end = once(worker, 'exit')
  send(worker, { kind: 'drain' })
  await end
}

// One that cannot even start would be replaced for ever.
function giveUp(error: unknown): void {
  process.stderr.write(`${(error as Error).message}\n`)
  killAll()
  process.exit(1)
}

function killAll(): void {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
}

// All workers listen on one port, those that come later too; that it cannot be had is reported once.
async function findPort(address: Address): Promise<number> {
  const server = createServer()
  const open = async ({ host, port }: Address): Promise<void> => {
    server.listen(port, host)
    await once(server, 'listening')
  }
  await listen({ listen: open }, address)
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}
