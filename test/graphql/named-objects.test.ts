import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { loadApi } from '../../src/loaders/load-target.ts'

const SCHEMA = `
  interface Node { id: ID! }
  interface Holder { login: String! }
  type User implements Node & Holder { id: ID! login: String! repos: [Repo!]! }
  type Team implements Node & Holder { id: ID! login: String! }
  type Repo implements Node {
    id: ID!
    name: String!
    nameWithOwner: String!
    owner: Holder!
    issues: [Issue!]!
    issue(number: Int!): Issue
  }
  type Issue implements Node {
    id: ID!
    number: Int!
    repo: Repo!
    state: IssueState!
    closed: Boolean!
    isOpen: Boolean!
    closedAt: String
    locked: Boolean!
    comments: [Comment!]!
  }
  type Comment implements Node { id: ID! body: String! author: User issue: Issue! }
  input AddCommentInput { subjectId: ID!, body: String! }
  type AddCommentPayload { comment: Comment, subject: Node }
  enum IssueState { OPEN CLOSED }
  type Query {
    node(id: ID!): Node
    repo(owner: String!, name: String!, followRenames: Boolean = true): Repo
    repos: [Repo!]!
    issues: [Issue!]!
    comments(userId: ID): [Comment!]!
  }
  type Mutation {
    createRepo(ownerId: ID!, name: String!): Repo!
    updateIssue(id: ID!, state: IssueState): Issue!
    closeIssue(issueId: ID!): Issue!
    addComment(input: AddCommentInput!): AddCommentPayload
  }`

const open: FastifyInstance[] = []
afterEach(() => Promise.all(open.splice(0).map((app) => app.close())))

async function serve(): Promise<<Data>(query: string, variables?: object) => Promise<Data>> {
  const folder = mkdtempSync(join(tmpdir(), 'sim-graphql-'))
  writeFileSync(join(folder, 'served.graphql'), SCHEMA)
  const { api } = await loadApi('served.graphql', 'served', folder, { options: { seed: 1 } })
  const app = createGateway(api.gatewayOptions())
  open.push(app)
  return async <Data>(query: string, variables = {}) => {
    const answer = await app.inject({ method: 'POST', url: '/graphql', payload: { query, variables } })
    const { data, errors } = answer.json<{ data: Data; errors?: unknown }>()
    expect(errors).toBeUndefined()
    return data
  }
}

interface Repo {
  readonly id: string
  readonly name: string
  readonly owner: { readonly id: string; readonly login: string }
  readonly issues: readonly Issue[]
  readonly issue: Issue | null
}
interface Issue {
  readonly id: string
  readonly number: number
  readonly repo: { readonly id: string }
}

const OWNER = 'owner { login ... on User { id } ... on Team { id } }'
const REPO = `query($owner: String!, $name: String!, $number: Int = 1) { repo(owner: $owner, name: $name) {
  id name ${OWNER} issue(number: $number) { id number repo { id } } } }`

it('finds an object by arguments of which one names another object, and what lies below it by its own', async () => {
  const ask = await serve()
  const { repos } = await ask<{ repos: Repo[] }>(`{ repos { id name ${OWNER} issues { id number } } }`)
  for (const { id, name, owner, issues } of repos) {
    const [first = null] = issues
    const found = await ask<{ repo: Repo }>(REPO, { owner: owner.login, name, number: first?.number })
    expect(found.repo).toMatchObject({ id, name, owner })
    if (first !== null) expect(found.repo.issue).toEqual({ ...first, repo: { id } })
  }
})

it('makes what is named by several arguments as they say, and the same wherever it appears', async () => {
  const ask = await serve()
  const { repo } = await ask<{ repo: Repo }>(REPO, { owner: 'ada', name: 'engine', number: 7 })
  expect(repo).toMatchObject({ name: 'engine', owner: { login: 'ada' } })
  expect(repo.issue).toMatchObject({ number: 7, repo: { id: repo.id } })
  const node = `query($id: ID!) { node(id: $id) { id ... on Repo { name ${OWNER} } ... on Issue { number } } }`
  expect((await ask<{ node: Repo }>(node, { id: repo.id })).node).toEqual({
    ...{ id: repo.id, name: repo.name, owner: repo.owner },
  })
  const issue = { id: repo.issue?.id, number: 7 }
  expect((await ask<{ node: Issue }>(node, { id: issue.id })).node).toEqual(issue)
})

