import type { Part } from '../part.ts'
import { checkScopes, secretScopesSchema } from './fixture.ts'
import { SecretsState } from './state.ts'

/** Secrets: the fixture's `secretScopes`, and the state made from them. */
export const secretsPart: Part<SecretsState> = {
  fixtureSchema: { secretScopes: secretScopesSchema },
  check: checkScopes,
  create: (fixture, tools) => SecretsState.fromFixture(fixture, tools),
}
