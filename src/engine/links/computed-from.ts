import { ModelInvalid } from '../../errors.ts'
import { isObject } from '../schema/schema.ts'
import { defineLink } from './link.ts'

// A function of field values: users write one with the types their fields have.
// eslint-disable-next-line typescript/no-explicit-any
type Compute = (...values: any[]) => unknown

/** A function of sibling fields, which are resolved first, whatever order they are declared in. */
export const ComputedFrom = defineLink('computedFrom', {
  resolve: ({ siblings }, fields: readonly string[], compute: Compute) =>
    compute(...fields.map((field) => (Object.hasOwn(siblings, field) ? siblings[field] : undefined))),
  siblings: (fields: readonly string[], _compute: Compute) => fields,
  toData: (fields: readonly string[], _compute: Compute) => ({ fields }),
  fromData(data): [readonly string[], Compute] {
    if (isObject(data) && isNames(data['fields']) && typeof data['template'] === 'string') {
      return [data['fields'], fillTemplate(data['fields'], data['template'])]
    }
    throw new ModelInvalid('computedFrom takes { fields: [<name>, …], template: "{name} …" }')
  },
})

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

// Only names are substituted; nothing in a template is ever evaluated.
function fillTemplate(fields: readonly string[], template: string): Compute {
  return (...values: unknown[]) =>
    template.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
      const index = fields.indexOf(name)
      return index < 0 ? whole : textOf(values[index])
    })
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
