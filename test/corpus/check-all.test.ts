import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkAll } from './check-all.ts'
import type { Report } from './check-description.ts'
import { summarize } from './summary.ts'

const folder = mkdtempSync(join(tmpdir(), 'sim-check-all-'))
afterAll(() => rmSync(folder, { recursive: true }))

const json = (schema: unknown): unknown => ({ content: { 'application/json': { schema } } })
const named = (name: string): unknown => ({ $ref: `#/components/schemas/${name}` })
const error = (description: string): unknown => ({
  type: 'object',
  description,
  required: ['error'],
  properties: { error: { type: 'string', description } },
})
const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'networks', version: '1' },
  paths: {
    '/search?term={query}': {
      get: {
        parameters: [{ name: 'query', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          200: json({ type: 'object', required: ['found'], properties: { found: { type: 'integer' } } }),
        },
      },
    },
    '/configs': {
      post: {
        requestBody: { required: true, ...(json(named('Config')) as object) },
        responses: {
          200: json(named('Config')),
          500: json({ oneOf: [named('Broken'), named('Down')] }),
          503: json({ oneOf: [named('Late'), named('Busy')] }),
        },
      },
    },
  },
  components: {
    schemas: {
      Config: {
        oneOf: [named('Tagged'), named('Port')],
        discriminator: {
          propertyName: 'type',
          mapping: { tagged: '#/components/schemas/Tagged', port: 'Port' },
        },
      },
      Tagged: {
        type: 'object',
        required: ['type', 'tag'],
        properties: { type: { type: 'string' }, tag: { type: 'integer' } },
      },
      Port: { type: 'object', required: ['type'], properties: { type: { type: 'string' } } },
      Broken: error('broken'),
      Down: error('down'),
      Late: { type: 'object', properties: { since: { type: 'string' } } },
      Busy: { type: 'object', properties: { load: { type: 'number' } } },
    },
  },
}

let report: Report
beforeAll(async () => {
  const file = join(folder, 'networks.json')
  writeFileSync(file, JSON.stringify(DESCRIPTION))
  const checking = { extent: { operations: Infinity }, processes: 1 }
  await checkAll([file], { ...checking, report: (found) => (report = found) })
})

it('requests all operations, also those that their path distinguishes by a field of the query', () => {
  expect([report.refused, report.operations, report.unasked]).toEqual([undefined, 2, {}])
  expect(report.wrong.filter(({ operation }) => operation.startsWith('GET'))).toEqual([])
})

it('has a discriminator say which member of oneOf is meant, in requests and answers', () => {
  expect(report.wrong.filter(({ rule }) => rule === '200')).toEqual([])
})

it('counts apart what no answer can be right for, since members of oneOf say the same, or all take any of them', () => {
  const { answers, wrong, impossible, share, shareOfPossible } = summarize([report])
  expect([answers, wrong, impossible, share, shareOfPossible]).toEqual([12, 4, 4, 2 / 3, 1])
})
