import { DriftFound, UsageInvalid } from '../../errors.ts'
import { jsonText, writeFileWhole } from '../../loaders/write-file.ts'
import { FLAG, number, TEXT, TEXTS, whole, type Option } from '../../pipeline/option.ts'
import { driftText } from '../../recording/drift/drift-log.ts'
import type { NameValue } from '../../recording/exchange.ts'
import type { Select } from '../../recording/files/select.ts'
import { loadPseudonymKey } from '../../recording/redaction/pseudonym-key.ts'
import { createRedactor } from '../../recording/redaction/redactor.ts'
import { createCarriedValues } from '../../recording/send/carried-values.ts'
import { junitText } from '../../recording/send/junit.ts'
import {
  pseudonymsIn,
  sendRecording,
  type SendReport,
  wholeExchanges,
} from '../../recording/send/send-recording.ts'
import { OUTPUT_FLAGS, toggle, type Command, type Given, type OutputFlags } from '../command.ts'
import { readFlags } from '../flags.ts'
import { createProgress } from '../progress.ts'
import { counted } from '../text.ts'
import { anyOf, countFailing, DIFFERENCE_FLAGS, type DifferenceFlags } from './difference-flags.ts'
import { requireRecording } from './change.ts'
import { readSelect, SELECT_FLAGS } from './select-flags.ts'
import { readHeader, readReplacements } from './send-secrets.ts'

interface SendFlags extends OutputFlags, DifferenceFlags {
  readonly to: string
  readonly asRecorded: boolean | undefined
  readonly speed: number | undefined
  readonly rate: number | undefined
  readonly concurrency: number | undefined
  readonly headers: readonly string[]
  readonly replace: readonly string[]
  readonly replaceFile: string | undefined
  readonly junit: string | undefined
  readonly timeoutSeconds: number | undefined
  readonly insecure: boolean | undefined
  readonly dryRun: boolean | undefined
}

const MORE = number(Number.MIN_VALUE, Infinity, 'a number above 0')

const FLAGS: Readonly<Record<keyof SendFlags, Option>> = {
  ...OUTPUT_FLAGS,
  ...DIFFERENCE_FLAGS,
  to: {
    ...TEXT,
    flag: {
      name: 'to',
      describe: 'URL of the server; its path is put before recorded ones',
      required: true,
      requiresArg: true,
    },
  },
  asRecorded: toggle('as-recorded', 'Keep the recorded times between requests'),
  speed: {
    ...MORE,
    flag: { name: 'speed', describe: 'How many times faster than recorded', otherwise: '1' },
  },
  rate: { ...MORE, flag: { name: 'rate', describe: 'Most requests in a second' } },
  concurrency: {
    ...whole(1, 1000),
    flag: {
      name: 'concurrency',
      describe: 'Most requests at a time; one waits for those that it follows from',
      otherwise: '1, or 64 with --as-recorded',
    },
  },
  headers: {
    ...TEXTS,
    flag: {
      name: 'header',
      describe:
        "Header in place of a recorded one, such as 'authorization: Bearer {env:TOKEN}'; without a value, none",
      requiresArg: true,
    },
  },
  replace: {
    ...TEXTS,
    flag: {
      name: 'replace',
      describe: 'Text in place of a pseudonym, as pseudonym={env:NAME} or pseudonym={file:PATH}',
      requiresArg: true,
    },
  },
  replaceFile: {
    ...TEXT,
    flag: { name: 'replace-file', describe: 'File with a pseudonym=text on each line', requiresArg: true },
  },
  junit: {
    ...TEXT,
    flag: { name: 'junit', describe: 'File to write the report to as JUnit has it', requiresArg: true },
  },
  timeoutSeconds: {
    ...MORE,
    flag: { name: 'timeout-seconds', describe: 'How long an answer may take', otherwise: '60' },
  },
  insecure: { ...FLAG, flag: { name: 'insecure', describe: 'Accept any certificate of the server' } },
  dryRun: toggle('dry-run', 'Print the requests, and what each follows from, and send nothing'),
}

