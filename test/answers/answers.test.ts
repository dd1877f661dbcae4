import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { askAll } from './ask.ts'
import { isMeant, readPurposes } from './differences.ts'
import { readPages } from './pages.ts'
import { readRecord, toRecord, type RecordedApp } from './record.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const recorded = new Map(readRecord().map((each) => [each.app, each]))

// What is wrong with JSON is said in the words of V8, which change with it; the answers were recorded on Node 20.
function comparable(line = ''): string {
  return process.versions.node.startsWith('20.') ? line : line.replace(/^422 \S+/, '422')
}

// Recorded with the build before the structure was changed, newer pages with the first build that had them;
// `npm run compare-answers` shows what differs how.
describe('answers of the apps of examples and pages', () => {
  let apps: RecordedApp[] = []

  beforeAll(async () => {
    apps = (await askAll(readPages(ROOT), { build: ROOT, seed: 1, count: 19 })).map(toRecord)
  }, 600_000)

  it('are recorded for each app as it stands on its page', () => {
    const changed = apps.filter(({ app, digest }) => recorded.get(app)?.digest !== digest)
    expect(changed.map(({ app }) => app)).toEqual([])
    expect(apps.flatMap(({ lines }) => lines).length).toBeGreaterThanOrEqual(2000)
  })

  it('are the same byte for byte, but for differences on purpose', () => {
    const purposes = readPurposes()
    const isPurpose = (app: string, line: string): boolean =>
      purposes.some((purpose) => isMeant(purpose, app, line.split(' ').slice(2).join(' ')))
    const different = apps.flatMap(({ app, lines }) => {
      const before = recorded.get(app)?.lines ?? []
      const differ = before.filter(
        (line, i) => comparable(line) !== comparable(lines[i]) && !isPurpose(app, line),
      )
      return differ.slice(0, 3).map((line) => `${app}: ${line}`)
    })
    expect(different).toEqual([])
  })
})
