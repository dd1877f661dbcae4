import { request as send } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WorkspaceMockContext } from '../src/mock.ts'

interface Given {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly isAnonymous?: boolean
}

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Record<string, unknown>
}

// What the Python client puts on the wire, request by request; see the facts about its parsing and its headers.
const USER_AGENT = 'unknown/0.0.0 databricks-sdk-py/0.133.0 python/3.12.3 os/linux auth/pat interactive/none'

describe('requests as the Python client sends them', () => {
  let mock: WorkspaceMockContext

  beforeAll(async () => {
    mock = await WorkspaceMockContext.start()
  })
  beforeEach(() => mock.reset())
  afterAll(() => mock.close())

  function ask(
    method: string,
    path: string,
    { headers = {}, body, isAnonymous = false }: Given = {},
  ): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const sent = send(`${mock.baseUrl}${path}`, {
        method,
        headers: {
          'user-agent': USER_AGENT,
          accept: 'application/json',
          'accept-encoding': 'gzip, deflate',
          connection: 'keep-alive',
          ...(!isAnonymous && { authorization: 'Bearer dapi-x' }),
          ...headers,
        },
      })
      sent.on('error', reject)
      sent.on('response', (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: JSON.parse(Buffer.concat(parts).toString() || '{}') as Record<string, unknown>,
          }),
        )
      })
      sent.end(body)
    })
  }

  const post = (path: string, body: object): Promise<Answered> =>
    ask('POST', path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

  it('answers the discovery request without credentials', async () => {
    const { status, body } = await ask('GET', '/.well-known/databricks-config', { isAnonymous: true })
    await using strict = await WorkspaceMockContext.start({
      auth: { mode: 'strict', tokens: [{ token: 'good' }] },
    })

    expect(status).toBe(200)
    expect(body).toEqual({
      oidc_endpoint: `${mock.baseUrl}/oidc`,
      workspace_id: String(mock.state.workspaceId),
      cloud: 'AWS',
    })
    expect((await fetch(`${strict.baseUrl}/.well-known/databricks-config`)).status).toBe(200)
    expect((await fetch(`${strict.baseUrl}/api/2.2/jobs/list`)).status).toBe(401)
  })

  it('takes the workspace id that clients send back', async () => {
    const { status, headers } = await ask('GET', '/api/2.0/preview/scim/v2/Me', {
      headers: { 'x-databricks-workspace-id': String(mock.state.workspaceId) },
    })

    expect(status).toBe(200)
    expect(headers['x-databricks-org-id']).toBe(String(mock.state.workspaceId))
  })

  it('reads dotted and repeated query keys, True, and + as a space', async () => {
    const pinned = await ask('GET', '/api/2.1/clusters/list?filter_by.is_pinned=True&page_size=5')
    const states = await ask(
      'GET',
      '/api/2.1/clusters/list?filter_by.cluster_states=RUNNING&filter_by.cluster_states=PENDING',
    )
    const named = await ask('GET', '/api/2.2/jobs/list?name=nightly+load&expand_tasks=true')

    expect(pinned.body['clusters']).toMatchObject([{ cluster_name: 'shared' }])
    expect((pinned.body['clusters'] as unknown[]).length).toBe(1)
    expect((states.body['clusters'] as unknown[]).length).toBe(2)
    expect(named.body['jobs']).toMatchObject([{ job_id: 1001 }])
  })

  it('takes bodies of length 0 with and without a content type', async () => {
    const withType = await ask('POST', '/api/2.2/jobs/runs/cancel-all', {
      headers: { 'content-type': 'application/json', 'content-length': '0' },
    })
    const without = await ask('POST', '/api/2.1/clusters/start', { headers: { 'content-length': '0' } })
    const reading = await ask('GET', '/api/2.2/jobs/get?job_id=1001', {
      headers: { 'content-type': 'application/json' },
    })

    for (const { status, body } of [withType, without]) {
      expect(status).toBe(400)
      expect(body).toMatchObject({ error_code: 'INVALID_PARAMETER_VALUE' })
    }
    expect(reading).toMatchObject({ status: 200, body: { job_id: 1001 } })
  })

  it('starts a cluster, polls it, and follows its events', async () => {
    const created = await post('/api/2.1/clusters/create', {
      spark_version: '16.4.x-scala2.12',
      num_workers: 0,
      aws_attributes: { availability: 'SPOT' },
    })
    const id = String(created.body['cluster_id'])
    const polled = await ask('GET', `/api/2.1/clusters/get?cluster_id=${id}`)
    const events = await post('/api/2.1/clusters/events', { cluster_id: id, page_size: 1 })
    const next = await post('/api/2.1/clusters/events', events.body['next_page'] as object)

    expect(polled.body).toMatchObject({
      state: 'RUNNING',
      aws_attributes: { availability: 'SPOT', zone_id: 'us-west-2a' },
    })
    expect(events.body['next_page']).toMatchObject({
      cluster_id: id,
      page_size: 1,
      page_token: expect.any(String) as string,
    })
    expect(next.body['events']).not.toEqual(events.body['events'])
    const missing = await ask('GET', '/api/2.1/clusters/get?cluster_id=gone')
    expect(missing).toMatchObject({
      status: 400,
      body: { error_code: 'INVALID_PARAMETER_VALUE', message: 'Cluster gone does not exist' },
    })
  })

  it('runs a job now and waits by its older state', async () => {
    const started = await post('/api/2.2/jobs/run-now', { job_id: 1002, idempotency_token: 'x' })
    const run = await ask(
      'GET',
      `/api/2.2/jobs/runs/get?run_id=${String(started.body['run_id'])}&include_history=true`,
    )

    expect(run.body['state']).toMatchObject({ life_cycle_state: 'TERMINATED', result_state: 'SUCCESS' })
    expect(typeof run.body['end_time']).toBe('number')
    expect(typeof run.body['run_duration']).toBe('number')
    expect(run.body).not.toHaveProperty('next_page_token')
  })

  it('uploads a notebook as form data', async () => {
    const boundary = 'b0undary'
    const part = (name: string, content: string, type = ''): string =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${type}\r\n\r\n${content}\r\n`
    const body =
      part('path', '/Shared/uploaded') +
      part('format', 'SOURCE') +
      part('language', 'PYTHON') +
      part('overwrite', 'true') +
      part('content', 'print(1)\n', '; filename="content"') +
      `--${boundary}--\r\n`

    const imported = await ask('POST', '/api/2.0/workspace/import', {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body,
    })
    const exported = await ask('GET', '/api/2.0/workspace/export?path=%2FShared%2Fuploaded&format=SOURCE')

    expect(imported).toMatchObject({ status: 200, body: {} })
    expect(Buffer.from(String(exported.body['content']), 'base64').toString()).toBe(
      '# Databricks notebook source\nprint(1)\n',
    )
  })

  it('writes a file in blocks of one mebibyte', async () => {
    const block = Buffer.alloc(1024 * 1024, 7)
    const { body: created } = await post('/api/2.0/dbfs/create', { path: '/big', overwrite: true })
    const data = block.toString('base64')
    const sent = JSON.stringify({ data, handle: created['handle'] })

    const added = await post('/api/2.0/dbfs/add-block', { data, handle: created['handle'] })
    await post('/api/2.0/dbfs/close', { handle: created['handle'] })

    expect(sent.length).toBeGreaterThan(1_398_100)
    expect(added).toMatchObject({ status: 200, body: {} })
    expect((await ask('GET', '/api/2.0/dbfs/get-status?path=%2Fbig')).body).toMatchObject({
      file_size: 1024 * 1024,
    })
  })

  it('reads the older paths of jobs and clusters too', async () => {
    expect(await ask('GET', '/api/2.1/jobs/get?job_id=1001')).toMatchObject({
      status: 200,
      body: { job_id: 1001 },
    })
    expect(await ask('GET', '/api/2.0/clusters/list')).toMatchObject({ status: 200 })
  })

  it('refuses a body that is too long or no JSON', async () => {
    const long = await ask('POST', '/api/2.2/jobs/create', {
      headers: { 'content-type': 'application/json' },
      body: Buffer.alloc(24 * 1024 * 1024 + 1, 32),
    })
    const broken = await ask('POST', '/api/2.2/jobs/create', {
      headers: { 'content-type': 'application/json' },
      body: '{"name":',
    })

    expect(long.status).toBe(413)
    expect(broken).toMatchObject({ status: 400, body: { error_code: 'MALFORMED_REQUEST' } })
  })
})
