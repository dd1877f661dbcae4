import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Builds the page of the control plane, which `src/control/page.ts` serves. */
export default defineConfig({
  root: pathOf('../src/ui'),
  // It may be served below any path.
  base: './',
  publicDir: false,
  build: {
    outDir: pathOf('../dist/ui'),
    emptyOutDir: true,
    // What is inlined as data: would need a hole in the policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
})
