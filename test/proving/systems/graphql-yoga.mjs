import { join } from 'node:path'
import { Client, fetchExchange, gql } from '@urql/core'
import { persistedExchange } from '@urql/exchange-persisted'
import { startServer } from '../server.ts'

const PROGRAM = join(import.meta.dirname, '../servers/star-wars.mjs')

const READ = 'what is only read is answered as it was, errors of validation and persisted queries by turn'
export const short = { 'held out': READ, checks: READ, 'by rule': READ }

export function start() {
  return startServer(process.execPath, (port) => [PROGRAM, String(port)])
}

const HERO = gql`
  query Hero($episode: Episode) {
    hero(episode: $episode) {
      __typename
      ...Being
      ... on Droid {
        primaryFunction
      }
      ... on Human {
        homePlanet
        height(unit: FOOT)
      }
    }
  }
  fragment Being on Character {
    id
    name
    appearsIn
  }
`
const HUMAN = gql`
  query Human($id: ID!, $unit: LengthUnit = METER, $withShips: Boolean!) {
    human(id: $id) {
      id
      called: name
      height(unit: $unit)
      mass
      friends {
        id
        name
        __typename
      }
      starships @include(if: $withShips) {
        id
        name
        length(unit: $unit)
        coordinates
      }
    }
  }
`
const CHARACTER = gql`
  query Character($id: ID!) {
    character(id: $id) {
      __typename
      id
      name
    }
  }
`
const FRIENDS = gql`
  query Friends($id: ID!, $first: Int, $after: ID) {
    character(id: $id) {
      id
      friendsConnection(first: $first, after: $after) {
        totalCount
        edges {
          cursor
          node {
            id
            name
          }
        }
        pageInfo {
          startCursor
          endCursor
          hasNextPage
        }
      }
    }
  }
`
const SEARCH = gql`
  query Search($text: String) {
    search(text: $text) {
      __typename
      ... on Human {
        id
        name
        height
      }
      ... on Droid {
        id
        name
        primaryFunction
      }
      ... on Starship {
        id
        name
        length
      }
    }
  }
`
const TWO = gql`
  query Two($one: ID!, $other: ID!) {
    one: droid(id: $one) {
      ...Part
    }
    other: droid(id: $other) {
      ...Part
    }
  }
  fragment Part on Droid {
    id
    name
    primaryFunction
  }
`
const SHIP = gql`
  query Ship($id: ID!) {
    starship(id: $id) {
      id
      name
      length
    }
  }
`
const REVIEWS = gql`
  query Reviews($episode: Episode!) {
    reviews(episode: $episode) {
      stars
      commentary
    }
  }
`
const REVIEW = gql`
  mutation Review($episode: Episode!, $review: ReviewInput!) {
    createReview(episode: $episode, review: $review) {
      episode
      stars
      commentary
    }
  }
`
const SCHEMA = gql`
  {
    __schema {
      queryType {
        name
      }
      types {
        kind
        name
      }
    }
  }
`
const TYPE = gql`
  query Type($name: String!) {
    __type(name: $name) {
      kind
      name
      fields {
        name
      }
    }
  }
`

