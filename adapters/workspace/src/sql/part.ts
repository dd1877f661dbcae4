import type { Part } from '../part.ts'
import { checkStatements, statementsSchema } from './fixture.ts'
import { StatementsState } from './state.ts'

/** SQL statements: the fixture's `statements`, and the state made from them. */
export const statementsPart: Part<StatementsState> = {
  fixtureSchema: { statements: statementsSchema },
  check: checkStatements,
  create: (fixture, tools) => StatementsState.fromFixture(fixture, tools),
}
