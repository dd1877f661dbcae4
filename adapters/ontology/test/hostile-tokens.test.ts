import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OntologyMockContext } from '../src/mock.ts'
import { type Page, refusal } from './pages.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('')

/** A token with something changed, cut off, doubled or put in. */
const mutate = (token: string, kind: number, at: number, letter: string): string => {
  const index = at % token.length
  if (kind === 0) return token.slice(0, index) + letter + token.slice(index + 1)
  if (kind === 1) return token.slice(0, index)
  if (kind === 2) return token.slice(0, index) + letter + token.slice(index)
  if (kind === 3) return token.slice(0, index) + token.slice(index + 1)
  return token + token.slice(index)
}

describe('hostile page tokens', () => {
  it('are all refused, in 10,000 mutations and more', async () => {
    using mock = new OntologyMockContext()
    const path = '/api/v2/ontologies/acme/objects/Project?pageSize=3'
    const ask = async (token: string): Promise<Page & { readonly status: number }> => {
      const answer = await mock.fetch(`${path}&pageToken=${encodeURIComponent(token)}`)
      return { ...((await answer.json()) as Page), status: answer.status }
    }
    const first = (await (await mock.fetch(path)).json()) as Page
    const token = String(first.nextPageToken)
    expect((await ask(token)).data).toHaveLength(3)
    const mutations = fc.tuple(fc.nat(4), fc.nat(token.length), fc.constantFrom(...ALPHABET))
    let tried = 0
    await fc.assert(
      fc.asyncProperty(mutations, async ([kind, at, letter]) => {
        const hostile = mutate(token, kind, at, letter)
        if (hostile === token) return
        tried++
        const answer = await ask(hostile)
        expect(answer.status).toBe(400)
        expect(answer).toMatchObject(refusal('InvalidPageToken', { pageToken: hostile }))
      }),
      { numRuns: 10_500 },
    )
    expect(tried).toBeGreaterThanOrEqual(10_000)
  }, 120_000)

  it('of any other form are refused too', async () => {
    using mock = new OntologyMockContext()
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (pageToken) => {
        fc.pre(pageToken !== undefined && pageToken !== null)
        const body = JSON.stringify({ pageToken }) ?? ''
        fc.pre(Object.hasOwn(JSON.parse(body) as object, 'pageToken') && JSON.parse(body).pageToken !== null)
        const answer = await mock.fetch('/api/v2/ontologies/acme/objects/Project/search', {
          method: 'POST',
          body,
        })
        expect(answer.status).toBe(400)
      }),
      { numRuns: 300 },
    )
  })
})
