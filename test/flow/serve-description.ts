import type { FastifyInstance } from 'fastify'
import { afterEach } from 'vitest'
import { loadDescription } from '../../src/loaders/load-description.ts'
import type { SimOptions } from '../../src/options/app-options.ts'

const apps: FastifyInstance[] = []
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})

/** Serves the OpenAPI description of a text, as `sim run` does; closed when the test ends. */
export async function serveDescription(text: string, options: SimOptions = {}): Promise<string> {
  const { api, problems } = await loadDescription('api.yaml', text, {
    defaults: {},
    options: { seed: 1, ...options },
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const app = api.asWebApp()
  apps.push(app)
  return app.listen({ port: 0, host: '127.0.0.1' })
}
