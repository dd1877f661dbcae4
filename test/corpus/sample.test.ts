import { relative } from 'node:path'
import { expect, it } from 'vitest'
import { checkAll } from './check-all.ts'
import type { Report } from './check-description.ts'
import { allFiles, DIRECTORY, sampleOf } from './directory.ts'
import { summarize, textOfSummary } from './summary.ts'

const DESCRIPTIONS = 300
const SEED = 1

it('serves public descriptions, and answers as they describe', async () => {
  const reports: Report[] = []
  await checkAll(sampleOf(allFiles(), DESCRIPTIONS, SEED), {
    ...{ extent: { operations: 1 }, processes: 2 },
    report: (report) => reports.push(report),
  })
  process.stdout.write(`${textOfSummary(reports, (file) => relative(DIRECTORY, file))}\n`)
  const { refused, share, answers } = summarize(reports)
  expect(refused.map(({ file, refused: why }) => `${file}: ${why}`)).toEqual([])
  expect(answers).toBeGreaterThan(1000)
  expect(share).toBeGreaterThanOrEqual(0.99)
})