it('finds what was created by the name of its owner, and nothing by that of another', async () => {
  const ask = await serve()
  const { repos } = await ask<{ repos: Repo[] }>(`{ repos { ${OWNER} } }`)
  for (const { id, login } of repos.slice(0, 3).map(({ owner }) => owner)) {
    const variables = { id, name: `of-${login}` }
    const { createRepo } = await ask<{ createRepo: Repo }>(
      `mutation($id: ID!, $name: String!) { createRepo(ownerId: $id, name: $name) { id ${OWNER} } }`,
      variables,
    )
    expect(createRepo.owner).toEqual({ id, login })
    const named = { owner: login, name: variables.name }
    expect((await ask<{ repo: Repo }>(REPO, named)).repo.id).toBe(createRepo.id)
    expect((await ask<{ repo: Repo | null }>(REPO, { ...named, owner: 'nobody' })).repo).toBeNull()
  }
})

const STATES = 'id state closed isOpen closedAt locked'
interface Stated {
  readonly id: string
  readonly state: 'OPEN' | 'CLOSED'
  readonly closed: boolean
  readonly isOpen: boolean
  readonly closedAt: string | null
  readonly locked: boolean
}

it('has booleans and times that are called by a value of an enum agree with it, also when that is changed', async () => {
  const ask = await serve()
  const check = async (): Promise<readonly Stated[]> => {
    const { issues } = await ask<{ issues: Stated[] }>(`{ issues { ${STATES} } }`)
    for (const { state, closed, isOpen, closedAt } of issues)
      expect([closed, isOpen, closedAt !== null]).toEqual([
        state === 'CLOSED',
        state === 'OPEN',
        state === 'CLOSED',
      ])
    return issues
  }
  const before = await check()
  expect(new Set(before.map(({ locked, state }) => `${locked} ${state}`)).size).toBeGreaterThan(2)
  const [changed, closed] = [before[0]?.id, before.find(({ state }) => state === 'OPEN')?.id]
  for (const state of ['OPEN', 'CLOSED', 'OPEN'])
    await ask(`mutation($id: ID!) { updateIssue(id: $id, state: ${state}) { id } }`, { id: changed })
  await ask('mutation($id: ID!) { closeIssue(issueId: $id) { id } }', { id: closed })
  const after = await check()
  expect(after.slice(1).filter(({ id }) => id !== closed)).toEqual(
    before.slice(1).filter(({ id }) => id !== closed),
  )
  const { repos } = await ask<{ repos: Repo[] }>('{ repos { issue(number: 1000000) { id } } }')
  expect(repos.map(({ issue }) => issue)).toEqual(repos.map(() => null))
})

it('adds a comment to the subject that its id names, and answers with both', async () => {
  const ask = await serve()
  const { issues } = await ask<{ issues: { id: string }[] }>('{ issues { id } }')
  const { id = '' } = issues.at(-1) ?? {}
  const mutation = `mutation ($id: ID!) {
    addComment(input: { subjectId: $id, body: "Done" }) { comment { id body issue { id } } subject { id } }
  }`
  const { addComment } = await ask<{ addComment: { comment: { id: string } } }>(mutation, { id })
  const comment = { id: addComment.comment.id, body: 'Done' }
  expect(addComment).toEqual({ comment: { ...comment, issue: { id } }, subject: { id } })
  const read = 'query ($id: ID!) { node(id: $id) { ... on Issue { comments { id body } } } }'
  const { node } = await ask<{ node: { comments: unknown[] } }>(read, { id })
  expect(node.comments).toContainEqual(comment)
})

it('puts a name together of those that it is called by', async () => {
  const ask = await serve()
  interface Repo {
    name: string
    nameWithOwner: string
    owner: { login: string }
  }
  const { repos } = await ask<{ repos: Repo[] }>('{ repos { name nameWithOwner owner { login } } }')
  expect(repos.length).toBeGreaterThan(0)
  for (const { name, nameWithOwner, owner } of repos) expect(nameWithOwner).toBe(`${owner.login}/${name}`)
})

it('chooses objects by another that one of their fields holds, whatever that is called', async () => {
  const query = await serve()
  interface Comment {
    readonly id: string
    readonly author: { readonly id: string } | null
  }
  const { comments } = await query<{ comments: Comment[] }>('{ comments { id author { id } } }')
  const user = comments.find(({ author }) => author !== null)?.author?.id
  const chosen = await query<{ comments: Comment[] }>(
    'query($user: ID) { comments(userId: $user) { id author { id } } }',
    { user },
  )
  expect(chosen.comments).toEqual(comments.filter(({ author }) => author?.id === user))
  expect(chosen.comments.length).toBeLessThan(comments.length)
})
