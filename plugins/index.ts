import type { PolicyOptions } from '../src/engine/route-options.ts'
import type { Option } from '../src/pipeline/option.ts'
import type { Plugin } from '../src/pipeline/route.ts'
import { auth } from './auth.ts'
import { contract } from './contract.ts'
import { cors } from './cors.ts'
import { count } from './count.ts'
import { errors } from './errors.ts'
import { etag } from './etag.ts'
import { faults } from './faults.ts'
import { latency } from './latency.ts'
import { override } from './override.ts'
import { rateLimit } from './rate-limit.ts'
import { readInput } from './read-input.ts'
import { serverUrls } from './server-urls.ts'

/** The policies, in the order in which a request meets them. */
export const PLUGINS: readonly Plugin[] = [
  cors,
  override,
  contract,
  auth,
  rateLimit,
  readInput,
  count,
  latency,
  errors,
  etag,
  faults,
  serverUrls,
]

/** The options of all policies, from the tables of their plugins. */
export const POLICY_OPTIONS = Object.assign({}, ...PLUGINS.map(({ options }) => options)) as Readonly<
  Record<keyof PolicyOptions, Option>
>
