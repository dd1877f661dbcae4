import { test, type TestAPI } from 'vitest'
import type { SimAPI } from '../api.ts'
import { createClient, type Client } from './client.ts'
import { openApp, type AppTarget } from './open-app.ts'

/** What each test of `simTest` is given. */
export interface SimFixtures {
  /** The app, in the state it starts in. */
  readonly simApi: SimAPI
  /** A client of the app, closed after the test. */
  readonly simClient: Client
}

/**
 * A vitest `test` whose fixtures are an app and its client, fresh for each test.
 * A target that cannot be loaded fails each test that asks for them, and says why.
 */
export function simTest({ app }: { readonly app: AppTarget }): TestAPI<SimFixtures> {
  return test.extend<SimFixtures>({
    // vitest reads the fixtures that a fixture needs from its first parameter.
    // eslint-disable-next-line no-empty-pattern
    simApi: async ({}, use) => {
      await use(await openApp(app))
    },
    simClient: async ({ simApi }, use) => {
      const client = createClient(simApi)
      try {
        await use(client)
      } finally {
        await client.close()
      }
    },
  })
}
