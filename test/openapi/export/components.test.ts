import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import type { Schema, SchemaOrBoolean } from '../../../src/engine/schema/schema.ts'
import { ModelInvalid } from '../../../src/errors.ts'
import {
  createComponents,
  type Components,
  createModelComparison,
} from '../../../src/openapi/export/components.ts'
import { createScope, type Located } from '../../../src/openapi/export/scope.ts'
import { schema } from '../documents.ts'
import { list, PageSlice, PaginatedResponse } from '../../../src/engine/schema/list.ts'

const use = (components: Components, schema: Schema): SchemaOrBoolean =>
  components.use(schema, createScope(schema))
const refer = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

describe('createComponents', () => {
  it('refers to a model with a title and keeps one without in place', () => {
    const components = createComponents()
    expect(use(components, { title: 'User', type: 'object' })).toEqual(refer('User'))
    expect(use(components, { type: 'object' })).toEqual({ type: 'object' })
    expect(components.schemas()).toEqual({ User: { title: 'User', type: 'object' } })
  })

  it('gives equal models one name and different ones two', () => {
    const components = createComponents()
    expect(use(components, { title: 'User', type: 'object' })).toEqual(refer('User'))
    expect(use(components, { type: 'object', title: 'User' })).toEqual(refer('User'))
    expect(use(components, { title: 'User', type: 'object', required: ['id'] })).toEqual(refer('User2'))
    expect(use(components, { title: 'User', type: 'object', required: ['name'] })).toEqual(refer('User3'))
    expect(use(components, { title: 'User', type: 'object', required: ['id'] })).toEqual(refer('User2'))
    expect(Object.keys(components.schemas())).toEqual(['User', 'User2', 'User3'])
  })

  it('goes past a number that a title has already', () => {
    const components = createComponents()
    use(components, { title: 'User2', type: 'object' })
    use(components, { title: 'User', type: 'object' })
    expect(use(components, { title: 'User', enum: ['a'] })).toEqual(refer('User3'))
  })

  it('gives TypeBox models that contain themselves a place of their own, once', () => {
    const Node = () =>
      Type.Cyclic(
        {
          Node: Type.Object({ next: Type.Optional(Type.Ref('Node')), leaf: Type.Ref('Leaf') }),
          Leaf: Type.String(),
        },
        'Node',
      )
    const components = createComponents()
    expect(use(components, schema(Node()))).toEqual(refer('Node'))
    expect(use(components, { type: 'array', items: Node() })).toEqual({ type: 'array', items: refer('Node') })
    expect(components.schemas()).toEqual({
      Node: { type: 'object', required: ['leaf'], properties: { next: refer('Node'), leaf: refer('Leaf') } },
      Leaf: { type: 'string' },
    })
  })

  it('names what a pointer or an anchor refers to after its title or its last part', () => {
    const components = createComponents()
    const schema = {
      properties: {
        a: { $ref: '#/$defs/Address' },
        b: { $ref: '#here' },
        c: { $ref: '#/$defs/x' },
        d: { $ref: '#' },
      },
      $defs: {
        Address: { type: 'object' },
        H: { $anchor: 'here', type: 'null' },
        x: { title: 'Xyz', type: 'string' },
      },
    }
    const properties = { a: refer('Address'), b: refer('here'), c: refer('Xyz'), d: refer('Model') }
    expect(use(components, schema)).toEqual({ properties })
    expect(components.schemas()['Model']).toEqual({ properties })
  })

  it.for([
    ['https://example.com/schemas/user.schema.json', 'user'],
    ['urn:thing:1', 'urn_thing_1'],
    ['Page<User>', 'Page_User'],
    ['User profile', 'User_profile'],
    ['__proto__', 'proto'],
    ['Пользователь', 'Model'],
    ['v1.User-x_y', 'v1.User-x_y'],
  ])('makes of %s the name %s', ([$id, name]) => {
    expect(use(createComponents(), { $id, type: 'object' })).toEqual(refer(String(name)))
  })

  it('reserves the names of models, and holds those that are used', () => {
    const reserved = { title: 'Error', type: 'object', required: ['detail'] }
    const components = createComponents([reserved])
    expect(use(components, { title: 'Error', type: 'object' })).toEqual(refer('Error2'))
    expect(Object.keys(components.schemas())).toEqual(['Error2'])
    expect(use(components, { ...reserved })).toEqual(refer('Error'))
    expect(components.schemas()['Error']).toEqual(reserved)
  })

  it('refuses a reference to what is not there', () => {
    expect(() => use(createComponents(), { $ref: '#/$defs/None' })).toThrow(ModelInvalid)
  })

  it('names the circle of models that a thousand routes share in little time', () => {
    const names = Array.from({ length: 100 }, (_, index) => `M${index}`)
    const definitions = () =>
      Object.fromEntries(
        names.map((name, index) => [
          name,
          {
            type: 'object',
            properties: { a: { $ref: `#/$defs/M${(index + 1) % 100}` }, b: { $ref: '#/$defs/M0' } },
          },
        ]),
      )
    const shared = definitions()
    const components = createComponents()
    const started = performance.now()
    for (let route = 0; route < 1000; route++)
      use(components, { $defs: shared, $ref: `#/$defs/M${route % 100}` })
    for (let route = 0; route < 100; route++) use(components, { $defs: definitions(), $ref: '#/$defs/M7' })
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(Object.keys(components.schemas())).toHaveLength(100)
  })
})

