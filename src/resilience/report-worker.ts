import { parentPort } from 'node:worker_threads'
import { chaosReport, type Run } from './report.ts'

parentPort?.once('message', (run: Run) => parentPort?.postMessage(chaosReport(run), []))
