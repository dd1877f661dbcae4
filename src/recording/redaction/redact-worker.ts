import { parentPort, workerData } from 'node:worker_threads'
import type { Exchange } from '../exchange.ts'
import type { WorkerRules } from './redact-apart.ts'
import { createRedactor } from './redactor.ts'

const { rules, key } = workerData as WorkerRules
const redactor = createRedactor(rules, key && Buffer.from(key))

// In the order they came, one after the other.
parentPort?.on('message', (exchange: Exchange) => parentPort?.postMessage(redactor.exchange(exchange), []))
