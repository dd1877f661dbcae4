import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { SHIPENGINE_UNSIMULATED } from './unsimulated.ts'

const PACKAGES = join(import.meta.dirname, 'node_modules')

/** A large public API description that an npm package carries. */
export interface Description {
  readonly name: string
  /** Its file, within the package of this folder's node_modules. */
  readonly path: string
  /** How many operations it has in the version that the lock file names. */
  readonly operations: number
  /** Operations that cannot be simulated, `METHOD /path`, each with the reason. */
  readonly unsimulated: Readonly<Record<string, string>>
}

/** The descriptions that every corpus test covers: OpenAPI 3.0 and 3.1 and Swagger 2.0, in JSON and YAML. */
export const DESCRIPTIONS: readonly Description[] = [
  {
    name: 'GitHub (OpenAPI 3.0, JSON)',
    path: '@octokit/openapi/generated/api.github.com.json',
    operations: 1223,
    unsimulated: {},
  },
  {
    name: 'Kubernetes (Swagger 2.0, JSON)',
    path: 'kubernetes-client/lib/specs/swagger-1.13.json.gz',
    operations: 1014,
    unsimulated: {},
  },
  {
    name: 'Okta (Swagger 2.0, YAML)',
    path: '@okta/openapi/dist/spec.yaml',
    operations: 340,
    unsimulated: {},
  },
  {
    name: 'Netlify (Swagger 2.0, JSON)',
    path: '@netlify/open-api/dist/swagger.json',
    operations: 181,
    unsimulated: {},
  },
  {
    name: 'Directus (OpenAPI 3.0, JSON)',
    path: '@directus/specs/dist/openapi.json',
    operations: 136,
    unsimulated: {},
  },
  {
    name: 'Blockfrost (OpenAPI 3.0, YAML)',
    path: '@blockfrost/openapi/openapi.yaml',
    operations: 129,
    unsimulated: {},
  },
  {
    name: 'Rclone (OpenAPI 3.1, YAML)',
    path: 'rclone-openapi/openapi.yaml',
    operations: 101,
    unsimulated: {},
  },
  {
    name: 'ShipEngine (OpenAPI 3.0, JSON)',
    path: 'shipengine-openapi/openapi.json',
    operations: 76,
    unsimulated: SHIPENGINE_UNSIMULATED,
  },
  {
    name: 'Figma (OpenAPI 3.1, YAML)',
    path: '@figma/rest-api-spec/openapi/openapi.yaml',
    operations: 54,
    unsimulated: {},
  },
]

/** GitHub's, which the issue of this corpus speaks of by name. */
export const [GITHUB] = DESCRIPTIONS as readonly [Description]

/** Whether the packages are there: `npm ci` in this folder installs them. */
export function isInstalled(): boolean {
  return DESCRIPTIONS.every(({ path }) => existsSync(join(PACKAGES, path)))
}

/** The description's file, unpacked where its package keeps it compressed. */
export function fileOf({ path }: Pick<Description, 'path'>): string {
  const file = join(PACKAGES, path)
  if (!path.endsWith('.gz')) return file
  const folder = join(PACKAGES, '.cache/sim-corpus')
  const unpacked = join(folder, path.replaceAll('/', '-').slice(0, -'.gz'.length))
  if (!existsSync(unpacked)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(unpacked, gunzipSync(readFileSync(file)))
  }
  return unpacked
}
