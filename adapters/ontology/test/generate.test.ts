import { describe, expect, it } from 'vitest'
import { OntologyMock } from '../src/mock.ts'
import { accepts } from '../src/values/kinds.ts'
import { TYPE_NAMES } from '../src/values/value.ts'
import { ask } from './ask.ts'

const fixtureOf = (generate: number, objects: readonly object[] = []) => ({
  version: 1,
  ontologies: [
    {
      apiName: 'o',
      objectTypes: [
        { apiName: 'Team', primaryKey: 'id', properties: { id: 'string', name: 'string' }, generate: 3 },
        {
          apiName: 'Person',
          primaryKey: 'nr',
          properties: { nr: 'integer', fullName: 'string', email: 'string', hired: 'date', teamId: 'string' },
          generate,
          objects,
        },
      ],
      linkTypes: [{ apiName: 'team', reverse: 'people', from: 'Person', to: 'Team', foreignKey: 'teamId' }],
    },
  ],
})

const people = async (mock: OntologyMock) =>
  (await ask(mock, '/o/objects/Person?excludeRid=true')).body.data as {
    nr: number
    teamId: string
    fullName: string
  }[]

describe('generated objects', () => {
  it('have stable keys and values: more of them leave those before as they are', async () => {
    const few = await people(new OntologyMock({ fixture: fixtureOf(5) }))
    const many = await people(new OntologyMock({ fixture: fixtureOf(50) }))
    expect(many).toHaveLength(50)
    expect(many.slice(0, 5)).toEqual(few)
    expect(many.map(({ nr }) => nr)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
    const others = await people(new OntologyMock({ fixture: fixtureOf(5), seed: 1 }))
    expect(others).not.toEqual(few)
  })

  it('come after the explicit ones, and leave them their keys', async () => {
    const own = { nr: 2, fullName: 'Ada Lovelace' }
    const all = await people(new OntologyMock({ fixture: fixtureOf(4, [own]) }))
    expect(all.map(({ nr }) => nr)).toEqual([2, 1, 3, 4])
    expect(all[0]).toMatchObject(own)
  })

  it('have foreign keys of objects that are there', async () => {
    const mock = new OntologyMock({ fixture: fixtureOf(30) })
    const teams = new Set((await people(mock)).map(({ teamId }) => teamId))
    expect([...teams].toSorted()).toEqual(['Team-1', 'Team-2', 'Team-3'])
    expect((await ask(mock, '/o/objects/Person/1/links/team')).body.data).toHaveLength(1)
  })

  it('have texts that suit their names', () => {
    const names = ['firstName', 'lastName', 'email', 'city', 'website', 'phone', 'author', 'title', 'code']
    const fixture = {
      version: 1,
      ontologies: [
        {
          apiName: 'o',
          objectTypes: [
            {
              apiName: 'Page',
              primaryKey: 'id',
              properties: Object.fromEntries(['id', ...names].map((name) => [name, 'string'])),
              generate: 1,
            },
          ],
        },
      ],
    }
    const [page] = new OntologyMock({ fixture }).adapter.state().all[0]?.objects ?? []
    expect(page?.properties).toEqual({
      id: 'Page-1',
      firstName: expect.stringMatching(/^[A-Z][a-z]+$/) as string,
      lastName: expect.stringMatching(/^[A-Z][a-z]+$/) as string,
      email: expect.stringMatching(/^[a-z]+\.1@example\.com$/) as string,
      city: expect.stringMatching(/^[A-Z][a-z]+$/) as string,
      website: 'https://example.com/1',
      phone: expect.stringMatching(/^\+1 555 \d{7}$/) as string,
      author: expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+$/) as string,
      title: 'Page 1',
      code: 'code 1',
    })
  })

  it('share a foreign key with no other where one may have one only', () => {
    const fixture = fixtureOf(30)
    Object.assign(fixture.ontologies[0]?.linkTypes[0] ?? {}, { cardinality: 'ONE_TO_ONE' })
    const people = new OntologyMock({ fixture }).adapter.state().all[0]?.objectTypes.get('Person')
    const teams = people?.table.all
      .map(({ properties }) => properties['teamId'])
      .filter((team) => team !== null)
    expect(teams).toEqual(['Team-1', 'Team-2', 'Team-3'])
  })

  it('have values of every type, or none', () => {
    const properties = Object.fromEntries(
      TYPE_NAMES.map((type) => [
        type,
        type === 'array'
          ? { type, subType: 'date' }
          : type === 'struct'
            ? { type, fields: { a: 'string', b: 'long' } }
            : type === 'vector'
              ? { type, dimension: 4 }
              : type,
      ]),
    )
    const fixture = {
      version: 1,
      ontologies: [
        {
          apiName: 'o',
          objectTypes: TYPE_NAMES.filter((type) =>
            ['string', 'date', 'timestamp', 'long', 'byte'].includes(type),
          ).map((type) => ({ apiName: `By_${type}`, primaryKey: type, properties, generate: 20 })),
        },
      ],
    }
    const [ontology] = new OntologyMock({ fixture, strict: true }).adapter.state().all
    expect(ontology?.objects).toHaveLength(100)
    for (const { type, properties: values } of ontology?.objects ?? []) {
      for (const property of type.properties.values()) {
        const value = values[property.apiName]
        expect([property.apiName, value === null || accepts(value, property.type)]).toEqual([
          property.apiName,
          true,
        ])
      }
    }
  })
})
