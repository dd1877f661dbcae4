import { describe } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { all, ask, clientOf, clientTest, failureOf, refusal } from '../client.ts'

const fixture = {
  version: 1,
  users: [{ userName: 'ada@example.com' }],
  workspaceFiles: [
    { path: '/Users/ada@example.com/etl', language: 'SQL', text: 'SELECT 1' },
    { path: '/Users/ada@example.com/data.csv', text: 'a,b\n' },
    { path: '/Repos/ada/project', type: 'REPO' },
    { path: '/Shared', directory: true },
  ],
}
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64')
const start = Date.parse('2026-01-01T00:00:00Z')

const it = clientTest({ fixture })

describe('workspace objects, used by the real client', () => {
  it('says what lies at a path, and what a directory holds', async ({ client: { workspace }, expect }) => {
    const id = expect.any(Number) as number

    expect(await workspace.getStatus({ path: '/Users/ada@example.com/etl' })).toEqual({
      object_type: 'NOTEBOOK',
      path: '/Users/ada@example.com/etl',
      language: 'SQL',
      object_id: id,
      resource_id: expect.stringMatching(/^\d+$/) as string,
      created_at: start,
      modified_at: start,
    })
    expect(await all(workspace.list({ path: '/Users/ada@example.com' }))).toMatchObject([
      { object_type: 'FILE', path: '/Users/ada@example.com/data.csv', size: 4 },
      { object_type: 'NOTEBOOK' },
    ])
    expect(await all(workspace.list({ path: '/Users/ada@example.com/etl' }))).toHaveLength(1)
    expect(await all(workspace.list({ path: '/Shared' }))).toEqual([])
    expect(await all(workspace.list({ path: '/Repos/ada' }))).toMatchObject([{ object_type: 'REPO' }])
    for (const call of [workspace.getStatus({ path: '/none' }), all(workspace.list({ path: '/none' }))])
      expect(await failureOf(call)).toEqual(
        refusal(404, 'RESOURCE_DOES_NOT_EXIST', "Path (/none) doesn't exist."),
      )
  })

  it('lists only notebooks that were modified after a moment', async ({ expect }) => {
    await using mock = await WorkspaceMockContext.start({ fixture })
    const { workspace } = clientOf(mock)
    mock.adapter.clock.advance(1000)
    await workspace.import({ path: '/Users/ada@example.com/new', language: 'R', content: base64('x <- 1') })

    const listed = await all(
      workspace.list({ path: '/Users/ada@example.com', notebooks_modified_after: start }),
    )

    expect(listed.map(({ path }) => path)).toEqual([
      '/Users/ada@example.com/data.csv',
      '/Users/ada@example.com/new',
    ])
  })

  it('makes and deletes directories', async ({ client: { workspace }, expect }) => {
    await workspace.mkdirs({ path: '/Shared/a/b' })
    await workspace.mkdirs({ path: '/Shared/a/b' })
    expect(await failureOf(workspace.mkdirs({ path: '/Users/ada@example.com/etl/x' }))).toEqual(
      refusal(400, 'RESOURCE_ALREADY_EXISTS', 'Path (/Users/ada@example.com/etl) already exists.'),
    )
    expect(await failureOf(workspace.delete({ path: '/Shared/a' }))).toMatchObject({
      errorCode: 'DIRECTORY_NOT_EMPTY',
      statusCode: 400,
    })
    await workspace.delete({ path: '/Shared/a', recursive: true })
    expect(await failureOf(workspace.delete({ path: '/Shared/a' }))).toMatchObject({
      errorCode: 'RESOURCE_DOES_NOT_EXIST',
      statusCode: 404,
    })
    expect(await failureOf(workspace.delete({ path: '/', recursive: true }))).toMatchObject({
      errorCode: 'INVALID_PARAMETER_VALUE',
    })
  })

  it('imports notebooks and files, and exports what was imported', async ({
    client: { workspace },
    expect,
  }) => {
    const header = '# Databricks notebook source\n'

    await workspace.import({ path: '/Shared/n', language: 'PYTHON', content: base64('print(1)') })
    expect(await workspace.export({ path: '/Shared/n' })).toEqual({
      content: base64(`${header}print(1)`),
      file_type: 'py',
    })
    await workspace.import({
      path: '/Shared/n',
      language: 'PYTHON',
      format: 'SOURCE',
      overwrite: true,
      content: base64(`${header}print(2)`),
    })
    expect((await workspace.export({ path: '/Shared/n', format: 'AUTO' })).content).toBe(
      base64(`${header}print(2)`),
    )

    await workspace.import({ path: '/Shared/auto.py', format: 'AUTO', content: base64(`${header}x`) })
    expect(await workspace.getStatus({ path: '/Shared/auto' })).toMatchObject({
      object_type: 'NOTEBOOK',
      language: 'PYTHON',
    })
    await workspace.import({ path: '/Shared/plain.py', format: 'AUTO', content: base64('x') })
    expect(await workspace.getStatus({ path: '/Shared/plain.py' })).toMatchObject({
      object_type: 'FILE',
      size: 1,
    })
    await workspace.import({ path: '/Shared/raw.py', format: 'RAW', content: base64(`${header}x`) })
    expect(await workspace.export({ path: '/Shared/raw.py' })).toEqual({
      content: base64(`${header}x`),
      file_type: 'py',
    })
    expect((await workspace.export({ path: '/Users/ada@example.com/etl' })).content).toBe(
      base64('-- Databricks notebook source\nSELECT 1'),
    )
  })

  it('refuses imports that it cannot make', async ({ client: { workspace }, expect }) => {
    const fail = (request: object) =>
      failureOf(workspace.import({ path: '/Shared/x', language: 'PYTHON', content: '', ...request }))

    expect(await fail({ path: '/Users/ada@example.com/etl' })).toEqual(
      refusal(400, 'RESOURCE_ALREADY_EXISTS', 'Path (/Users/ada@example.com/etl) already exists.'),
    )
    expect(await fail({ path: '/Shared', overwrite: true })).toMatchObject({
      errorCode: 'RESOURCE_ALREADY_EXISTS',
    })
    expect(await fail({ path: '/Users/ada@example.com/data.csv', overwrite: true })).toMatchObject({
      errorCode: 'INVALID_PARAMETER_VALUE',
      message:
        'Cannot overwrite the asset at /Users/ada@example.com/data.csv due to type mismatch (asked: NOTEBOOK, actual: FILE)',
    })
    expect(await fail({ path: '/missing/x' })).toMatchObject({
      errorCode: 'RESOURCE_DOES_NOT_EXIST',
      statusCode: 404,
    })
    for (const request of [
      { language: undefined },
      { language: 'COBOL' },
      { format: 'DBC' },
      { format: 'ODD' },
      { format: 'JUPYTER', content: base64('not JSON') },
    ])
      expect(await fail(request)).toMatchObject({ errorCode: 'INVALID_PARAMETER_VALUE', statusCode: 400 })
    expect(await fail({ content: base64(Buffer.alloc(10 * 1024 * 1024 + 1)) })).toEqual(
      refusal(
        400,
        'MAX_NOTEBOOK_SIZE_EXCEEDED',
        'File size imported is (10485761 bytes), exceeded max size (10485760 bytes)',
      ),
    )
    expect(await failureOf(workspace.export({ path: '/Shared' }))).toMatchObject({
      errorCode: 'INVALID_PARAMETER_VALUE',
    })
  })

  it('turns Jupyter notebooks into sources, and back', async ({ client: { workspace }, expect }) => {
    const cells = [
      { cell_type: 'markdown', metadata: {}, source: ['# Title\n', '\n', 'text'] },
      { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: ['x = 1\n', 'x'] },
    ]
    const notebook = {
      cells,
      metadata: { language_info: { name: 'python' } },
      nbformat: 4,
      nbformat_minor: 0,
    }

    await workspace.import({
      path: '/Shared/j.ipynb',
      format: 'AUTO',
      content: base64(JSON.stringify(notebook)),
    })

    expect(
      Buffer.from((await workspace.export({ path: '/Shared/j' })).content ?? '', 'base64').toString(),
    ).toBe(
      [
        '# Databricks notebook source',
        '# MAGIC %md',
        '# MAGIC # Title',
        '# MAGIC',
        '# MAGIC text',
        '',
        '# COMMAND ----------',
        '',
        'x = 1',
        'x',
      ].join('\n'),
    )
    const { content = '', file_type } = await workspace.export({ path: '/Shared/j', format: 'JUPYTER' })
    expect(JSON.parse(Buffer.from(content, 'base64').toString())).toEqual(notebook)
    expect(file_type).toBe('ipynb')
  })

  it('takes uploads in the form of the Python client, and gives downloads to it', async ({
    mock,
    expect,
  }) => {
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, index) => index % 256))
    const boundary = 'f'.repeat(32)
    const part = (name: string, value: Buffer | string, rest = '') =>
      Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n`),
        Buffer.from(value as string),
        Buffer.from('\r\n'),
      ])
    const upload = (overwrite: readonly Buffer[]): Promise<Response> =>
      fetch(`${mock.baseUrl}/api/2.0/workspace/import`, {
        method: 'POST',
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: Buffer.concat([
          part('path', '/Shared/ä b.bin'),
          part('format', 'AUTO'),
          ...overwrite,
          part('content', bytes, '; filename="content"'),
          Buffer.from(`--${boundary}--\r\n`),
        ]),
      })

    expect((await upload([])).status).toBe(200)
    expect(await (await upload([])).json()).toMatchObject({ error_code: 'RESOURCE_ALREADY_EXISTS' })
    expect((await upload([part('overwrite', 'true')])).status).toBe(200)

    for (const flag of ['true', 'True']) {
      const query = `path=%2FShared%2F%C3%A4+b.bin&direct_download=${flag}`
      const response = await fetch(`${mock.baseUrl}/api/2.0/workspace/export?${query}`)
      expect(response.headers.get('content-type')).toBe('application/octet-stream')
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    }
  })

  it('keeps at most as many bytes as the fixture allows, and says so', async ({ expect }) => {
    for (const temporaryDirectory of [false, true]) {
      using mock = new WorkspaceMockContext({
        fixture: { version: 1, fileStorage: { capBytes: 10, temporaryDirectory } },
      })
      const put = (name: string, content: string, overwrite = false) =>
        ask(mock, 'POST', '/api/2.0/workspace/import', {
          path: `/${name}`,
          format: 'RAW',
          overwrite,
          content: base64(content),
        })

      expect((await put('a', '123456')).status).toBe(200)
      expect((await put('b', '12345')).body).toEqual({
        error_code: 'QUOTA_EXCEEDED',
        message:
          'The simulator keeps at most 10 bytes of file contents, and this would make them 11. ' +
          'Delete files, or raise fileStorage.capBytes in the fixture.',
      })
      expect((await put('a', '1234567890', true)).status).toBe(200)
      await ask(mock, 'POST', '/api/2.0/workspace/delete', { path: '/a' })
      expect((await put('b', '1234567890')).status).toBe(200)
    }
  })

  it('lets in strict mode only those in who have the permission, their directories included', async ({
    expect,
  }) => {
    const tokens = ['ada', 'bob'].map((name) => ({ token: name, user: `${name}@example.com` }))
    await using mock = await WorkspaceMockContext.start({ auth: { mode: 'strict', tokens }, fixture })
    const [ada, bob] = [clientOf(mock, 'ada'), clientOf(mock, 'bob')]
    const denied = { errorCode: 'PERMISSION_DENIED', statusCode: 403 }
    const path = '/Shared/x/y'
    await ada.workspace.mkdirs({ path })
    await ada.workspace.import({ path: `${path}/n`, language: 'SQL', content: base64('SELECT 1') })

    expect(await failureOf(bob.workspace.getStatus({ path: `${path}/n` }))).toMatchObject(denied)
    expect(await failureOf(bob.workspace.mkdirs({ path: '/Shared/z' }))).toMatchObject(denied)
    const { object_id: directory } = await ada.workspace.getStatus({ path: '/Shared/x' })
    await ada.permissions.set({
      request_object_type: 'directories',
      request_object_id: String(directory),
      access_control_list: [{ user_name: 'bob@example.com', permission_level: 'CAN_EDIT' }],
    })
    expect((await bob.workspace.export({ path: `${path}/n` })).file_type).toBe('sql')
    await bob.workspace.mkdirs({ path: `${path}/z` })
    expect(await failureOf(bob.workspace.delete({ path: `${path}/n` }))).toMatchObject(denied)
    await bob.workspace.delete({ path: `${path}/z` })
  })

  it('comes back from a snapshot with its objects, their ids, contents and permissions', async ({
    mock,
    client: { permissions, workspace },
    expect,
  }) => {
    await workspace.mkdirs({ path: '/Shared/a' })
    await workspace.import({ path: '/Shared/a/n', language: 'SCALA', content: base64('val x = 1') })
    const { object_id: id } = await workspace.getStatus({ path: '/Shared/a/n' })
    const notebook = { request_object_type: 'notebooks', request_object_id: String(id) }
    await permissions.set({
      ...notebook,
      access_control_list: [{ group_name: 'users', permission_level: 'CAN_RUN' }],
    })
    const look = async () => [
      await all(workspace.list({ path: '/Shared/a' })),
      await workspace.export({ path: '/Shared/a/n' }),
      await permissions.get(notebook),
    ]
    const before = await look()

    const snapshot = JSON.parse(JSON.stringify(mock.adapter.snapshot())) as never
    await workspace.delete({ path: '/Shared', recursive: true })
    mock.reset()
    mock.adapter.restore(snapshot)

    expect(await look()).toEqual(before)
    await workspace.mkdirs({ path: '/Shared/b' })
    expect((await workspace.getStatus({ path: '/Shared/b' })).object_id).not.toBe(id)
  })

  it('forgets the permissions of what is deleted', async ({ client: { permissions, workspace }, expect }) => {
    const { object_id: id } = await workspace.getStatus({ path: '/Users/ada@example.com/etl' })
    const notebook = { request_object_type: 'notebooks', request_object_id: String(id) }
    await permissions.get(notebook)
    await workspace.delete({ path: '/Users', recursive: true })
    expect(await failureOf(permissions.get(notebook))).toMatchObject({
      errorCode: 'RESOURCE_DOES_NOT_EXIST',
      message: `A notebook with id ${id} does not exist.`,
    })
  })
})
