import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adapter } from '../src/adapter.ts'
import { OntologyMockContext } from '../src/mock.ts'
import { GOLDEN_REQUESTS, type GoldenRequest } from './golden/requests.ts'

const FOLDER = join(import.meta.dirname, 'golden')
const UPDATES = process.env['UPDATE_GOLDEN'] === '1'

/** Puts the rids in where a request names what it wants the rid of. */
const withRids = async (text: string, url: string): Promise<string> => {
  let found = text
  for (const [whole, path] of text.matchAll(/\{rid:([^}]+)\}/g)) {
    const { rid } = (await (await fetch(url + path)).json()) as { rid: string }
    found = found.replace(whole, rid)
  }
  return found
}

const ask = async (url: string, { path, body, method }: GoldenRequest): Promise<unknown> => {
  const given = body === undefined ? undefined : await withRids(JSON.stringify(body), url)
  const target = url + (await withRids(path, url))
  const answer = await fetch(target, {
    method: method ?? (given === undefined ? 'GET' : 'POST'),
    ...(given !== undefined && { body: given, headers: { 'content-type': 'application/json' } }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    contentType: answer.headers.get('content-type'),
    body: text === '' ? null : (JSON.parse(text) as unknown),
  }
}

describe.for(Object.entries(GOLDEN_REQUESTS))('%s', ([id, requests]) => {
  it('answers as recorded', async () => {
    await using mock = await OntologyMockContext.start()
    const url = `${mock.baseUrl}/api/v2/ontologies`
    const answers: unknown[] = []
    for (const request of requests) answers.push({ request, answer: await ask(url, request) })
    const file = join(FOLDER, `${id}.json`)
    if (UPDATES) {
      mkdirSync(FOLDER, { recursive: true })
      writeFileSync(file, `${JSON.stringify(answers, null, 2)}\n`)
    }
    expect(existsSync(file), `there is no ${file}: write it by UPDATE_GOLDEN=1`).toBe(true)
    expect(answers).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  })
})

describe('the golden contracts', () => {
  it('cover every operation that is implemented', () => {
    const implemented = adapter.operations.filter(({ handle }) => handle !== undefined).map(({ id }) => id)
    expect(Object.keys(GOLDEN_REQUESTS).toSorted()).toEqual(implemented.toSorted())
  })
})
