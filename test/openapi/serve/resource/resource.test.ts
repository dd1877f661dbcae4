import { describe, expect, it } from 'vitest'
import { list } from '../../../../src/engine/schema/list.ts'
import { resourceOf } from '../../../../src/openapi/serve/resource/resource.ts'
import { createRoute, type RouteDefinition } from '../../../../src/engine/route.ts'
import { described, header, json, response } from '../describing.ts'

const Pet = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
}
const Pets = { type: 'array', items: Pet }
const Anything = { type: 'object', properties: { colour: { type: 'string' } } }

function found(...routes: readonly RouteDefinition[]) {
  const [first] = routes
  return first && resourceOf(first, routes)
}

describe('resourceOf', () => {
  it('finds what can be created and read', () => {
    const routes = [
      described('GET', '/pets', [json(200, Pets)]),
      described('POST', '/pets', [json(201, Pet)]),
      described('GET', '/pets/{petId}', [json(200, Pet)]),
    ]
    const [resource] = routes.map((route) => resourceOf(route, routes))
    expect(resource).toMatchObject({
      template: '/pets',
      parameter: 'petId',
      idField: 'id',
      idSchema: { type: 'integer' },
      isPostedTo: true,
      isListed: true,
    })
    expect(routes.every((route) => resourceOf(route, routes) === resource)).toBe(true)
  })

  it.for([
    [
      'items that are only read',
      [described('GET', '/pets/{id}', [json(200, Pet)]), described('GET', '/pets', [json(200, Pets)])],
    ],
    [
      'a list that only grows',
      [described('GET', '/pets', [json(200, Pets)]), described('POST', '/pets', [json(201, Pet)])],
    ],
    [
      'items that nothing reads',
      [described('POST', '/pets', [json(201, Pet)]), described('DELETE', '/pets/{id}', [response(204)])],
    ],
    [
      'a path that ends in a parameter and answers a list',
      [described('GET', '/by/{city}', [json(200, Pets)]), described('POST', '/by', [json(201, Pet)])],
    ],
    [
      'items whose id nothing tells',
      [
        described('POST', '/pets', [json(201, Anything)]),
        described('GET', '/pets/{id}', [json(200, Anything)]),
      ],
    ],
    [
      'a POST that answers a list',
      [described('POST', '/pets', [json(200, Pets)]), described('GET', '/pets/{id}', [json(200, Pet)])],
    ],
  ] as const)('leaves %s alone', ([, routes]) => {
    expect(found(...routes)).toBeUndefined()
  })

  it('takes an id that a header tells, or the path of a PUT', () => {
    const post = described('POST', '/pets', [response(201, {}, [header('location')])])
    const get = described('GET', '/pets/{id}', [json(200, Anything)])
    expect(found(post, get)).toMatchObject({ idField: undefined, idSchema: true, isPostedTo: true })
    expect(found(described('PUT', '/pets/{id}', [json(200, Anything)]), get)).toMatchObject({
      isPostedTo: false,
    })
  })

  it('knows items by what declared routes beside it answer', () => {
    const post = createRoute('POST', '/pets', { output: Pet })
    const classic = createRoute('GET', '/pets', { output: list(Pet) })
    expect(found(described('GET', '/pets/{id}', [json(200, Pet)]), post, classic)?.isListed).toBe(true)
  })
})
