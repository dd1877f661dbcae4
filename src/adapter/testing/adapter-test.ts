import { test, type TestAPI } from 'vitest'
import type { AdapterConfig } from '../config.ts'
import type { AdapterDefinition } from '../definition.ts'
import { type AdapterContext, createContextClass } from '../mock.ts'

/** What each test of `adapterTest` is given. */
export interface AdapterFixtures<State> {
  /** The adapter, listening, in the state it starts in. */
  readonly mock: AdapterContext<State>
}

/**
 * A vitest `test` whose fixture `mock` is an adapter that listens: one for all tests of a worker, reset before each
 * unless `reset` is false. Tests that run at the same time need contexts of their own.
 */
export function adapterTest<State, Fixture, Config extends AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
  config?: Config,
  { reset = true }: { readonly reset?: boolean } = {},
): TestAPI<AdapterFixtures<State>> {
  return test.extend<AdapterFixtures<State> & { readonly sharedMock: AdapterContext<State> }>({
    sharedMock: [
      // vitest reads the fixtures that a fixture needs from its first parameter.
      // eslint-disable-next-line no-empty-pattern
      async ({}, use) => {
        await using mock = await createContextClass(definition).start(config)
        await use(mock)
      },
      { scope: 'worker' },
    ],
    mock: async ({ sharedMock }, use) => {
      if (reset) sharedMock.reset()
      await use(sharedMock)
    },
  })
}