const at = (schema: Schema): Located => createScope(schema).at(schema)
const isSame = (a: Schema, b: Schema): boolean => createModelComparison()(at(a), at(b)) !== undefined
const tree = (value: Schema): Schema => ({
  $defs: { Tree: { properties: { value, below: { items: { $ref: '#/$defs/Tree' } } } } },
  $ref: '#/$defs/Tree',
})

describe('createModelComparison', () => {
  it('takes no notice of the order of keys, nor of definitions nobody refers to', () => {
    expect(isSame({ type: 'string', maxLength: 3 }, { maxLength: 3, type: 'string', $defs: { A: {} } })).toBe(
      true,
    )
    expect(isSame({ type: 'string' }, { type: 'integer' })).toBe(false)
  })

  it('sees through references and models with a name', () => {
    const user = { title: 'User', type: 'object' }
    const inline = { properties: { user } }
    expect(isSame(inline, { properties: { user: { $ref: '#/$defs/U' } }, $defs: { U: user } })).toBe(true)
    expect(isSame(inline, { properties: { user: { ...user, required: ['a'] } } })).toBe(false)
  })

  it('compares models that contain themselves', () => {
    expect(isSame(tree({ type: 'string' }), tree({ type: 'string' }))).toBe(true)
    expect(isSame(tree({ type: 'string' }), tree({ type: 'integer' }))).toBe(false)
  })

  it('takes a circle of two equal models for the same as a circle of one', () => {
    const two = {
      $defs: { A: { items: { $ref: '#/$defs/B' } }, B: { items: { $ref: '#/$defs/A' } } },
      $ref: '#/$defs/A',
    }
    const one = { $defs: { A: { items: { $ref: '#/$defs/A' } } }, $ref: '#/$defs/A' }
    expect(isSame(one, two)).toBe(true)
    expect(isSame(two, one)).toBe(true)
  })

  it('gives all pairs it met', () => {
    const [a, b] = [at(tree({ type: 'string' })), at(tree({ type: 'string' }))]
    const pairs = createModelComparison()(a, b)
    expect(pairs).toEqual([
      [a, b],
      [a.scope.find('#/$defs/Tree'), b.scope.find('#/$defs/Tree')],
    ])
  })
})

const Text = { type: 'string' }

describe('createScope', () => {
  it('finds what pointers, anchors and ids name', () => {
    const root = { $id: 'Root', $defs: { A: Text, B: { $anchor: 'b' }, C: { $id: 'C' } } }
    const scope = createScope(root)
    expect(scope.find('#').schema).toBe(root)
    expect(scope.find('Root').schema).toBe(root)
    expect(scope.find('#/$defs/A').schema).toBe(Text)
    expect(scope.find('#b').schema).toBe(root.$defs.B)
    expect(scope.find('C').schema).toBe(root.$defs.C)
  })

  it('gives the same object for the same schema, whatever way it is found', () => {
    const node = { $id: 'Node', properties: { next: { $ref: 'Node' } } }
    const scope = createScope({ $defs: { node }, $ref: 'Node' })
    const located = scope.find('Node')
    expect(scope.find('#/$defs/node')).toBe(located)
    expect(scope.at(node)).toBe(located)
    expect(located.scope.find('Node')).toBe(located)
    expect(located.scope.find('#')).toBe(located)
  })

  it('takes a schema with an id for the document of its own references, and asks around it for others', () => {
    const inner = { $id: 'Inner', $defs: { A: Text }, properties: { a: { $ref: '#/$defs/A' } } }
    const scope = createScope({ $defs: { B: { type: 'null' } }, properties: { inner } })
    const located = scope.at(inner)
    expect(located.scope.find('#/$defs/A').schema).toBe(Text)
    expect(located.scope.find('#/$defs/B').schema).toEqual({ type: 'null' })
    expect(() => located.scope.find('#/$defs/C')).toThrow(ModelInvalid)
  })

  it.for([
    ['list', (model: Schema): Schema => list(model)],
    ['PaginatedResponse', PaginatedResponse],
    ['PageSlice', PageSlice],
  ] as const)('lets the item of %s mean itself by its references', ([, wrap]) => {
    const item = { $defs: { A: Text }, properties: { a: { $ref: '#/$defs/A' }, again: { $ref: '#' } } }
    const { scope } = createScope(wrap(item)).at(item)
    expect(scope.find('#').schema).toBe(item)
    expect(scope.find('#/$defs/A').schema).toBe(Text)
  })

  it('copes with a list that says nothing of its items', () => {
    const root = { type: 'array' }
    expect(createScope(root).at(root).schema).toBe(root)
  })
})
