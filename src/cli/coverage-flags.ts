import { UsageInvalid } from '../errors.ts'
import type { GatewayOptions } from '../gateway.ts'
import { loadApi } from '../loaders/load-target.ts'
import { jsonText, writeFileWhole } from '../loaders/write-file.ts'
import { emptyCoverage, type CoverageKind, type CoverageReport } from '../openapi/contract/coverage-report.ts'
import { TEXTS, type Option } from '../pipeline/option.ts'
import { readFlags } from './flags.ts'
import type { RunOutput } from './run-output.ts'
import { printFailure } from './print.ts'
import { counted } from './text.ts'

interface CoverageFlags {
  readonly coverageReport: readonly string[]
  readonly failOn: readonly string[]
}

/** Flags that say what becomes of what a check has seen, when the server ends. */
export const COVERAGE_FLAGS: Readonly<Record<keyof CoverageFlags, Option>> = {
  coverageReport: {
    ...TEXTS,
    group: 'Contract',
    see: 'contract.md#coverage',
    flag: {
      name: 'coverage-report',
      describe:
        'Write what --check has seen to this file when the server ends: .json, .xml (JUnit) or .info (lcov)',
      requiresArg: true,
    },
  },
  failOn: {
    ...TEXTS,
    group: 'Contract',
    see: 'contract.md#coverage',
    flag: {
      name: 'fail-on',
      describe: 'End with 3 if there were violations, or a smaller share was seen than, say, operations=80',
      requiresArg: true,
    },
  },
}

/** The code that a server ends with where what it has seen is not enough, or not as described. */
const FAILED = 3

type Checking = Pick<GatewayOptions, 'check' | 'onCoverage'>

/**
 * What flags say about the check of a contract.
 * @param against the target that exchanges are checked against, where it is not what is served
 * @throws UsageInvalid for what cannot be; TargetInvalid as `loadTarget` does
 */
export async function checkingOf(
  given: object,
  check: GatewayOptions['check'],
  against: string | undefined,
  { say }: Pick<RunOutput, 'say'>,
): Promise<Checking> {
  const flags = readFlags<CoverageFlags>(given, COVERAGE_FLAGS)
  const { level = 'off' } = check ?? {}
  const needing = [
    ...(flags.coverageReport.length > 0 ? ['--coverage-report'] : []),
    ...(flags.failOn.length > 0 ? ['--fail-on'] : []),
    ...(against === undefined ? [] : ['--check-against']),
  ]
  if (level === 'off' && needing.length > 0)
    throw new UsageInvalid(
      `${needing.join(' and ')} ${needing.length > 1 ? 'need' : 'needs'} --check report or --check enforce`,
    )
  if (level === 'off') return {}
  const limits = flags.failOn.map(readLimit)
  const files = await Promise.all(
    flags.coverageReport.map(async (file) => ({ file, write: await writerOf(file) })),
  )
  // A file that cannot be written is a matter of the start, not of the end.
  for (const { file, write } of files) writeFileWhole(file, write(emptyCoverage()))
  const loaded = against === undefined ? undefined : await loadApi(against, 'checked against')
  return {
    check: { ...check, ...(loaded !== undefined && { routes: loaded.api.gatewayOptions().engine.routes }) },
    onCoverage(report) {
      say('stdout', coverageText(report), 'coverage', report)
      for (const { file, write } of files) printFailure(() => writeFileWhole(file, write(report)))
      const failed = limits.flatMap((limit) => limit(report) ?? [])
      if (failed.length > 0)
        say('stderr', failed.map((reason) => `--fail-on: ${reason}\n`).join(''), 'failed', failed)
      if (failed.length > 0) process.exitCode = FAILED
    },
  }
}

type Write = (report: CoverageReport) => string

const WRITERS: readonly (readonly [RegExp, () => Promise<Write>])[] = [
  [/\.json$/i, async () => jsonText],
  [/\.xml$/i, async () => (await coverageFiles()).coverageJunit],
  [/\.(info|lcov)$/i, async () => (await coverageFiles()).coverageLcov],
]
const coverageFiles = () => import('../openapi/contract/coverage-files.ts')

async function writerOf(file: string): Promise<Write> {
  const [, load] = WRITERS.find(([ending]) => ending.test(file)) ?? []
  if (load !== undefined) return load()
  throw new UsageInvalid(`--coverage-report must end in .json, .xml (JUnit) or .info (lcov), not '${file}'`)
}

/** What is not as wanted in a report; nothing where all is. */
type Limit = (report: CoverageReport) => string | undefined

const KINDS: readonly CoverageKind[] = ['operations', 'parameters', 'statuses', 'media_types', 'fields']

function readLimit(text: string): Limit {
  if (text === 'violations')
    return ({ violations }) => (violations === 0 ? undefined : `it found ${counted(violations, 'violation')}`)
  const [, name = '', share = ''] = /^([a-z-]+)=(\d+(?:\.\d+)?)%?$/.exec(text) ?? []
  const kind = KINDS.find((each) => nameOf(each) === name)
  if (kind === undefined || Number(share) > 100)
    throw new UsageInvalid(
      `--fail-on must be violations, or a share in percent such as operations=80 of ${KINDS.map(nameOf).join(', ')}, not '${text}'`,
    )
  return ({ totals }) => {
    const { seen, total } = totals[kind]
    return seen * 100 >= Number(share) * total
      ? undefined
      : `${seen} of ${total} ${nameOf(kind)} were seen, which is less than ${share} %`
  }
}

function nameOf(kind: CoverageKind): string {
  return kind.replace('_', '-')
}

function coverageText({ totals, violations }: CoverageReport): string {
  const shares = KINDS.map((kind) => `${totals[kind].seen} of ${totals[kind].total} ${nameOf(kind)}`)
  return `Checked: ${shares.join(', ')} seen; ${counted(violations, 'violation')}\n`
}
