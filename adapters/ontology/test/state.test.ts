import { describe, expect, it } from 'vitest'
import { OntologyMock } from '../src/mock.ts'
import { AdditionInvalid } from '../src/state.ts'
import { ask } from './ask.ts'

const ada = { employeeId: 6, fullName: 'Margaret Hamilton', officeId: 'lab', managerId: 3 }

describe('the builder', () => {
  it('adds objects, which are there at once and until the next reset', async () => {
    const mock = new OntologyMock()
    mock.ontologies.addObjects('acme', 'Employee', [ada])
    expect((await ask(mock, '/acme/objects/Employee/6')).body.fullName).toBe('Margaret Hamilton')
    expect((await ask(mock, '/acme/objects/Office/lab/links/employees')).body.data).toHaveLength(3)
    expect((await ask(mock, '/acme/objects/Employee/3/links/reports/6')).status).toBe(200)
    mock.reset()
    expect((await ask(mock, '/acme/objects/Employee/6')).status).toBe(404)
  })

  it('adds links', async () => {
    const mock = new OntologyMock()
    mock.ontologies.addLinks('acme', 'projects', [{ from: 5, to: 'engine' }])
    const members = await ask(mock, '/acme/objects/Project/engine/links/members')
    expect(members.body.data.map((each: { __primaryKey: number }) => each.__primaryKey)).toEqual([1, 2, 5])
  })

  it('adds nothing where anything does not fit, and says what', async () => {
    const mock = new OntologyMock()
    const { ontologies } = mock
    const refused: readonly (readonly [act: () => void, words: RegExp])[] = [
      [() => ontologies.addObjects('nope', 'Employee', [ada]), /no ontology "nope"/],
      [() => ontologies.addObjects('acme', 'Nope', [ada]), /no object type "Nope"/],
      [
        () => ontologies.addObjects('acme', 'Employee', [ada, { employeeId: 1 }]),
        /\/Employee\/1\/employeeId: .*taken/,
      ],
      [() => ontologies.addObjects('acme', 'Employee', [{ ...ada, salary: 'much' }]), /must be double/],
      [() => ontologies.addLinks('acme', 'office', []), /no link type with listed pairs "office"/],
      [() => ontologies.addLinks('acme', 'projects', [{ from: 99, to: 'engine' }]), /no Employee "99"/],
      [() => ontologies.addLinks('acme', 'projects', [{ from: 1, to: 'engine' }]), /linked already/],
    ]
    for (const [act, words] of refused) {
      expect(act).toThrow(AdditionInvalid)
      expect(act).toThrow(words)
    }
    expect((await ask(mock, '/acme/objects/Employee')).body.totalCount).toBe('5')
  })

  it('keeps its own copy of what it is given', async () => {
    const mock = new OntologyMock()
    const given = { ...ada }
    mock.ontologies.addObjects('acme', 'Employee', [given])
    given.fullName = 'Somebody else'
    expect((await ask(mock, '/acme/objects/Employee/6')).body.fullName).toBe('Margaret Hamilton')
  })
})

describe('a snapshot', () => {
  it('brings back what was added and stored, in another adapter too', async () => {
    const mock = new OntologyMock()
    mock.ontologies.addObjects('acme', 'Employee', [ada])
    mock.ontologies.addLinks('acme', 'projects', [{ from: 6, to: 'engine' }])
    const objectSet = { type: 'base', objectType: 'Employee' }
    const { body } = await ask(mock, '/acme/objectSets/createTemporary', { objectSet })
    const kept: unknown = JSON.parse(JSON.stringify(mock.adapter.snapshot()))
    const other = new OntologyMock()
    other.adapter.restore(kept)
    expect((await ask(other, '/acme/objects/Employee/6/links/projects')).body.data).toHaveLength(1)
    expect((await ask(other, `/acme/objectSets/${body.objectSetRid}`)).body).toEqual(objectSet)
  })
})

describe('a mock', () => {
  it('begins anew with another fixture', async () => {
    const mock = new OntologyMock({ seed: 7 })
    mock.loadFixture({ version: 1, ontologies: [{ apiName: 'other' }] })
    expect((await ask(mock, '')).body.data).toMatchObject([{ apiName: 'other', displayName: 'other' }])
  })

  it('makes the same ids from the same seed, and others from another', async () => {
    const ridOf = async (seed: number) => (await ask(new OntologyMock({ seed }), '/acme')).body.rid as string
    expect(await ridOf(1)).toBe(await ridOf(1))
    expect(await ridOf(1)).not.toBe(await ridOf(2))
  })

  it('forgets what is stored when it is not stateful', async () => {
    const mock = new OntologyMock({ stateful: false })
    const { body } = await ask(mock, '/acme/objectSets/createTemporary', {
      objectSet: { type: 'base', objectType: 'Employee' },
    })
    expect((await ask(mock, `/acme/objectSets/${body.objectSetRid}`)).body.errorName).toBe(
      'ObjectSetNotFound',
    )
  })

  it('knows the branches of its configuration', async () => {
    const branch = 'ri.foundry.main.branch.feature'
    const mock = new OntologyMock({ branches: [branch] })
    expect((await ask(mock, `/acme/objectTypes?branch=${branch}`)).status).toBe(200)
  })
})
