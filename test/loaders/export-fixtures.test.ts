import { mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SimAPI } from '../../src/api.ts'
import { ErrorCase } from '../../src/engine/error-case.ts'
import { createRoute, type Method } from '../../src/engine/route.ts'
import { list } from '../../src/engine/schema/list.ts'
import { FileNotWritten } from '../../src/errors.ts'
import { describeApi, documentText } from '../../src/loaders/document-text.ts'
import { exportFixtures, fixtureNames } from '../../src/loaders/export-fixtures.ts'
import { sampleRoutes } from '../../src/loaders/sampling/sample-routes.ts'
import { jsonPieces, jsonText, writeFileWhole } from '../../src/loaders/write-file.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const User = Type.Object({ id: Type.String(), name: Type.String() }, { title: 'User' })

function createApi(): SimAPI {
  return new SimAPI({
    seed: 1,
    stateful: true,
    title: 'Users',
    version: '2.0',
    servers: ['https://users.example'],
  })
    .get('/users', { output: list(User) })
    .post('/users', { output: User })
    .delete('/users/{id}')
    .get('/refused', { errors: [ErrorCase({ when: () => true, status: 404 })] })
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

describe('exporting fixtures', () => {
  it('writes an answer of each route, the document last, and says what is missing', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'deep/fixtures')
    const missing = await exportFixtures(createApi(), directory)
    expect(missing.map(({ route, reason }) => [route.key, reason])).toEqual([
      ['GET /refused', 'answered 404: Invalid request'],
    ])
    const names = ['openapi.json', 'users_GET.json', 'users_POST.json', 'users_id_DELETE.json']
    expect(readdirSync(directory).toSorted()).toEqual(names)
    expect(read(join(directory, 'users_id_DELETE.json'))).toEqual({ status: 204 })
    expect(read(join(directory, 'users_GET.json'))).toEqual([
      { id: expect.any(String), name: expect.any(String) },
    ])
    expect(readFileSync(join(directory, 'users_POST.json'), 'utf8')).toMatch(/^\{\n {2}"id": .*\n\}\n$/s)
    expect(read(join(directory, 'openapi.json'))).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Users' },
    })

    const times = names.map((name) => statSync(join(directory, name)).mtimeMs)
    expect(Math.max(...times)).toBe(times[0])
  })

  it('comes out the same each time', async () => {
    using folder = temporaryFolder()
    const [first, second] = [join(folder.path, 'a'), join(folder.path, 'b')]
    await exportFixtures(createApi(), first)
    await exportFixtures(createApi(), second)
    for (const name of readdirSync(first)) {
      expect(readFileSync(join(second, name), 'utf8')).toBe(readFileSync(join(first, name), 'utf8'))
    }
  })

  it('names the file that cannot be written', async () => {
    using folder = temporaryFolder()
    mkdirSync(join(folder.path, 'users_GET.json'))
    await expect(exportFixtures(createApi(), folder.path)).rejects.toThrow(FileNotWritten)
  })
})

describe('describing an app', () => {
  it('describes its options, and sampled answers as examples', async () => {
    const api = createApi()
    const document = describeApi(api, await sampleRoutes(api))
    expect(document).toMatchObject({
      info: { title: 'Users', version: '2.0' },
      servers: [{ url: 'https://users.example' }],
    })
    const example = /"example":\[\{"id"/
    expect(JSON.stringify(document)).toMatch(example)
    expect(JSON.stringify(describeApi(api))).not.toMatch(example)
  })
})

const shared = { type: 'string', default: '2024-01-01' }
const document = { a: shared, b: shared, c: 'yes', d: 'x'.repeat(200) }

describe('a document', () => {
  it('is written as JSON with two spaces', () => {
    expect(documentText({ a: [1] }, 'json')).toBe('{\n  "a": [\n    1\n  ]\n}\n')
  })

  it.for(['1.1', '1.2'] as const)('is written as YAML that version %s reads the same', (version) => {
    const text = documentText(document, 'yaml')
    expect(parse(text, { version })).toEqual(document)
    expect(text).not.toMatch(/[&*]a1/)
  })
})

function namesOf(...keys: readonly string[]): string[] {
  const routes = keys.map((key) => {
    const [method = '', path = ''] = key.split(/ (.*)/s)
    return createRoute(method as Method, path, {})
  })
  return [...fixtureNames(routes).values()]
}

describe('fixture names', () => {
  it.for([
    ['GET /', 'root_GET.json'],
    ['GET /users', 'users_GET.json'],
    ['PATCH /users/{id}', 'users_id_PATCH.json'],
    ['GET /files/{name}.{ext}', 'files_name.ext_GET.json'],
    ['GET /users/', 'users_GET.json'],
    ['POST /v1/things:copy', 'v1_things_copy_POST.json'],
    ['GET /../..', '.._.._GET.json'],
  ] as const)('of %s is %s', ([key, name]) => {
    expect(namesOf(key)).toEqual([name])
  })

  it('of paths that would share one are numbered, all methods of a path alike', () => {
    expect(namesOf('GET /a/b', 'GET /a_b', 'POST /a/{b}', 'PUT /a/b', 'DELETE /A/B', 'GET /a_b_2')).toEqual([
      'a_b_GET.json',
      'a_b_2_GET.json',
      'a_b_3_POST.json',
      'a_b_PUT.json',
      'A_B_4_DELETE.json',
      'a_b_2_2_GET.json',
    ])
  })

  it('are not longer than file systems take', () => {
    const [name = ''] = namesOf(`GET /${'x'.repeat(500)}`)
    expect(name.length).toBeLessThan(200)
  })
})

describe('writing a file', () => {
  it('makes its directories, replaces what was there and leaves nothing else behind', () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'a/b/file.json')
    writeFileWhole(file, 'long text')
    writeFileWhole(file, 'new')
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(readdirSync(join(folder.path, 'a/b'))).toEqual(['file.json'])
  })

  it('writes a list item by item as the text it is', () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'list.json')
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()), (value) => {
        writeFileWhole(file, jsonPieces(value))
        expect(readFileSync(file, 'utf8')).toBe(jsonText(value))
      }),
    )
  })

  it('that cannot be written names it and leaves nothing behind', () => {
    using folder = temporaryFolder({ 'taken/inner.txt': '' })
    expect(() => writeFileWhole(join(folder.path, 'taken'), 'text')).toThrow(FileNotWritten)
    expect(() => writeFileWhole(join(folder.path, 'taken/inner.txt/x'), 'text')).toThrow(
      /inner\.txt\/x could not be/,
    )
    expect(readdirSync(folder.path)).toEqual(['taken'])
  })
})
