import { findingText } from '../drift/drift-log.ts'
import type { SendReport } from './send-recording.ts'

/** A report in the form of JUnit, as CI systems read it: a test for each route, which fails with its differences. */
export function junitText({ drift, failures, failed }: SendReport, name: string): string {
  const routes = drift.routes.map(({ route, exchanges, drifts }) => {
    const lines = drifts.map(
      (each) => `${findingText(each)} (${each.exchanges} of ${exchanges}, first #${each.example.number})`,
    )
    return testCase(name, route, lines.length === 0 ? undefined : lines)
  })
  const unanswered = failures.map(({ number, request, reason }) =>
    testCase(name, `#${number} ${request}`, [`no answer: ${reason}`]),
  )
  const bad = drift.routes.filter(({ drifts }) => drifts.length > 0).length + failed
  const all = [...routes, ...unanswered]
  return junitSuite(name, all, bad)
}

/** A suite of tests. @param failed how many of them failed */
export function junitSuite(name: string, tests: readonly string[], failed: number, skipped = 0): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites><testsuite name="${escape(name)}" tests="${tests.length}" failures="${failed}"${skipped > 0 ? ` skipped="${skipped}"` : ''}>`,
    ...tests,
    '</testsuite></testsuites>',
    '',
  ].join('\n')
}

/** A test, which failed where there are failures. @param skipped why it did not run */
export function testCase(
  suite: string,
  name: string,
  failures: readonly string[] | undefined,
  skipped?: string,
): string {
  const head = `<testcase classname="${escape(suite)}" name="${escape(name)}"`
  if (skipped !== undefined) return `${head}><skipped message="${escape(skipped)}"/></testcase>`
  if (failures === undefined) return `${head}/>`
  return `${head}><failure message="${escape(failures[0] ?? '')}">${escape(failures.join('\n'))}</failure></testcase>`
}

function escape(text: string): string {
  // XML has no way to write most control characters.
  // oxlint-disable-next-line no-control-regex
  const clean = text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '?')
  return clean
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
