import { ApiError, invalidArgument } from '../errors.ts'
import type { OntologyObject } from '../ontology/model.ts'
import { type Field, identifiedField } from '../ontology/scope.ts'
import { isRecord } from '../values/value.ts'
import { inOrder, type SetKind } from './object-set.ts'

const MAX = 500

type Vector = readonly number[]

const isVector = (value: unknown): value is Vector =>
  Array.isArray(value) && value.every((part) => typeof part === 'number')

const dot = (left: Vector, right: Vector): number =>
  left.reduce((sum, part, index) => sum + part * (right[index] ?? 0), 0)

/** How far two vectors point the same way, from -1 to 1. */
const cosine = (left: Vector, right: Vector): number => {
  const length = Math.sqrt(dot(left, left) * dot(right, right))
  return length === 0 ? 0 : dot(left, right) / length
}

const vectorOf = (query: unknown, { type }: Field): Vector => {
  const { type: kind, value } = isRecord(query) ? query : {}
  if (kind === 'text')
    throw new ApiError('UnsupportedObjectSet', {}, 'there is no model here that makes vectors of texts')
  if (kind !== 'vector' || !isVector(value))
    throw invalidArgument('`query` is a `vector` with its `value`, a list of numbers')
  const { dimension = value.length } = type
  if (dimension !== value.length) {
    throw new ApiError('InvalidVectorDimension', { expectedSize: dimension, providedSize: value.length })
  }
  return value
}

const countOf = (numNeighbors: unknown): number => {
  if (
    typeof numNeighbors !== 'number' ||
    !Number.isInteger(numNeighbors) ||
    numNeighbors < 1 ||
    numNeighbors > MAX
  ) {
    throw new ApiError('TooManyNearestNeighborsRequested', {
      requestedNumNeighbors: numNeighbors,
      maxNumNeighbors: MAX,
    })
  }
  return numNeighbors
}

const leastOf = (similarityThreshold: unknown): number => {
  if (similarityThreshold === undefined || similarityThreshold === null) return -1
  if (typeof similarityThreshold !== 'number' || similarityThreshold < 0 || similarityThreshold > 1) {
    throw new ApiError('SimilarityThresholdOutOfRange', { providedThreshold: similarityThreshold })
  }
  return similarityThreshold
}

/** The kind that keeps the objects whose vectors are most like a given one. */
export const NEAREST: Readonly<Record<string, SetKind>> = {
  nearestNeighbors: (definition, _, inner) => {
    const set = inner(definition['objectSet'])
    const field = identifiedField(set.scope, definition['propertyIdentifier'])
    if (field.type.type !== 'vector') throw new ApiError('PropertyTypeDoesNotSupportNearestNeighbors')
    const wanted = vectorOf(definition['query'], field)
    const count = countOf(definition['numNeighbors'])
    const least = leastOf(definition['similarityThreshold'])
    const nearest = set.objects
      .flatMap((object): (readonly [OntologyObject, number])[] => {
        const vector = field.read(object)
        return isVector(vector) ? [[object, cosine(vector, wanted)]] : []
      })
      .filter(([, score]) => score >= least)
      .toSorted(([, left], [, right]) => right - left)
      .slice(0, count)
    const scores = new Map(nearest)
    const score: Field = { name: 'score', type: { type: 'double' }, read: (object) => scores.get(object) }
    return { ...set, scope: { ...set.scope, score }, objects: inOrder(scores.keys()) }
  },
}
