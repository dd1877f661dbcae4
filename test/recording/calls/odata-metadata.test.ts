import { expect, it } from 'vitest'
import { readMetadata } from '../../../src/recording/protocols/odata/edm.ts'
import { clientOf } from './odata-client.ts'

const IN_XML = `<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="Zoo" Alias="Z" xmlns="http://docs.oasis-open.org/odata/ns/edm">
 <EntityType Name="House"><Key><PropertyRef Name="Code"/></Key>
  <Property Name="Code" Type="Edm.String" Nullable="false"/><Property Name="Size" Type="Edm.Int32" DefaultValue="4"/>
  <Property Name="Tags" Type="Collection(Edm.String)"/>
  <NavigationProperty Name="Animals" Type="Collection(Zoo.Animal)" Partner="House"><OnDelete Action="Cascade"/></NavigationProperty>
  <NavigationProperty Name="Cages" Type="Collection(Zoo.Cage)" ContainsTarget="true"/>
 </EntityType>
 <EntityType Name="Animal" OpenType="true"><Key><PropertyRef Name="Id"/></Key>
  <Property Name="Id" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
  <Property Name="Legs" Type="Edm.Int32" Nullable="false"/><Property Name="HouseCode" Type="Edm.String"/>
  <NavigationProperty Name="House" Type="Z.House" Partner="Animals"><ReferentialConstraint Property="HouseCode" ReferencedProperty="Code"/></NavigationProperty>
 </EntityType>
 <EntityType Name="Cage"><Key><PropertyRef Name="No"/></Key><Property Name="No" Type="Edm.Int32" Nullable="false"/></EntityType>
 <Function Name="Oldest"/>
 <EntityContainer Name="Container">
  <EntitySet Name="Houses" EntityType="Zoo.House"><NavigationPropertyBinding Path="Animals" Target="Animals"/></EntitySet>
  <EntitySet Name="Animals" EntityType="Zoo.Animal"/><Singleton Name="Largest" Type="Zoo.House"/>
  <FunctionImport Name="Oldest" Function="Zoo.Oldest"/>
 </EntityContainer>
 <Annotations Target="Zoo.Animal/Name"><Annotation Term="Common.FieldControl" EnumMember="Common.FieldControlType/Mandatory"/></Annotations>
</Schema></edmx:DataServices></edmx:Edmx>`

const optional = (type: string) => ({ $Type: type, $Nullable: true })
const link = (type: string, more: object) => ({ $Kind: 'NavigationProperty', $Type: type, ...more })
const IN_JSON = {
  $Version: '4.01',
  $EntityContainer: 'Zoo.Container',
  $Reference: { 'https://example.com/common.json': { $Include: [{ $Namespace: 'Common' }] } },
  Zoo: {
    $Alias: 'Z',
    House: {
      ...{ $Kind: 'EntityType', $Key: ['Code'], Code: {} },
      Size: { ...optional('Edm.Int32'), $DefaultValue: 4 },
      Tags: { $Collection: true, $Nullable: true },
      Animals: link('Zoo.Animal', { $Collection: true, $Partner: 'House', $OnDelete: 'Cascade' }),
      Cages: link('Zoo.Cage', { $Collection: true, $ContainsTarget: true }),
    },
    Animal: {
      ...{ $Kind: 'EntityType', $OpenType: true, $Key: ['Id'], Id: { $Type: 'Edm.Int32' } },
      ...{ Name: { $Nullable: true }, Legs: { $Type: 'Edm.Int32' }, HouseCode: { $Nullable: true } },
      House: link('Z.House', { $Partner: 'Animals', $ReferentialConstraint: { HouseCode: 'Code' } }),
    },
    Cage: { $Kind: 'EntityType', $Key: ['No'], No: { $Type: 'Edm.Int32' } },
    Oldest: [{ $Kind: 'Function', $ReturnType: { $Type: 'Zoo.Animal' } }],
    Container: {
      $Kind: 'EntityContainer',
      Houses: { $Collection: true, $Type: 'Zoo.House', $NavigationPropertyBinding: { Animals: 'Animals' } },
      Animals: { $Collection: true, $Type: 'Zoo.Animal' },
      Largest: { $Type: 'Zoo.House' },
      Oldest: { $Function: 'Zoo.Oldest' },
    },
    $Annotations: { 'Zoo.Animal/Name': { '@Common.FieldControl': 'Mandatory' } },
  },
}

it('says the same in XML and in JSON', () => {
  const described = readMetadata(IN_XML)
  expect(described?.sets).toMatchObject({
    Houses: { keys: ['Code'], quoted: ['Code'], links: { Animals: { to: 'Animals', isOwned: true } } },
    Animals: { isOpen: true, required: ['Name', 'Legs'] },
    Largest: { isSingleton: true },
    'Houses/Cages': { keys: ['No'] },
  })
  expect(readMetadata(IN_JSON)).toEqual(described)
  expect(readMetadata({ error: { code: '404' } })).toBeUndefined()
})

it('is answered in the format that a client wants', async () => {
  const recorded = [
    [{ accept: 'application/xml' }, IN_XML, 'application/xml'],
    [{ accept: 'application/json' }, IN_JSON, 'application/json'],
  ] as const
  const send = clientOf([
    ...recorded.map(([headers, response, type]) => {
      return ['GET $metadata', { response, answered: { 'content-type': type } }, headers] as const
    }),
    ['GET Animals', { response: { '@odata.context': '$metadata#Animals', value: [] } }],
  ])
  for (const [headers, body, type] of recorded) {
    const answer = await send('GET $metadata', undefined, headers)
    expect([answer.headers['content-type'], answer.body]).toEqual([type, body])
  }
})
