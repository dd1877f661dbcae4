import { createRequire } from 'node:module'
import { gql, GraphQLClient } from 'graphql-request'
import { startGraphQlRelay } from '../servers/graphql-relay.mjs'

const { toGlobalId } = createRequire(import.meta.url)('graphql-relay')

export const start = startGraphQlRelay

const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
const ALBUMS = gql`
  query Albums($first: Int, $after: String, $year: Int) {
    albums(first: $first, after: $after, year: $year) {
      totalCount edges { cursor node { id title year artist { id name } } } ${PAGE_INFO}
    }
  }`
const NODE = gql`
  query Node($id: ID!) {
    node(id: $id) {
      __typename
      id
      ... on Album {
        title
        year
      }
      ... on Artist {
        name
        country
      }
    }
  }
`
const ALBUM = gql`
  query Album($id: ID!) {
    album(id: $id) { id title artist { id name } tracks(first: 2) { edges { node { id name seconds } } ${PAGE_INFO} } }
  }`
const ARTIST = gql`
  query Artist($id: ID!, $count: Int) {
    node(id: $id) {
      ... on Artist {
        id
        name
        albums(first: $count) {
          totalCount
          edges {
            node {
              id
              title
            }
          }
        }
      }
    }
  }
`
const ADD = gql`
  mutation Add($input: AddAlbumInput!) {
    addAlbum(input: $input) {
      clientMutationId
      albumEdge {
        cursor
        node {
          id
          title
          year
          artist {
            id
            name
          }
        }
      }
      artist {
        id
        name
      }
    }
  }
`
const RENAME = gql`
  mutation Rename($input: RenameAlbumInput!) {
    renameAlbum(input: $input) {
      album {
        id
        title
      }
    }
  }
`
const REMOVE = gql`
  mutation Remove($input: RemoveAlbumInput!) {
    removeAlbum(input: $input) {
      deletedAlbumId
      clientMutationId
    }
  }
`

const VALUES = {
  A: { albums: [1, 2, 5], artists: [1, 2, 3], size: 3, titles: ['Third Rail', 'Wall'], artist: 1, none: 88 },
  B: { albums: [3, 6, 1], artists: [3, 1], size: 2, titles: ['Flour', 'Millstone'], artist: 2, none: 77 },
}

export async function session(base, which, check) {
  const { albums, artists, size, titles, artist, none } = VALUES[which]
  const client = new GraphQLClient(`${base}/graphql`)
  const send = (query, variables) => client.request(query, variables)
  const album = (number) => toGlobalId('Album', number)
  const isNotFound = (_answer, error) => error?.response?.errors?.[0]?.extensions?.code === 'NOT_FOUND'
  const list = (count) => (answer) =>
    answer.albums.edges.length === count && answer.albums.totalCount === count

  await check('albums', () => send(ALBUMS), list(7))
  let after
  for (let page = 0; page * size < 7; page++) {
    const { albums: found } =
      (await check(
        'page',
        () => send(ALBUMS, { first: size, after }),
        ({ albums: { edges, pageInfo } }) =>
          edges[0].node.id === album(page * size + 1) && pageInfo.hasNextPage === (page + 1) * size < 7,
      )) ?? {}
    after = found?.pageInfo.endCursor
  }
  await check('by year', () => send(ALBUMS, { year: 1987 + albums[1] * 3 }), list(1))
  for (const number of albums)
    await check(
      'node',
      () => send(NODE, { id: album(number) }),
      ({ node }) => node.__typename === 'Album' && node.year === 1987 + number * 3,
    )
  for (const number of albums)
    await check(
      'album',
      () => send(ALBUM, { id: album(number) }),
      ({ album: { id, tracks } }) => id === album(number) && tracks.edges.length === 2,
    )
  for (const number of artists) {
    const id = toGlobalId('Artist', number)
    await check(
      'node',
      () => send(NODE, { id }),
      ({ node }) => node.id === id && node.name !== undefined,
    )
    await check(
      'artist',
      () => send(ARTIST, { id, count: 2 }),
      ({ node }) => node.albums.edges.length === 2,
    )
  }
  await check(
    'no node',
    () => send(NODE, { id: album(none) }),
    ({ node }) => node === null,
  )
  const artistId = toGlobalId('Artist', artist)
  const made = []
  for (const title of titles) {
    const added = await check(
      'add',
      () => send(ADD, { input: { title, year: 2020, artistId, clientMutationId: title } }),
      ({ addAlbum }) =>
        addAlbum.albumEdge.node.title === title &&
        addAlbum.artist.id === artistId &&
        addAlbum.clientMutationId === title,
    )
    made.push(added?.addAlbum.albumEdge.node.id)
  }
  await check(
    'add for none',
    () => send(ADD, { input: { title: 'No', artistId: toGlobalId('Artist', none) } }),
    isNotFound,
  )
  await check(
    'artist',
    () => send(ARTIST, { id: artistId, count: 9 }),
    ({ node }) => node.albums.totalCount === 4,
  )
  const renamed = { id: made[1], title: `${titles[1]}!` }
  await check(
    'rename',
    () => send(RENAME, { input: renamed }),
    ({ renameAlbum }) => renameAlbum.album.title === renamed.title,
  )
  await check(
    'node',
    () => send(NODE, { id: made[1] }),
    ({ node }) => node.title === renamed.title,
  )
  const input = { id: made[0], clientMutationId: 'gone' }
  await check(
    'remove',
    () => send(REMOVE, { input }),
    ({ removeAlbum }) => removeAlbum.deletedAlbumId === made[0],
  )
  await check(
    'no node',
    () => send(NODE, { id: made[0] }),
    ({ node }) => node === null,
  )
  await check('remove none', () => send(REMOVE, { input: { id: album(none) } }), isNotFound)
  await check('albums', () => send(ALBUMS, { first: 20 }), list(8))
  await check(
    'no field',
    () => send(`{ albums { edges { node { ${which === 'A' ? 'name' : 'size'} } } } }`),
    (_answer, error) => error?.response?.status === 400,
  )
}
