import { junitSuite, testCase } from '../recording/send/junit.ts'
import { reportPage } from './report-page.ts'
import type { ChaosReport, ClientReport } from './report-form.ts'
import { BEHAVIOURS, injectedText } from './report-words.ts'

/** The report in words. */
export function reportText({ injected, clients, requests, dropped }: ChaosReport): string {
  const lines = [
    `${requests} requests${dropped > 0 ? `; ${dropped} earlier ones are no longer in the journal` : ''}`,
    ...injected.map((each) => `injected by ${each.rule}, ${each.route}: ${injectedText(each)}`),
    ...clients.flatMap(clientLines),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

const MARKS = { passed: 'ok  ', failed: 'FAIL', 'not seen': '-   ' }

function clientLines({ client, behaviour, calls, requests, findings }: ClientReport): readonly string[] {
  return [
    '',
    `${client}: ${BEHAVIOURS[behaviour]} (${behaviour}); ${requests} requests for ${calls} calls`,
    ...findings.map(({ check, result, says }) => `  ${MARKS[result]} ${check}: ${says}`),
  ]
}

/** The report in the form of JUnit: a test for each client and check. */
export function reportJunit({ clients }: ChaosReport): string {
  const findings = clients.flatMap(({ client, findings: own }) =>
    own.map((finding) => ({ client, ...finding })),
  )
  const tests = findings.map(({ client, check, result, says }) =>
    testCase(
      client,
      check,
      result === 'failed' ? [says] : undefined,
      result === 'not seen' ? says : undefined,
    ),
  )
  const count = (wanted: string): number => findings.filter(({ result }) => result === wanted).length
  return junitSuite('resilience', tests, count('failed'), count('not seen'))
}

/** How a report is written, by the end of a file's name. */
export const REPORT_WRITERS: readonly (readonly [RegExp, (report: ChaosReport) => string])[] = [
  [/\.json$/i, (report) => `${JSON.stringify(report, null, 2)}\n`],
  [/\.xml$/i, reportJunit],
  [/\.html?$/i, reportPage],
]
