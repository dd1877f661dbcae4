import { describe, expect, it } from 'vitest'
import { clientOf, type Recorded } from './odata-client.ts'

const METADATA = `<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="Zoo" xmlns="http://docs.oasis-open.org/odata/ns/edm">
 <EntityType Name="House"><Key><PropertyRef Name="Code"/></Key>
  <Property Name="Code" Type="Edm.String" Nullable="false"/><Property Name="Size" Type="Edm.Int32"/>
  <NavigationProperty Name="Animals" Type="Collection(Zoo.Animal)" Partner="House"><OnDelete Action="Cascade"/></NavigationProperty>
 </EntityType>
 <EntityType Name="Animal"><Key><PropertyRef Name="Id"/></Key>
  <Property Name="Id" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String" Nullable="false"/>
  <Property Name="Legs" Type="Edm.Int32"/><Property Name="HouseCode" Type="Edm.String"/>
  <NavigationProperty Name="House" Type="Zoo.House" Partner="Animals"><ReferentialConstraint Property="HouseCode" ReferencedProperty="Code"/></NavigationProperty>
 </EntityType>
 <EntityType Name="Feeding"><Key><PropertyRef Name="AnimalId"/><PropertyRef Name="Day"/></Key>
  <Property Name="AnimalId" Type="Edm.Int32"/><Property Name="Day" Type="Edm.Date"/><Property Name="Food" Type="Edm.String"/></EntityType>
 <Function Name="Oldest"><ReturnType Type="Zoo.Animal"/></Function>
 <EntityContainer Name="Container"><EntitySet Name="Houses" EntityType="Zoo.House"/><EntitySet Name="Animals" EntityType="Zoo.Animal"/>
  <EntitySet Name="Feedings" EntityType="Zoo.Feeding"/><FunctionImport Name="Oldest" Function="Zoo.Oldest"/></EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`

const animal = (Id: number, Name: string, Legs: number | null, HouseCode: string | null, etag = 'W/"1"') => ({
  ...{ '@odata.etag': etag, Id, Name, Legs, HouseCode },
})
const error = (code: string, message: string) => ({ error: { code, message } })
const LION = animal(1, 'Lion', 4, 'cats')
const OWL = animal(2, 'Owl', 2, 'birds')
const SNAKE = animal(3, 'Snake', 0, null)

const RECORDED: readonly Recorded[] = [
  ['GET $metadata', { response: METADATA, answered: { 'content-type': 'application/xml' } }],
  ['GET Animals', { response: { '@odata.context': '$metadata#Animals', value: [LION, OWL, SNAKE] } }],
  [
    "GET Houses('cats')?$expand=Animals",
    {
      response: {
        '@odata.context': '$metadata#Houses(Animals())/$entity',
        ...{ Code: 'cats', Size: 9, Animals: [LION] },
      },
    },
  ],
  [
    'GET Animals?$select=Name&$top=1',
    {
      response: {
        '@odata.context': '$metadata#Animals(Name)',
        value: [{ '@odata.etag': 'W/"1"', Name: 'Lion' }],
      },
    },
  ],
  ['GET Animals(77)', { status: 404, response: error('NF', 'No Animals with 77') }],
  ['POST Animals', { status: 400, body: { Id: 9, Legs: 4 }, response: error('REQ', 'Name is missing') }],
  ['PATCH Animals(2)', { status: 428, body: { Legs: 3 }, response: error('PRE', 'If-Match') }],
  [
    'PATCH Animals(2)',
    { status: 412, body: { Legs: 3 }, response: error('OLD', 'stale') },
    { 'if-match': 'W/"0"' },
  ],
  [
    'POST Animals',
    {
      ...{ status: 201, body: { Id: 8, Name: 'Ant', Legs: 6 } },
      response: { '@odata.context': '$metadata#Animals/$entity', ...animal(8, 'Ant', 6, null) },
      answered: { location: 'http://api.example.com/svc/Animals(8)' },
    },
  ],
  ['DELETE Animals(8)', { status: 204 }, { 'if-match': '*' }],
]

