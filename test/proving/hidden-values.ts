// What redaction hid in recordings of real servers, by place, so that false alarms can be counted:
// npm run proving, and then npm run hidden-values
import { readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readExchanges } from '../../src/recording/files/recording-files.ts'
import { readBody } from '../../src/recording/files/read-body.ts'

const RUNS = resolve(process.argv[2] ?? join(import.meta.dirname, 'runs'))
const PSEUDONYM = /redacted-[0-9a-f]{16}/g
const BEFORE = 30

let exchanges = 0
const values = new Map<string, Set<string>>()

function note(text: string, place: string): void {
  for (const { 0: pseudonym, index } of text.matchAll(PSEUDONYM)) {
    const before = text.slice(Math.max(0, index - BEFORE), index).replaceAll(/\s+/g, ' ')
    const key = `${place}  ${before.replaceAll(/\d+/g, '#')}`
    values.set(key, (values.get(key) ?? new Set()).add(pseudonym))
  }
}

const files = await readdir(RUNS, { recursive: true })
for (const file of files.filter((name) => name.endsWith('exchanges.ndjson'))) {
  const directory = dirname(join(RUNS, file))
  for await (const exchange of readExchanges(directory)) {
    exchanges++
    const { request, response } = exchange
    note(request.url, 'url')
    for (const { name, value } of [...request.headers, ...response.headers]) note(value, `header ${name}`)
    for (const body of [request.postData, response.content])
      if (body !== undefined) note(String((await readBody(directory, body)) ?? ''), 'body')
  }
}
for (const [place, all] of [...values].toSorted((a, b) => b[1].size - a[1].size))
  process.stdout.write(`${String(all.size).padStart(4)}  ${place}\n`)
const count = new Set([...values.values()].flatMap((all) => [...all])).size
process.stdout.write(`${count} values were hidden in ${exchanges} exchanges\n`)
