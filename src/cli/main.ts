#!/usr/bin/env node
import module from 'node:module'

// Node 22 and later keep what they have compiled for the next start, where that is enabled before it is loaded.
const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()

const { MIN_FILES, openFilesLimit } = await import('../http/open-files.ts')
if (openFilesLimit() < MIN_FILES) {
  process.stderr.write(
    `At most ${openFilesLimit()} files can be open at once, and sim needs ${MIN_FILES} to start: raise ulimit -n\n`,
  )
  process.exit(1)
}
const [{ sim }, { runProcess }] = await Promise.all([import('./cli.ts'), import('./command-line.ts')])
await runProcess(sim)
