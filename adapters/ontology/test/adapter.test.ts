import { resolve } from 'node:path'
import { createManifest } from 'sim-gateway/adapter'
import { findUnproven } from 'sim-gateway/adapter/testing'
import { describe, expect, it } from 'vitest'
import { adapter } from '../src/adapter.ts'
import { OntologyMockContext } from '../src/mock.ts'

describe('the adapter', () => {
  it('names tests that exist for every operation it implements', () => {
    expect(findUnproven(createManifest(adapter), resolve(import.meta.dirname, '..'))).toEqual([])
  })

  it('serves its manifest', async () => {
    using mock = new OntologyMockContext({ auth: 'strict' })
    const answer = await mock.fetch('/.well-known/ontology-mock-compatibility.json')
    const { operations, ...facts } = (await answer.json()) as {
      operations: { operationId: string; supportLevel: string; limits: object }[]
    }
    expect(facts).toMatchObject({ packageVersion: '0.1.3', documentedAt: '2026-08-18' })
    const listed = operations.find(({ operationId }) => operationId === 'listObjectTypesV2')
    expect(listed).toMatchObject({
      method: 'GET',
      path: '/api/v2/ontologies/{ontology}/objectTypes',
      supportLevel: 'exact',
      supports: ['pageSize', 'pageToken', 'branch'],
      limits: { maxPageSize: 1000 },
    })
    const unsupported = operations.filter(({ supportLevel }) => supportLevel === 'unsupported')
    expect(unsupported.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['applyActionV2', 'applyBatchActionV2']),
    )
  })

  it('gives every resource an identifier in the form the clients demand', async () => {
    using mock = new OntologyMockContext()
    const pattern = /^ri\.[a-z][a-z0-9-]*\.([a-z0-9][a-z0-9-]*)?\.[a-z][a-z0-9-]*\.[a-zA-Z0-9._-]+$/
    const answer = await mock.fetch('/api/v2/ontologies/acme/fullMetadata')
    const found = (await answer.text()).match(/"ri\.[^"]*"/g)?.map((rid) => rid.slice(1, -1)) ?? []
    expect(found.length).toBeGreaterThan(30)
    expect(found.filter((rid) => !pattern.test(rid))).toEqual([])
  })
})
