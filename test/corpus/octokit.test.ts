import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSim, type SimServer } from '../flow/sim-process.ts'
import { fileOf, GITHUB } from './descriptions.ts'
import { at, type Json } from './json.ts'
import { readDocument } from './read-document.ts'
import { createSchemas } from './schemas.ts'
import { createValidate } from './validator.ts'

type Call = (parameters: object) => Promise<{ readonly status: number; readonly data: Json }>

/** As much of the client as is used here: its own types are there only where the corpus is installed. */
interface Octokit {
  readonly rest: Readonly<Record<'issues' | 'repos', Readonly<Record<string, Call>>>>
  paginate(route: Call | undefined, parameters: object): Promise<Json[]>
}

const CLIENT = '@octokit/rest'
const HERE = { owner: 'octocat', repo: 'hello-world' }

async function createOctokit(baseUrl: string): Promise<Octokit> {
  const client = (await import(CLIENT)) as { Octokit: new (options: object) => Octokit }
  return new client.Octokit({ baseUrl, auth: 'secret' })
}

describe("GitHub's own client", () => {
  const document = readDocument(GITHUB)
  const validate = createValidate(createSchemas(document, 'response'))
  const fits = (name: string, value: unknown): void => {
    expect(validate(at(document, `#/components/schemas/${name}`), value)).toBeUndefined()
  }
  let sim: SimServer
  let octokit: Octokit

  beforeAll(async () => {
    sim = await startSim(['run', fileOf(GITHUB), '--seed', '1'])
    octokit = await createOctokit(sim.url)
  })
  afterAll(() => sim?.stop())

  it('gets a repository', async () => {
    const { status, data } = await octokit.rest.repos['get']!(HERE)
    expect(status).toBe(200)
    fits('full-repository', data)
  })

  it('lists issues', async () => {
    const { status, data } = await octokit.rest.issues['listForRepo']!({ ...HERE, state: 'open' })
    expect(status).toBe(200)
    expect(data).not.toHaveLength(0)
    for (const issue of data as unknown as Json[]) fits('issue', issue)
  })

  it('creates an issue', async () => {
    const { status, data } = await octokit.rest.issues['create']!({ ...HERE, title: 'Found a bug' })
    expect(status).toBe(201)
    fits('issue', data)
  })

  it('learns what is wrong with its input', async () => {
    const creating = octokit.rest.issues['create']!({ ...HERE, title: { not: 'a title' } })
    await expect(creating).rejects.toMatchObject({ status: 422 })
  })

  it('comes to the end of a list', async () => {
    const issues = await octokit.paginate(octokit.rest.issues['listForRepo'], HERE)
    expect(issues).not.toHaveLength(0)
    expect(new Set(issues.map(({ id }) => id)).size).toBe(issues.length)
  })

  it('turns the pages of a generated list and gets each item once', async () => {
    const pages = { ...HERE, per_page: 2, headers: { prefer: 'dynamic=true' } }
    const issues = await octokit.paginate(octokit.rest.issues['listForRepo'], pages)
    expect(issues.length).toBeGreaterThan(2)
    expect(new Set(issues.map(({ id }) => id)).size).toBe(issues.length)
    for (const issue of issues) fits('issue', issue)
  })
})

describe("GitHub's own client, where what it creates is kept", () => {
  let sim: SimServer
  let octokit: Octokit

  beforeAll(async () => {
    sim = await startSim(['run', fileOf(GITHUB), '--seed', '1', '--stateful'])
    octokit = await createOctokit(sim.url)
  })
  afterAll(() => sim?.stop())

  it('reads back the issue that it created', async () => {
    const { data: created } = await octokit.rest.issues['create']!({ ...HERE, title: 'Found a bug' })
    expect(created).toMatchObject({ title: 'Found a bug' })
    const { data: read } = await octokit.rest.issues['get']!({ ...HERE, issue_number: created['number'] })
    expect(read).toEqual(created)
    const listed = await octokit.paginate(octokit.rest.issues['listForRepo'], HERE)
    expect(listed.filter(({ number }) => number === created['number'])).toEqual([created])
  })

  it('changes it', async () => {
    const { data: created } = await octokit.rest.issues['create']!({ ...HERE, title: 'Another bug' })
    const issue = { ...HERE, issue_number: created['number'] }
    await octokit.rest.issues['update']!({ ...issue, state: 'closed' })
    const { data: read } = await octokit.rest.issues['get']!(issue)
    expect(read).toMatchObject({ title: 'Another bug', state: 'closed' })
  })

  it('finds no issue that nobody created', async () => {
    const getting = octokit.rest.issues['get']!({ ...HERE, issue_number: 404 })
    await expect(getting).rejects.toMatchObject({ status: 404 })
  })
})
