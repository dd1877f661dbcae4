// npm run compare-answers -- --base DIR: puts the same requests to two builds, and prints what they answer differently.
import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { askAll, type AppAnswers } from './ask.ts'
import { findDifferences, isMeant, readPurposes, type Difference } from './differences.ts'
import { readPages, type Page } from './pages.ts'
import { RECORD, readRecord, toRecord, writeRecord } from './record.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const USAGE = `npm run compare-answers -- --base DIR    compares this build with the one in DIR
npm run compare-answers -- --record      records the apps that are new or changed, by this build
  --count 19     requests to each app
  --seed 1
  --only TEXT    pages whose name has this text, such as docs/options.md
  --show 3       differences shown of each kind
  --build DIR    what to compare or record in place of this checkout
  --all          records every app anew
`
const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    build: { type: 'string', default: ROOT },
    count: { type: 'string', default: '19' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    show: { type: 'string', default: '3' },
    record: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
})
const options = { seed: Number(values.seed), count: Number(values.count) }
const build = resolve(values.build)

if (values.record) await record(readPages(ROOT))
else if (values.base === undefined) process.stdout.write(USAGE)
else await compare(resolve(values.base))

async function record(pages: readonly Page[]): Promise<void> {
  const kept = new Map(
    existsSync(RECORD) && !values.all ? readRecord().map((each) => [each.digest, each]) : [],
  )
  const apps = (await askAll(pages, { ...options, build })).map(toRecord)
  const fresh = apps.filter(({ digest }) => !kept.has(digest))
  writeFileSync(RECORD, writeRecord(apps.map((each) => kept.get(each.digest) ?? each)))
  process.stdout.write(`${apps.length} apps, ${fresh.length} of them recorded now\n`)
}

async function compare(base: string): Promise<void> {
  const pages = readPages(base).filter(({ name }) => name.includes(values.only))
  const before = await askAll(pages, { ...options, build: base })
  const requests = new Map(before.map(({ app, exchanges }) => [app, exchanges.map(({ request }) => request)]))
  const after = await askAll(pages, { ...options, build, requests })
  const purposes = readPurposes()
  const meant = ({ app, before: { request }, kind }: Difference): boolean =>
    purposes.some((purpose) => isMeant(purpose, app, `${request.method} ${request.path}`, kind))
  const differences = findDifferences(before, after)
  const unmeant = differences.filter((each) => !meant(each))
  print(before, differences.length - unmeant.length, unmeant)
  process.exitCode = unmeant.length === 0 ? 0 : 1
}

function print(before: readonly AppAnswers[], meant: number, unmeant: readonly Difference[]): void {
  const lines: string[] = []
  const groups = new Map<string, Difference[]>()
  for (const each of unmeant) groups.set(each.kind, [...(groups.get(each.kind) ?? []), each])
  for (const [kind, group] of [...groups].toSorted(([, a], [, b]) => b.length - a.length)) {
    lines.push(`\n== ${kind}: ${group.length}`)
    for (const { app, index, before: exchange, after } of group.slice(0, Number(values.show))) {
      lines.push(`${app}, request ${index}`, `    ${JSON.stringify(exchange.request)}`)
      lines.push(
        `  - ${JSON.stringify(exchange.answer).slice(0, 1500)}`,
        `  + ${JSON.stringify(after)?.slice(0, 1500)}`,
      )
    }
  }
  const refused = before.filter((each) => each.refused !== undefined)
  for (const { app, refused: why = '' } of refused)
    lines.push(`does not serve: ${app}: ${why.split('\n')[0]}`)
  const requests = before.flatMap(({ exchanges }) => exchanges)
  const statuses = requests.map(({ answer }) => String(answer.status))
  const counts = [...new Set(statuses)]
    .toSorted()
    .map((each) => `${statuses.filter((status) => status === each).length} × ${each}`)
  lines.push(`\n${requests.length} requests to ${before.length} apps: ${counts.join(', ')}`)
  lines.push(`${unmeant.length} answers differ, ${meant} more on purpose`)
  process.stdout.write(`${lines.join('\n')}\n`)
}
