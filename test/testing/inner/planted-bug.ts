import { SimAPI } from '../../../src/api.ts'
import { ComputedFrom } from '../../../src/engine/links/computed-from.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { simPropertyTests } from '../../../src/testing/index.ts'

const Input = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const Label = {
  type: 'object',
  title: 'Label',
  required: ['name', 'label'],
  properties: {
    name: { type: 'string', ...FromInput('name') },
    label: { type: 'string', minLength: 3, ...ComputedFrom(['name'], (name: string) => `${name}!`) },
  },
}
const api = new SimAPI({ seed: 1 })
api.get('/fine', { output: Label.properties.name })
api.get('/labels', { input: Input, output: Label })

await simPropertyTests({ app: () => api, seed: 5 })
