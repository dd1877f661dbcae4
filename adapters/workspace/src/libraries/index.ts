export { checkLibraries, createLibraries, librariesFixtureSchema } from './fixture.ts'
export type { LibrariesState } from './libraries-state.ts'
export { librariesOperations } from './operations.ts'
