import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { describeApi } from '../../src/loaders/describe-api.ts'
import { exportFixtures } from '../../src/loaders/export-fixtures.ts'
import { sampleRoutes } from '../../src/loaders/sampling/sample-routes.ts'
import { ErrorCase } from '../../src/engine/error-case.ts'
import { list } from '../../src/engine/schema/list.ts'
import { FileNotWritten } from '../../src/errors.ts'
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
  it('writes an answer of each route, the document last, and tells what is missing', async () => {
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
  it('tells its options, and sampled answers as examples', async () => {
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
