import { expect, it } from 'vitest'
import { clientOf } from './odata-client.ts'

it('keeps sets that entities of another one name, in the JSON of version 3', async () => {
  const at = 'http://api.example.com/svc/$metadata#'
  const tag = (second: number) => `W/"datetime'2026-11-26T10%3A00%3A0${second}.1234567Z'"`
  const time = (second: number) => `2026-11-26T10:00:0${second}.1234567Z`
  const error = (code: string) => ({ 'odata.error': { code, message: { lang: 'en-US', value: code } } })
  const silent = { prefer: 'return-no-content' }
  const ann = { Part: 'eu', Row: '1', name: 'Ann', age: 30 }
  const cyd = { Part: 'us', Row: '1', name: 'Cyd' }
  const shown = (item: object, second: number) => ({
    ...{ 'odata.etag': tag(second), ...item, Timestamp: time(second) },
  })
  const send = clientOf([
    ['GET Tables', { response: { 'odata.metadata': `${at}Tables`, value: [] } }],
    [
      'POST Tables',
      {
        ...{ status: 201, body: { TableName: 'people' } },
        response: { 'odata.metadata': `${at}Tables/@Element`, TableName: 'people' },
      },
    ],
    ['POST people', { status: 204, body: ann, answered: { etag: tag(1) } }, silent],
    ['POST people', { status: 409, body: ann, response: error('Exists') }, silent],
    ['POST people', { status: 204, body: cyd, answered: { etag: tag(2) } }, silent],
    [
      "GET people(Part='eu',Row='1')",
      { response: { 'odata.metadata': `${at}people/@Element`, ...shown(ann, 1) } },
    ],
    ["GET people(Part='eu',Row='9')", { status: 404, response: error('NoEntity') }],
    [
      'GET people()',
      { response: { 'odata.metadata': `${at}people`, value: [shown(ann, 1), shown(cyd, 2)] } },
    ],
    ["PATCH people(Part='eu',Row='1')", { status: 204, body: { age: 31 } }, { 'if-match': '*' }],
    [
      "PATCH people(Part='eu',Row='9')",
      { status: 404, body: { age: 1 }, response: error('NoEntity') },
      { 'if-match': '*' },
    ],
    [
      "GET people(Part='eu',Row='1')",
      { response: { 'odata.metadata': `${at}people/@Element`, ...shown({ ...ann, age: 31 }, 3) } },
    ],
    ["PUT people(Part='us',Row='2')", { status: 204, body: { name: 'Eve' } }],
    ["DELETE Tables('people')", { status: 204 }],
    ['GET people()', { status: 404, response: error('NoTable') }],
  ])
  const statuses: number[] = []
  const ask = async (...args: Parameters<typeof send>) => {
    const { status, body } = await send(...args)
    statuses.push(status)
    return body
  }
  expect(await ask('GET devices()')).toMatchObject(error('NoTable'))
  await ask('POST Tables', { TableName: 'devices' })
  const fan = { Part: 'lab', Row: 'x', name: 'Fan', watts: 40 }
  await ask('POST devices', fan, silent)
  expect(await ask('POST devices', fan, silent)).toMatchObject(error('Exists'))
  await ask("PUT devices(Part='lab',Row='y')", { name: 'Saw', watts: 900 })
  const before = (await ask("GET devices(Part='lab',Row='x')")) as Record<string, unknown>
  expect(before).toMatchObject({ ...fan, 'odata.metadata': `${at}devices/@Element` })
  await ask(
    "PATCH devices(Part='lab',Row='x')",
    { place: 'roof' },
    { 'if-match': String(before['odata.etag']) },
  )
  await ask(
    "PATCH devices(Part='lab',Row='x')",
    { place: 'shed' },
    { 'if-match': String(before['odata.etag']) },
  )
  await ask("PATCH devices(Part='lab',Row='z')", { place: 'shed' }, { 'if-match': '*' })
  expect(await ask('GET devices()?$filter=watts ge 40&$select=name,place')).toMatchObject({
    value: [{ name: 'Fan', place: 'roof' }, { name: 'Saw' }],
  })
  await ask("PUT devices(Part='lab',Row='x')", { name: 'Fan 2' }, { 'if-match': '*' })
  const after = (await ask("GET devices(Part='lab',Row='x')")) as Record<string, unknown>
  expect(Object.keys(after).toSorted()).toEqual(
    ['Part', 'Row', 'Timestamp', 'name', 'odata.etag', 'odata.metadata'].toSorted(),
  )
  expect(after['odata.etag']).not.toBe(before['odata.etag'])
  await ask("DELETE Tables('devices')")
  await ask("GET devices(Part='lab',Row='x')")
  expect(await ask('GET Tables')).toEqual({ 'odata.metadata': `${at}Tables`, value: [] })
  expect(statuses.join()).toBe('404,201,204,409,204,200,204,412,404,200,204,200,204,404,200')
})
