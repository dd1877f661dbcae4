#!/usr/bin/env node
import module from 'node:module'

// Node 22 and later keep what they have compiled for the next start, where that is enabled before it is loaded.
const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()

const [{ sim }, { runProcess }] = await Promise.all([import('./cli.ts'), import('./command-line.ts')])
await runProcess(sim)
