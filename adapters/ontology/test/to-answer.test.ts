import { describe, expect, it } from 'vitest'
import { OntologyMock } from '../src/mock.ts'
import { ask } from './ask.ts'

describe('failures', () => {
  it('of unknown paths are 404 without a body', async () => {
    const mock = new OntologyMock()
    expect(await ask(mock, '/acme/nope')).toMatchObject({ status: 404, body: undefined })
    expect(await ask(mock, '/acme/objectTypes', {})).toMatchObject({ status: 405, body: undefined })
  })

  it('of known but unimplemented operations are 501 in strict mode, and else 404', async () => {
    const apply = { parameters: {}, options: {} }
    for (const verb of ['apply', 'applyBatch', 'applyAsync', 'applyWithOverrides']) {
      const path = `/acme/actions/promoteEmployee/${verb}`
      expect((await ask(new OntologyMock(), path, apply)).status).toBe(404)
      const { status, body } = await ask(new OntologyMock({ strict: true }), path, apply)
      expect([status, body.parameters]).toEqual([501, { operation: `${verb}ActionV2` }])
    }
  })

  it('of malformed, missing and too large bodies are distinguished', async () => {
    const mock = new OntologyMock()
    const path = '/acme/objects/Employee/search'
    expect(await ask(mock, path, '{')).toMatchObject({
      status: 400,
      body: { errorName: 'Conjure:InvalidArgument' },
    })
    expect(await ask(mock, path, '[]')).toMatchObject({
      status: 400,
      body: { errorName: 'Conjure:InvalidArgument' },
    })
    expect(await ask(mock, path, '')).toMatchObject({ status: 400, body: { errorName: 'MissingPostBody' } })
    const large = JSON.stringify({
      where: { type: 'eq', field: 'fullName', value: 'x'.repeat(17 * 1024 * 1024) },
    })
    expect(await ask(mock, path, large)).toMatchObject({
      status: 413,
      body: { errorCode: 'REQUEST_ENTITY_TOO_LARGE' },
    })
  })

  it('that are injected come as the service would send them', async () => {
    const mock = new OntologyMock()
    const inject = async (fault: object) => {
      mock.adapter.faults.set([{ operation: 'getOntologyV2', ...fault }])
      return ask(mock, '/acme')
    }
    expect(await inject({ status: 503, retryAfterSeconds: 3 })).toMatchObject({
      status: 503,
      body: undefined,
    })
    expect((await inject({ status: 503, retryAfterSeconds: 3 })).headers.get('retry-after')).toBe('3')
    expect(await inject({ status: 500 })).toMatchObject({
      status: 500,
      body: { errorName: 'Default:Internal' },
    })
    expect(await inject({ status: 409, code: 'OntologyNotFound' })).toMatchObject({
      status: 409,
      body: { errorName: 'OntologyNotFound' },
    })
    expect((await inject({ status: 403 })).body.errorName).toBe('Default:PermissionDenied')
    // Errors that nothing here causes can be injected by name.
    const named = async (status: number, code: string) => (await inject({ status, code })).body
    expect(await named(409, 'OntologySyncing')).toMatchObject({
      errorCode: 'CONFLICT',
      errorName: 'OntologySyncing',
    })
    expect(await named(403, 'ViewObjectPermissionDenied')).toMatchObject({ errorCode: 'PERMISSION_DENIED' })
    expect(await named(422, 'Conjure:UnprocessableEntity')).toMatchObject({ errorCode: 'INVALID_ARGUMENT' })
    expect(await named(502, 'Gateway')).toMatchObject({ errorCode: 'INTERNAL' })
    for (const [status, name] of [
      [400, 'Default:InvalidArgument'],
      [401, 'Default:Unauthorized'],
      [409, 'Default:Conflict'],
      [413, 'Default:RequestEntityTooLarge'],
    ] as const) {
      expect((await inject({ status })).body.errorName).toBe(name)
    }
  })

  it('of the rate limit are 429 with the time to wait', async () => {
    const mock = new OntologyMock({ rateLimit: { requests: 1, windowSeconds: 60 } })
    expect((await ask(mock, '')).status).toBe(200)
    const refused = await ask(mock, '')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    mock.adapter.clock.advance(60_000)
    expect((await ask(mock, '')).status).toBe(200)
  })

  it('of preview operations requested without `preview` happen in strict mode only', async () => {
    const path = '/acme/objectTypes/Office/fullMetadata'
    expect((await ask(new OntologyMock(), path)).status).toBe(200)
    const mock = new OntologyMock({ strict: true })
    expect((await ask(mock, path)).body.errorName).toBe('ApiFeaturePreviewUsageOnly')
    expect((await ask(mock, `${path}?preview=true`)).status).toBe(200)
  })

  it('never become a 500, however deep a body is nested', async () => {
    const mock = new OntologyMock()
    const nested = (depth: number, before: string, middle: string, after: string): string =>
      before.repeat(depth) + middle + after.repeat(depth)
    const bodies = [150, 5000, 100_000].flatMap((depth) => [
      nested(depth, '{"type":"not","value":', '1', '}'),
      nested(depth, '{"type":"and","value":[', '1', ']}'),
      nested(depth, '[', '', ']'),
    ])
    for (const where of bodies) {
      const answer = await ask(mock, '/acme/objects/Employee/search', `{"where":${where}}`)
      expect(answer.status).toBe(400)
    }
    const sets = [60, 5000].map((depth) =>
      nested(depth, '{"type":"asBaseObjectTypes","objectSet":', '1', '}'),
    )
    for (const objectSet of sets) {
      expect((await ask(mock, '/acme/objectSets/loadObjects', `{"objectSet":${objectSet}}`)).status).toBe(400)
    }
    const geoJson = JSON.stringify(`{"type":"Polygon","coordinates":${nested(1_000_000, '[', '', ']')}}`)
    const shape = `{"type":"geoShapeV2","field":"location","spatialFilterMode":"WITHIN","geometry":{"type":"geoJson","geoJson":${geoJson}}}`
    expect((await ask(mock, '/acme/objects/Office/search', `{"where":${shape}}`)).status).toBe(400)
  })

  it('carry a request id, as does every answer', async () => {
    const mock = new OntologyMock({ requestId: (n) => `request-${n}` })
    expect((await ask(mock, '')).headers.get('x-request-id')).toBe('request-1')
    expect((await ask(mock, '/nope')).headers.get('x-request-id')).toBe('request-2')
  })
})
