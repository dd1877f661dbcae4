import { startThread } from '../own-thread.ts'
import type { ChaosReport } from './report-form.ts'
import { chaosReport, type Run } from './report.ts'

/** Of so few requests, the report is there before a thread would be. */
const FEW = 30

/** The report of a run, made in a thread of its own: to find the retries among many requests that are alike takes seconds. */
export function chaosReportApart(run: Run): Promise<ChaosReport> {
  if (run.entries.length <= FEW) return Promise.resolve(chaosReport(run))
  return new Promise<ChaosReport>((resolve, reject) => {
    const worker = startThread(new URL('./report-worker', import.meta.url))
    worker.once('message', (report: ChaosReport) => {
      resolve(report)
      void worker.terminate()
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('Its thread has ended')))
    worker.postMessage(run, [])
  }).catch(() => chaosReport(run))
}
