import { createRequire } from 'node:module'
import { lazy } from '../engine/lazy.ts'

/** What reaches upstreams, which takes as long to load as all of a framework; loaded when it is first needed. */
export const undici = lazy(() => createRequire(import.meta.url)('undici') as typeof import('undici'))
