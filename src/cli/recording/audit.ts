import { SecretsFound } from '../../errors.ts'
import { jsonText } from '../../loaders/write-file.ts'
import { merge } from '../../options/merge.ts'
import { REDACT_OPTIONS } from '../../options/recording-options.ts'
import { TEXT } from '../../pipeline/option.ts'
import { auditRecording, type Finding } from '../../recording/audit/audit-recording.ts'
import { createRedactor } from '../../recording/redaction/redactor.ts'
import type { RedactionRules } from '../../recording/redaction/secrets.ts'
import { OUTPUT_FLAGS, type Command, type Given, type OutputFlags } from '../command.ts'
import { CONFIG_FLAGS, readConfig } from '../config-flag.ts'
import { readFlags } from '../flags.ts'
import { createProgress } from '../progress.ts'
import { counted } from '../text.ts'
import { requireRecording } from './change.ts'

/** What is printed at most; the rest is counted. */
const MAX_FINDINGS = 1000

/** `sim recordings audit <recording>` */
export const auditRecordings: Command = {
  command: 'audit <recording>',
  describe: 'Look for secrets in all that a recording holds, by the rules of a secret scanner and by ours',
  positionals: { recording: { ...TEXT, describe: 'Directory of the recording' } },
  flags: [REDACT_OPTIONS, CONFIG_FLAGS, OUTPUT_FLAGS],
  examples: [['$0 recordings audit recordings/today', 'Ends with 1 and says where, if there are any']],
  async run({ recording, ...given }: Given & { readonly recording: string }) {
    const { json = false, quiet = false } = readFlags<OutputFlags>(given, OUTPUT_FLAGS)
    const rules = merge(
      readConfig(given).options.redact ?? {},
      readFlags<RedactionRules>(given, REDACT_OPTIONS),
    )
    await requireRecording(recording)
    const progress = createProgress('exchanges read', quiet)
    const findings: Finding[] = []
    let [count, exchanges] = [0, 0]
    const onProgress = (read: number): void => progress.at((exchanges = read))
    for await (const finding of auditRecording(recording, createRedactor(rules), onProgress)) {
      count++
      if (findings.length < MAX_FINDINGS) findings.push(finding)
    }
    progress.end()
    if (json) process.stdout.write(jsonText({ exchanges, count, findings }))
    else
      process.stdout.write(
        count === 0 ? `${counted(exchanges, 'exchange')}, no secret found\n` : textOf(findings, count),
      )
    if (count > 0) throw new SecretsFound(recording, count)
  },
}

function textOf(findings: readonly Finding[], count: number): string {
  const lines = findings.map(({ file, line, pointer, kind }) =>
    [line === undefined ? file : `${file}:${line}`, ...(pointer === undefined ? [] : [pointer]), kind].join(
      '  ',
    ),
  )
  const more = count > findings.length ? [`and ${count - findings.length} more`] : []
  return [...lines, ...more].map((each) => `${each}\n`).join('')
}
