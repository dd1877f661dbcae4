import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { listenHere } from '../server.ts'

// All that reads a schema must have the same copy of GraphQL.
const require = createRequire(import.meta.url)
const { GraphQLError } = require('graphql')
const { createSchema, createYoga } = require('graphql-yoga')
const { connectionFromArray, fromGlobalId, toGlobalId } = require('graphql-relay')

const SCHEMA = `
  interface Node { id: ID! }
  type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  type Artist implements Node { id: ID! name: String! country: String! albums(first: Int, after: String): Albums! }
  type Album implements Node { id: ID! title: String! year: Int artist: Artist! tracks(first: Int, after: String): Tracks! }
  type Track implements Node { id: ID! name: String! seconds: Int! }
  type AlbumEdge { cursor: String! node: Album! }
  type Albums { totalCount: Int! edges: [AlbumEdge!]! pageInfo: PageInfo! }
  type TrackEdge { cursor: String! node: Track! }
  type Tracks { edges: [TrackEdge!]! pageInfo: PageInfo! }
  input AddAlbumInput { title: String! year: Int artistId: ID! clientMutationId: String }
  input RenameAlbumInput { id: ID! title: String! clientMutationId: String }
  input RemoveAlbumInput { id: ID! clientMutationId: String }
  type AddAlbum { clientMutationId: String albumEdge: AlbumEdge! artist: Artist! }
  type RenameAlbum { clientMutationId: String album: Album! }
  type RemoveAlbum { clientMutationId: String deletedAlbumId: ID! }
  type Query { node(id: ID!): Node album(id: ID!): Album albums(first: Int, after: String, year: Int): Albums! }
  type Mutation {
    addAlbum(input: AddAlbumInput!): AddAlbum
    renameAlbum(input: RenameAlbumInput!): RenameAlbum
    removeAlbum(input: RemoveAlbumInput!): RemoveAlbum
  }
`

function resolversOf() {
  const artists = ['Nova Reed', 'Old Mill', 'Kite'].map((name, at) => ({
    ...{ type: 'Artist', id: at + 1, name, country: at === 1 ? 'UK' : 'SE' },
  }))
  const albums = ['First Light', 'Second Wind', 'Mill Race', 'Grist', 'String', 'Tail', 'Bridle'].map(
    (title, at) => ({ type: 'Album', id: at + 1, title, year: 1990 + at * 3, by: Math.min(at >> 1, 2) + 1 }),
  )
  const tracks = albums.flatMap(({ id, title }) =>
    ['Intro', 'Middle', 'End'].map((part, at) => ({
      ...{ type: 'Track', id: id * 3 + at - 2, name: `${part} of ${title}`, seconds: 90 + id * at, on: id },
    })),
  )
  const stored = { Artist: artists, Album: albums, Track: tracks }
  let made = albums.length
  const find = (globalId) => {
    const { type, id } = fromGlobalId(globalId)
    return stored[type]?.find((each) => String(each.id) === id) ?? null
  }
  const existing = (globalId) => {
    const found = find(globalId)
    if (found === null)
      throw new GraphQLError(`There is no ${globalId}`, { extensions: { code: 'NOT_FOUND' } })
    return found
  }
  const connection = (all, args) => ({ ...connectionFromArray(all, args), totalCount: all.length })
  const id = ({ type, id: own }) => toGlobalId(type, own)
  return {
    Node: { __resolveType: ({ type }) => type },
    Query: {
      node: (_root, args) => find(args.id),
      album: (_root, args) => find(args.id),
      albums: (_root, { year, ...args }) =>
        connection(
          albums.filter((each) => year === undefined || each.year === year),
          args,
        ),
    },
    Mutation: {
      addAlbum(_root, { input: { title, year = null, artistId, clientMutationId } }) {
        const artist = existing(artistId)
        const album = { type: 'Album', id: ++made, title, year, by: artist.id }
        albums.push(album)
        const { edges } = connectionFromArray(albums, {})
        return { clientMutationId, artist, albumEdge: edges.at(-1) }
      },
      renameAlbum(_root, { input }) {
        const album = existing(input.id)
        album.title = input.title
        return { ...input, album }
      },
      removeAlbum(_root, { input }) {
        albums.splice(albums.indexOf(existing(input.id)), 1)
        return { ...input, deletedAlbumId: input.id }
      },
    },
    Artist: {
      id,
      albums: ({ id: own }, args) =>
        connection(
          albums.filter(({ by }) => by === own),
          args,
        ),
    },
    Album: {
      id,
      artist: ({ by }) => artists.find((each) => each.id === by),
      tracks: ({ id: own }, args) =>
        connection(
          tracks.filter(({ on }) => on === own),
          args,
        ),
    },
    Track: { id },
  }
}

/** A server as GraphQL Yoga and the helpers of Relay make it, of which only what it stores is of here. */
export function startGraphQlRelay() {
  const schema = createSchema({ typeDefs: SCHEMA, resolvers: resolversOf() })
  const yoga = createYoga({ schema, logging: false })
  return listenHere(createServer((request, response) => void yoga(request, response)))
}
