import { describe, expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { cursorOf, findCursorForm, placeAfter } from '../../../src/recording/calls/page-cursors.ts'
import { graphql } from '../../../src/recording/protocols/graphql.ts'
import { samplesOf } from '../inference/samples.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const global = (type: string, id: number): string => base64(`${type}:${id}`)
const cursor = (place: number): string => base64(`offset:${place}`)

interface Song {
  readonly id: string
  readonly name: string
}
const songs = ['Alder', 'Birch', 'Cedar', 'Dogwood'].map((name, at): Song => ({
  id: global('Song', at + 1),
  name,
}))
const [alder, birch, cedar, dogwood] = songs as [Song, Song, Song, Song]
const connection = (all: readonly object[], start = 0, hasNextPage = false): object => ({
  edges: all.map((node, at) => ({ cursor: cursor(start + at), node })),
  pageInfo: { hasNextPage, endCursor: all.length === 0 ? null : cursor(start + all.length - 1) },
})
const PAGE = 'pageInfo { hasNextPage endCursor }'
const SONGS = `query($first: Int, $after: String) { songs(first: $first, after: $after) { edges { cursor node { id name } } ${PAGE} } }`
const BAND = `query($id: ID!, $first: Int) { node(id: $id) { ... on Band { id town songs(first: $first) { edges { cursor node { id name } } ${PAGE} } } } }`
const NODE = 'query($id: ID!) { node(id: $id) { id ... on Song { name } ... on Band { town } } }'
const ADD =
  'mutation($in: AddSongInput!) { addSong(input: $in) { songEdge { node { id name } } band { id town } } }'
const [elm, fir] = [
  { id: global('Band', 1), town: 'Elm' },
  { id: global('Band', 2), town: 'Fir' },
]

type Answered = [request: string, exchange: object]

const answered = (query: string, variables: object, data: object): Answered => [
  'POST /',
  { body: { query, variables }, response: { data } },
]

const recorded: readonly Answered[] = [
  answered(SONGS, {}, { songs: connection(songs) }),
  answered(SONGS, { first: 3 }, { songs: connection(songs.slice(0, 3), 0, true) }),
  answered(BAND, { id: elm.id, first: 5 }, { node: { ...elm, songs: connection([alder, birch]) } }),
  answered(BAND, { id: fir.id, first: 1 }, { node: { ...fir, songs: connection([cedar], 0, true) } }),
  answered(BAND, { id: fir.id, first: 5 }, { node: { ...fir, songs: connection([cedar, dogwood]) } }),
  answered(NODE, { id: alder.id }, { node: alder }),
  answered(NODE, { id: elm.id }, { node: elm }),
  answered(NODE, { id: global('Song', 99) }, { node: null }),
  answered(
    ADD,
    { in: { name: 'Elder', bandId: elm.id } },
    { addSong: { songEdge: { node: { id: global('Song', 5), name: 'Elder' } }, band: elm } },
  ),
  answered(
    ADD,
    { in: { name: 'Fig', bandId: fir.id } },
    { addSong: { songEdge: { node: { id: global('Song', 6), name: 'Fig' } }, band: fir } },
  ),
  answered(
    BAND,
    { id: elm.id, first: 9 },
    { node: { ...elm, songs: connection([alder, birch, { id: global('Song', 5), name: 'Elder' }]) } },
  ),
]

function serverOf(...exchanges: readonly Answered[]): (query: string, variables?: object) => unknown {
  const samples = samplesOf(...exchanges)
  const model = inferCalls(samples, graphql)
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  return (query, variables = {}) => {
    const body = { query, variables }
    const answer = answerCalls(model, all, { headers: {}, query: {}, body }, { seed: '', now: 0 })
    return (answer?.body as { data?: unknown } | undefined)?.data
  }
}

describe('connections', () => {
  it('are paged by the tokens that the server makes, of any size', () => {
    const answer = serverOf(...recorded)
    expect(answer(SONGS, { first: 2 })).toEqual({ songs: connection([alder, birch], 0, true) })
    expect(answer(SONGS, { first: 2, after: cursor(1) })).toEqual({ songs: connection([cedar, dogwood], 2) })
  })

  it('of an object have what belongs to it, and what was made for it', () => {
    const answer = serverOf(...recorded)
    expect(answer(BAND, { id: elm.id, first: 1 })).toEqual({
      node: { ...elm, songs: connection([alder], 0, true) },
    })
    const made = { id: global('Song', 5), name: 'Gum' }
    expect(answer(ADD, { in: { name: 'Gum', bandId: fir.id } })).toEqual({
      addSong: { songEdge: { node: made }, band: fir },
    })
    expect(answer(BAND, { id: fir.id, first: 9 })).toEqual({
      node: { ...fir, songs: connection([cedar, dogwood, made]) },
    })
  })

  it('have objects that are found by their global ids, whatever their type', () => {
    const answer = serverOf(...recorded)
    expect(answer(NODE, { id: dogwood.id })).toEqual({ node: dogwood })
    expect(answer(NODE, { id: fir.id })).toEqual({ node: fir })
    expect(answer(NODE, { id: global('Song', 77) })).toEqual({ node: null })
  })
})

it('shows objects as nodes and as edges, and whether there are others before', () => {
  const BOTH =
    'query($n: Int, $after: String) { birds(first: $n, after: $after) { edges { cursor node { id name } } pageInfo { hasPreviousPage endCursor } } }'
  const NODES = '{ birds { totalCount nodes { id name } } }'
  const birds = ['Jay', 'Owl', 'Tit'].map((name, at) => ({ id: `bird-${at + 1}`, name }))
  const page = (start: number, end: number): object => ({
    birds: {
      edges: birds.slice(start, end).map((node) => ({ cursor: base64(node.id), node })),
      pageInfo: { hasPreviousPage: start > 0, endCursor: base64(birds[end - 1]?.id ?? '') },
    },
  })
  const answer = serverOf(
    answered(NODES, {}, { birds: { totalCount: 3, nodes: birds } }),
    answered(BOTH, { n: 1 }, page(0, 1)),
    answered(BOTH, { n: 1, after: base64('bird-1') }, page(1, 2)),
  )
  expect(answer(BOTH, { n: 2, after: base64('bird-1') })).toEqual(page(1, 3))
  expect(answer(BOTH, { n: 2 })).toEqual(page(0, 2))
  expect(answer(NODES)).toEqual({ birds: { totalCount: 3, nodes: birds } })
})

describe('tokens of items', () => {
  it.each([
    ['their places', ['b2Zmc2V0OjA=', 'b2Zmc2V0OjE='], 'b2Zmc2V0OjI='],
    ['their places from 1', ['1', '2'], '3'],
    ['their ids', ['cur-k1', 'cur-k2'], 'cur-k3'],
  ])('may be made of %s', (_what, tokens, next) => {
    const form = findCursorForm(tokens.map((token, index) => ({ token, index, id: `k${index + 1}` })))
    if (form === undefined) throw new Error('No form was found')
    expect(cursorOf(form, 2, 'k3')).toBe(next)
    expect(placeAfter(form, next, ['k1', 'k2', 'k3', 'k4'])).toBe(3)
  })

  it('are not known where they are made of something else', () => {
    const seen = ['Zm9v', 'YmFy'].map((token, index) => ({ token, index, id: index + 1 }))
    expect(findCursorForm(seen)).toBeUndefined()
  })
})
