import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as testing from '../../src/testing/index.ts'
import * as propertyTesting from '../../src/testing/property-testing.ts'

const FOLDER = resolve(import.meta.dirname, '../../src/testing')

/** The packages that a file imports, directly or through files of the same folder. */
async function packagesOf(file: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(file)) return new Set()
  seen.add(file)
  const packages = new Set<string>()
  for (const [, specifier = ''] of (await readFile(file, 'utf8')).matchAll(/from '([^']+)'/g)) {
    const next = resolve(file, '..', specifier)
    if (!specifier.startsWith('.')) packages.add(specifier)
    else if (next.startsWith(FOLDER)) for (const each of await packagesOf(next, seen)) packages.add(each)
  }
  return packages
}

describe('the entries of the package', () => {
  it('export what they promise', () => {
    expect(Object.keys(testing).toSorted()).toEqual(['createClient', 'simPropertyTests', 'simTest'])
    expect(Object.keys(propertyTesting).toSorted()).toEqual([
      'EndpointFailed',
      'strategyForInputModel',
      'testEndpoint',
    ])
  })

  it('need vitest only where it runs the tests', async () => {
    expect(await packagesOf(resolve(FOLDER, 'index.ts'))).toContain('vitest')
    const packages = await packagesOf(resolve(FOLDER, 'property-testing.ts'))
    expect(packages).toContain('fast-check')
    expect(packages).not.toContain('vitest')
  })
})