describe('OData', () => {
  it.for([
    ['Animals?$filter=Legs gt 1 and startswith(Name,%27O%27)', ['Owl']],
    ['Animals?$filter=House/Code eq %27cats%27', ['Lion']],
    ['Animals?$filter=Legs mul 2 eq 8', ['Lion']],
    ['Animals?$filter=HouseCode eq null', ['Snake']],
    ['Animals?$orderby=Legs desc,Name&$skip=1', ['Owl', 'Snake']],
    ['Animals?$orderby=HouseCode', ['Snake', 'Owl', 'Lion']],
    ['Animals?$search=ow', ['Owl']],
    ["Houses('cats')/Animals", ['Lion']],
    ["Houses('birds')/Animals?$count=true", ['Owl']],
  ] as const)('lists %s', async ([path, names]) => {
    const { body } = await clientOf(RECORDED)(`GET ${path}`)
    expect((body as { value: { Name: string }[] }).value.map(({ Name }) => Name)).toEqual(names)
  })

  it('filters by what is linked, and counts before it takes a part', async () => {
    const send = clientOf(RECORDED)
    const houses = await send('GET Houses?$filter=Animals/any(a:a/Legs gt 2)&$select=Code&$count=true&$top=5')
    expect(houses.body).toEqual({
      ...{ '@odata.context': '$metadata#Houses(Code)', '@odata.count': 1, value: [{ Code: 'cats' }] },
    })
    expect((await send('GET Animals?$count=true&$top=1')).body).toMatchObject({
      '@odata.count': 3,
      value: [LION],
    })
    expect(await send('GET Animals/$count?$filter=Legs gt 1')).toMatchObject({ status: 200, body: '2' })
  })

  it('selects and expands in what is expanded', async () => {
    const { body } = await clientOf(RECORDED)(
      "GET Houses('cats')?$select=Size&$expand=Animals($select=Id;$filter=Legs gt 1;$expand=House)",
    )
    expect(body).toEqual({
      '@odata.context': '$metadata#Houses(Size,Animals(Id,House()))/$entity',
      Size: 9,
      Animals: [{ '@odata.etag': 'W/"1"', Id: 1, House: { Code: 'cats', Size: 9 } }],
    })
  })

  it('answers properties, their raw values, and those of one that is linked', async () => {
    const send = clientOf(RECORDED)
    expect((await send('GET Animals(1)/Name')).body).toEqual({
      '@odata.context': '../$metadata#Animals(1)/Name',
      value: 'Lion',
    })
    expect((await send('GET Animals(1)/Name/$value')).body).toBe('Lion')
    expect(await send('GET Animals(3)/HouseCode')).toMatchObject({ status: 204, body: '' })
    expect((await send('GET Animals(1)/House')).body).toMatchObject({ Code: 'cats' })
    expect((await send('GET Animals(3)/House')).status).toBe(204)
    expect((await send('GET $metadata')).headers['content-type']).toBe('application/xml')
  })

  it('makes entities with what is given, and with null for the rest', async () => {
    const send = clientOf(RECORDED)
    const made = await send('POST Animals', { Id: 5, Name: 'Bee', 'House@odata.bind': "Houses('cats')" })
    expect(made).toMatchObject({
      status: 201,
      headers: { location: expect.stringMatching(/\/svc\/Animals\(5\)$/) },
    })
    expect(made.body).toEqual({
      '@odata.context': '$metadata#Animals/$entity',
      ...animal(5, 'Bee', null, 'cats'),
    })
    const within = await send("POST Houses('birds')/Animals", { Name: 'Emu' }, { prefer: 'return=minimal' })
    expect(within).toMatchObject({ status: 204, headers: { 'preference-applied': 'return=minimal' } })
    expect((await send('GET Animals(6)')).body).toMatchObject({ Name: 'Emu', HouseCode: 'birds' })
    const deep = await send('POST Houses', { Code: 'x', Animals: [{ Name: 'Fly' }] })
    expect(deep.body).toMatchObject({
      Code: 'x',
      Size: null,
      Animals: [{ Id: 7, Name: 'Fly', HouseCode: 'x' }],
    })
    expect((await send('POST Animals', { Id: 5, Name: 'Bee' })).status).toBe(409)
  })

  it('changes what has the validator that is named, and refuses others as it was recorded', async () => {
    const send = clientOf(RECORDED)
    expect(await send('PATCH Animals(1)', { Legs: 3 })).toMatchObject({
      status: 428,
      body: error('PRE', 'If-Match'),
    })
    const stale = await send('PATCH Animals(1)', { Legs: 3 }, { 'if-match': 'W/"9"' })
    expect(stale).toMatchObject({ status: 412, body: error('OLD', 'stale') })
    expect((await send('PATCH Animals(1)', { Legs: 3 }, { 'if-match': 'W/"1"' })).status).toBe(204)
    expect((await send('GET Animals(1)')).body).toMatchObject({
      Legs: 3,
      Name: 'Lion',
      '@odata.etag': 'W/"2"',
    })
    expect((await send('GET Animals(1)', undefined, { 'if-none-match': 'W/"2"' })).status).toBe(304)
    const whole = { headers: { 'if-match': '*' }, prefer: 'return=representation' }
    const put = await send('PUT Animals(1)', { Name: 'Cat' }, { ...whole.headers, prefer: whole.prefer })
    expect(put).toMatchObject({ status: 200, body: { Id: 1, Name: 'Cat', Legs: null } })
  })

  it('refuses in the words that were recorded', async () => {
    const send = clientOf(RECORDED)
    expect(await send('GET Animals(99)')).toMatchObject({
      status: 404,
      body: error('NF', 'No Animals with 99'),
    })
    expect((await send('POST Animals', { Id: 30 })).body).toEqual(error('REQ', 'Name is missing'))
    expect((await send('GET Animals?$filter=Legs lt')).status).toBe(400)
    expect((await send('GET Plants')).status).toBe(404)
  })

  it('has keys of several parts, and removes what an entity owns with it', async () => {
    const send = clientOf(RECORDED)
    const feeding = { AnimalId: 1, Day: '2026-01-02', Food: 'meat' }
    await send('POST Feedings', feeding)
    expect((await send('GET Feedings(Day=2026-01-02,AnimalId=1)')).body).toEqual({
      '@odata.context': '$metadata#Feedings/$entity',
      ...feeding,
    })
    expect((await send("DELETE Houses('cats')")).status).toBe(204)
    expect((await send('GET Animals(1)')).status).toBe(404)
  })

  it('answers the requests of a batch one by one, the later by what the earlier made', async () => {
    const send = clientOf(RECORDED)
    const { body } = await send('POST $batch', {
      requests: [
        { id: 'a', method: 'POST', url: 'Animals', body: { Id: 20, Name: 'Yak' } },
        { id: 'b', method: 'get', url: '$a/Name' },
        { id: 'c', method: 'GET', url: '/svc/Animals(99)' },
      ],
    })
    expect(body).toMatchObject({
      responses: [
        { id: 'a', status: 201, body: { Name: 'Yak' } },
        { id: 'b', status: 200, body: { value: 'Yak' } },
        { id: 'c', status: 404, body: error('NF', 'No Animals with 99') },
      ],
    })
  })

  it('answers a batch in parts in parts', async () => {
    const send = clientOf(RECORDED)
    const http = 'Content-Type: application/http\r\nContent-Transfer-Encoding: binary'
    const mixed = [
      ...['--b', http, '', 'GET Animals(2)/Name HTTP/1.1', '', '', '--b'],
      ...['Content-Type: multipart/mixed; boundary=c', '', '--c', http, 'Content-ID: 1', ''],
      ...[
        'POST Animals HTTP/1.1',
        'Content-Type: application/json',
        '',
        '{"Id":40,"Name":"Gnu"}',
        '--c--',
        '--b--',
        '',
      ],
    ].join('\r\n')
    const { headers, body } = await send('POST $batch', mixed, {
      'content-type': 'multipart/mixed; boundary=b',
    })
    expect(headers['content-type']).toMatch(/^multipart\/mixed; boundary=/)
    expect(body).toMatch(/HTTP\/1.1 200 OK[^]*"value":"Owl"[^]*Content-ID: 1[^]*HTTP\/1.1 201/)
    expect((await send('GET Animals(40)')).body).toMatchObject({ Name: 'Gnu' })
  })

  it('refuses names that no property has', async () => {
    const send = clientOf(RECORDED)
    for (const query of ['$filter=Wings eq 2', '$select=Id,Wings', '$expand=Wings'])
      expect((await send(`GET Animals?${query}`)).status).toBe(400)
  })

  it('makes validators of what they were made of, and keeps what comes unselected', async () => {
    const [old, now] = ['2020-01-02T03:04:05.678Z', '2021-02-03T04:05:06.789Z']
    const job = (id: number, at: string) => ({ '@odata.etag': `W/"${at}"`, id, done: false, at })
    const of = { '@odata.context': '$metadata#Jobs/$entity' }
    const { at: _at, ...unselected } = job(1, old)
    const send = clientOf([
      ['GET Jobs(1)', { response: { ...of, ...job(1, old) } }],
      ['GET Jobs?$select=done', { response: { '@odata.context': '$metadata#Jobs', value: [job(1, old)] } }],
      [
        'GET Jobs?$expand=next',
        { response: { '@odata.context': '$metadata#Jobs', value: [{ ...job(1, old), next: unselected }] } },
      ],
      ['PATCH Jobs(1)', { body: { done: true }, response: { ...of, ...job(1, now), done: true } }],
      ['POST Jobs', { status: 201, body: { id: 2 }, response: { ...of, ...job(2, now) } }],
    ])
    const { body } = await send('POST Jobs', { id: 3 })
    const { at, '@odata.etag': tag } = body as Record<string, string>
    expect([tag, at === now]).toEqual([`W/"${at}"`, false])
    const listed = await send('GET Jobs?$select=done&$filter=id eq 3')
    expect((listed.body as { value: unknown }).value).toEqual([
      { '@odata.etag': tag, id: 3, done: false, at },
    ])
    const changed = await send('PATCH Jobs(1)', { done: true }, { 'if-match': `W/"${old}"` })
    expect(changed.headers['etag']).toBe(`W/"${(changed.body as Record<string, string>)['at']}"`)
    expect((await send('PATCH Jobs(1)', {}, { 'if-match': `W/"${old}"` })).status).toBe(412)
  })

  it('leaves to the recording what only the service knows', async () => {
    expect((await clientOf(RECORDED)('GET Oldest()')).status).not.toBe(404)
  })

  it('finds the sets, keys and links of a service that does not describe itself, and its pages', async () => {
    const trip = (id: string, owner: string) => ({ id, owner, at: `place ${id}` })
    const page = (from: number, ...ids: string[]) => ({
      '@odata.context': 'http://api.example.com/svc/$metadata#Trips',
      value: ids.map((id) => trip(id, 'ann')),
      ...(from < 4 && { '@odata.nextLink': `http://api.example.com/svc/Trips?$skiptoken=${from}` }),
    })
    const context = 'http://api.example.com/svc/$metadata#People/$entity'
    const send = clientOf([
      ['GET Trips', { response: page(2, 'a', 'b') }],
      ['GET Trips?$skiptoken=2', { response: page(4, 'c', 'd') }],
      [
        "GET People('ann')?$expand=Trips",
        { response: { '@odata.context': context, name: 'ann', Trips: [trip('a', 'ann'), trip('b', 'ann')] } },
      ],
      [
        "GET Trips('a')",
        { response: { '@odata.context': context.replace('People', 'Trips'), ...trip('a', 'ann') } },
      ],
    ])
    expect((await send("GET People('ann')/Trips?$select=id&$orderby=id desc")).body).toMatchObject({
      value: [{ id: 'd' }, { id: 'c' }],
    })
    const { body } = await send('GET Trips?$count=true')
    expect(body).toMatchObject({ '@odata.count': 4, value: [{ id: 'a' }, { id: 'b' }] })
    const next = new URL((body as Record<string, string>)['@odata.nextLink'] ?? '')
    expect((await send(`GET ${next.pathname.slice(5)}${next.search}`)).body).toMatchObject({
      value: [{ id: 'c' }, { id: 'd' }],
    })
  })
})
