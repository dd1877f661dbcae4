import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { differences, officialTypes } from './types.ts'

/** The type that the official client gives the first golden answer of an operation. */
const TYPES: Readonly<Record<string, string>> = {
  listOntologiesV2: 'ListOntologiesV2Response',
  getOntologyV2: 'OntologyV2',
  getOntologyFullMetadata: 'OntologyFullMetadata',
  loadOntologyMetadata: 'OntologyFullMetadata',
  listObjectTypesV2: 'ListObjectTypesV2Response',
  getObjectTypesByRidBatch: 'GetObjectTypeByRidBatchResponse',
  getObjectTypeV2: 'ObjectTypeV2',
  getObjectTypeFullMetadata: 'ObjectTypeFullMetadata',
  listOutgoingLinkTypesV2: 'ListOutgoingLinkTypesResponseV2',
  getOutgoingLinkTypeV2: 'LinkTypeSideV2',
  listObjectsV2: 'ListObjectsResponseV2',
  countObjects: 'CountObjectsResponseV2',
  searchObjectsV2: 'SearchObjectsResponseV2',
  aggregateObjectsV2: 'AggregateObjectsResponseV2',
  listLinkedObjectsV2: 'ListLinkedObjectsResponseV2',
  listActionTypesV2: 'ListActionTypesResponseV2',
  getActionTypeByRid: 'ActionTypeV2',
  getActionTypesByRidBatch: 'GetActionTypeByRidBatchResponse',
  getActionTypeV2: 'ActionTypeV2',
  getActionTypeFullMetadata: 'ActionTypeFullMetadata',
  listActionTypesFullMetadata: 'ListActionTypesFullMetadataResponse',
  listQueryTypesV2: 'ListQueryTypesResponseV2',
  getQueryTypeV2: 'QueryTypeV2',
  executeQueryV2: 'ExecuteQueryResponse',
  loadObjectSetV2: 'LoadObjectSetResponseV2',
  loadObjectSetV2MultipleObjectTypes: 'LoadObjectSetV2MultipleObjectTypesResponse',
  loadObjectSetV2ObjectsOrInterfaces: 'LoadObjectSetV2ObjectsOrInterfacesResponse',
  aggregateObjectSetV2: 'AggregateObjectsResponseV2',
  createTemporaryObjectSetV2: 'CreateTemporaryObjectSetResponseV2',
  loadObjectSetLinksV2: 'LoadObjectSetLinksResponseV2',
  listInterfaceTypes: 'ListInterfaceTypesResponse',
  getInterfaceType: 'InterfaceType',
  listOutgoingInterfaceLinkTypes: 'ListOutgoingInterfaceLinkTypesResponse',
  getOutgoingInterfaceLinkType: 'InterfaceLinkType',
  listObjectsForInterface: 'ListObjectsForInterfaceResponse',
  searchObjectsForInterface: 'SearchObjectsResponseV2',
  aggregateObjectsForInterface: 'AggregateObjectsResponseV2',
  listInterfaceLinkedObjects: 'ListInterfaceLinkedObjectsResponse',
  listValueTypes: 'ListOntologyValueTypesResponse',
}

describe('answers', () => {
  it('have every field that the official types require, and no other', () => {
    const types = officialTypes()
    for (const [id, name] of Object.entries(TYPES)) {
      const file = join(import.meta.dirname, '..', 'golden', `${id}.json`)
      const [first] = JSON.parse(readFileSync(file, 'utf8')) as { answer: { body: unknown } }[]
      expect([name, types.has(name)]).toEqual([name, true])
      expect([id, differences(types, name, first?.answer.body)]).toEqual([id, []])
    }
  })

  it('are distinguished when a field is missing or unknown', () => {
    const types = officialTypes()
    expect(differences(types, 'OntologyV2', { apiName: 'a', displayName: 'a', rid: 'r', extra: 1 })).toEqual([
      'OntologyV2.description is missing',
      'OntologyV2.extra is unknown',
    ])
  })
})