export async function session(base, which, check) {
  const url = `${base}/graphql`
  const client = new Client({ url, exchanges: [fetchExchange], preferGetMethod: false })
  const byGet = new Client({ url, exchanges: [fetchExchange], preferGetMethod: 'force' })
  const persisted = new Client({
    url,
    exchanges: [persistedExchange({ preferGetForPersistedQueries: true }), fetchExchange],
    preferGetMethod: false,
  })
  const query = async (document, variables, from = client) =>
    from.query(document, variables, { requestPolicy: 'network-only' }).toPromise()
  const mutate = (document, variables) => client.mutation(document, variables).toPromise()
  const v =
    which === 'A'
      ? {
          ...{ episodes: ['EMPIRE', 'JEDI'], humans: ['1000', '1001', '1004'], droids: ['2000', '2001'] },
          ...{
            texts: ['an', 'lu', 'x'],
            ships: ['3000', '3001', '3003'],
            no: '9999',
            friends: '1000',
            first: 2,
          },
          ...{ reviewed: 'JEDI', stars: [5, 4, 1], says: 'Great', type: 'Droid' },
        }
      : {
          ...{ episodes: ['NEWHOPE', 'EMPIRE'], humans: ['1002', '1000'], droids: ['2001', '2000'] },
          ...{ texts: ['o', 'le'], ships: ['3001', '3000'], no: '8888', friends: '1003', first: 3 },
          ...{ reviewed: 'EMPIRE', stars: [3, 2], says: 'Dark', type: 'Droid' },
        }
  for (const episode of v.episodes)
    await check(
      'hero',
      () => query(HERO, { episode }),
      ({ data }) =>
        episode === 'EMPIRE'
          ? data.hero.homePlanet === 'Tatooine'
          : data.hero.primaryFunction === 'Astromech',
    )
  for (const id of v.humans)
    await check(
      'human',
      () => query(HUMAN, { id, withShips: false }),
      ({ data: { human } }) =>
        human.id === id && human.called && human.friends.length > 0 && !human.starships,
    )
  await check(
    'human with ships',
    () => query(HUMAN, { id: v.humans[0], withShips: true, unit: 'FOOT' }),
    ({ data: { human } }) => human.height > 5 && human.starships.every(({ length }) => length > 30),
  )
  for (const id of [...v.humans, ...v.droids])
    await check(
      'character',
      () => query(CHARACTER, { id }),
      ({ data: { character } }) =>
        character.id === id && character.__typename === (id < '2000' ? 'Human' : 'Droid'),
    )
  await check(
    'no character',
    () => query(CHARACTER, { id: v.no }),
    ({ data, error }) => data.character === null && error === undefined,
  )
  const page = await check(
    'friends',
    () => query(FRIENDS, { id: v.friends, first: v.first }),
    ({ data }) => data.character.friendsConnection.edges.length === v.first,
  )
  await check(
    'next friends',
    () =>
      query(FRIENDS, {
        ...{ id: v.friends, first: v.first },
        after: page?.data.character.friendsConnection.pageInfo.endCursor,
      }),
    ({ data: { character } }) =>
      character.friendsConnection.edges.length > 0 &&
      character.friendsConnection.edges.every(
        ({ cursor }) => !page.data.character.friendsConnection.edges.some((edge) => edge.cursor === cursor),
      ),
  )
  for (const text of v.texts)
    await check(
      'search',
      () => query(SEARCH, { text }),
      ({ data }) =>
        data.search.length > 0 && data.search.every(({ name }) => name.toLowerCase().includes(text)),
    )
  await check(
    'search for nothing',
    () => query(SEARCH, { text: `${which}zzz` }),
    ({ data }) => data.search.length === 0,
  )
  await check(
    'two by aliases',
    () => query(TWO, { one: v.droids[0], other: v.droids[1] }),
    ({ data: { one, other } }) => one.id === v.droids[0] && other.id === v.droids[1],
  )
  for (const id of v.ships)
    await check(
      'ship by GET',
      () => query(SHIP, { id }, byGet),
      ({ data }) => data.starship.id === id && data.starship.name,
    )
  await check(
    'no reviews',
    () => query(REVIEWS, { episode: v.reviewed }),
    ({ data }) => data.reviews.length === 0,
  )
  for (const stars of v.stars)
    await check(
      'review',
      () => mutate(REVIEW, { episode: v.reviewed, review: { stars, commentary: `${v.says} ${stars}` } }),
      ({ data: { createReview: made } }) =>
        made.stars === stars && made.commentary === `${v.says} ${stars}` && made.episode === v.reviewed,
    )
  await check(
    'reviews',
    () => query(REVIEWS, { episode: v.reviewed }),
    ({ data: { reviews } }) =>
      reviews.length === v.stars.length && reviews.every(({ stars }, at) => stars === v.stars[at]),
  )
  await check(
    'bad review',
    () => mutate(REVIEW, { episode: v.reviewed, review: { commentary: v.says } }),
    ({ error }) => error?.graphQLErrors[0]?.message.includes('stars'),
  )
  await check(
    'bad episode',
    () => query(HERO, { episode: `NO${which}` }),
    ({ error }) => error?.graphQLErrors.length === 1,
  )
  await check(
    'unknown field',
    () => query(`{ hero { name power${which} } }`, {}),
    ({ error }) => error?.graphQLErrors[0]?.message.includes(`power${which}`),
  )
  await check(
    'no syntax',
    () =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{ hero {"}',
      }).then((r) => r.json()),
    ({ errors }) => errors[0].locations.length === 1,
  )
  await check(
    'schema',
    () => query(SCHEMA, {}),
    ({ data }) => data.__schema.types.some(({ name }) => name === 'SearchResult'),
  )
  await check(
    'type',
    () => query(TYPE, { name: v.type }),
    ({ data }) => data.__type.fields.some(({ name }) => name === 'primaryFunction'),
  )
  for (const id of v.droids)
    await check(
      'persisted',
      () => query(CHARACTER, { id }, persisted),
      ({ data }) => data.character.id === id,
    )
}