/** `sim recordings send <recording>` */
export const sendRecorded: Command = {
  command: 'send <recording>',
  describe: 'Send the recorded requests to a server, and report how its answers differ',
  positionals: { recording: { ...TEXT, describe: 'Directory of the recording' } },
  flags: [FLAGS, SELECT_FLAGS],
  examples: [
    ['$0 recordings send recordings/today --to http://127.0.0.1:3000', 'Ends with 1 if answers differ'],
    [
      '$0 recordings send recordings/today --to https://staging.example.com --as-recorded --speed 2',
      'In half the time',
    ],
    [
      "$0 recordings send recordings/today --to http://127.0.0.1:3000 --header 'authorization: Bearer {env:TOKEN}'",
      'With a real token',
    ],
  ],
  async run({ recording, ...given }: Given & { readonly recording: string }) {
    const flags = readFlags<SendFlags>(given, FLAGS)
    const { quiet = false, failOn, asRecorded = false, speed, json = false } = flags
    if (speed !== undefined && !asRecorded) throw new UsageInvalid('--speed is for --as-recorded')
    const to = readTarget(flags.to)
    const headers = flags.headers.map(readHeader)
    const replacements = readReplacements(flags.replace, flags.replaceFile)
    await requireRecording(recording)
    const select = readSelect(given)
    if (flags.dryRun === true) return printRequests(recording, select, headers)
    const secrets = [...headers.map(({ value }) => value), ...replacements.values()].filter(
      (text) => text.length > 3,
    )
    const isIgnored = anyOf(flags.ignore)
    const progress = createProgress('requests sent', quiet)
    const report = await sendRecording(recording, {
      to,
      select,
      headers,
      replacements,
      // What a server repeats of them must not be printed.
      redactor: createRedactor({ patterns: secrets.map(escapePattern) }, await loadPseudonymKey()),
      concurrency: flags.concurrency ?? (asRecorded ? 64 : 1),
      rate: flags.rate,
      speed: asRecorded ? (speed ?? 1) : undefined,
      isTrusting: flags.insecure === true,
      timeoutMs: (flags.timeoutSeconds ?? 60) * 1000,
      counts: ({ pointer }) => pointer === '' || !isIgnored(pointer),
      onProgress: (sent) => progress.at(sent),
    })
    progress.end()
    if (flags.junit !== undefined) writeFileWhole(flags.junit, junitText(report, recording))
    print(report, urlOf(to), json)
    const failing = countFailing(report.drift, failOn) + (failOn === 'never' ? 0 : report.failed)
    if (failing > 0) throw new DriftFound(recording, urlOf(to), failing)
  },
}

function print(report: SendReport, to: string, isJson: boolean): void {
  const { drift, sent, failed, failures, left, pseudonyms } = report
  if (isJson) process.stdout.write(jsonText(report))
  else {
    process.stdout.write(driftText(drift))
    for (const { number: index, request, reason } of failures)
      process.stdout.write(`#${index} ${request}: no answer: ${reason}\n`)
    process.stdout.write(
      `Sent ${counted(sent, 'request')} to ${to}, ${counted(drift.drifts, 'difference')}${failed > 0 ? `, ${failed} without an answer` : ''}\n`,
    )
  }
  for (const [reason, count] of Object.entries(left)) process.stderr.write(`Left out ${count}: ${reason}\n`)
  for (const [place, count] of Object.entries(pseudonyms))
    process.stderr.write(
      `${counted(count, 'request')} had a pseudonym in place of a secret in ${place}: give the real one with --header or --replace\n`,
    )
}

async function printRequests(
  directory: string,
  select: Select,
  headers: readonly NameValue[],
): Promise<void> {
  const values = createCarriedValues()
  const givers = new Map<string, number>()
  const leave = (reason: string): void => void process.stderr.write(`Left out: ${reason}\n`)
  const given = new Set(headers.map(({ name }) => name.toLowerCase()))
  for await (const { number: index, whole: each } of wholeExchanges(directory, select, leave)) {
    const { uses, gives } = values.ties(each)
    const before = new Set([...uses].flatMap((key) => givers.get(key) ?? []))
    for (const key of gives) if (!givers.has(key)) givers.set(key, index)
    const request = values.request(each)
    const secrets = pseudonymsIn(request).filter((place) => !given.has(place))
    const notes = [
      ...(before.size > 0 ? [`follows from ${[...before].map((other) => `#${other}`).join(', ')}`] : []),
      ...(secrets.length > 0 ? [`secrets in ${secrets.join(', ')}`] : []),
    ]
    process.stdout.write(
      `#${index} ${request.method} ${request.url}${notes.length > 0 ? `  (${notes.join('; ')})` : ''}\n`,
    )
  }
}

// Not its user and password.
function urlOf({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/$/, '')
}

function readTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new UsageInvalid(`--to must be a URL such as http://127.0.0.1:3000, not '${text}'`)
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
