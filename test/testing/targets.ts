import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

function pathOf(url: URL): string {
  return `./${relative(process.cwd(), fileURLToPath(url))}`
}

/** The module of an app with routes of every kind; its app is `api`. */
export const APP = pathOf(new URL('./inner/app.ts', import.meta.url))

/** A module whose `web` is a Fastify app. */
export const WEB = pathOf(new URL('./inner/web.ts', import.meta.url))
