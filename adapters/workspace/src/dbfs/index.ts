export { dbfsPart } from './part.ts'
export { dbfsOperations } from './operations.ts'
export type { DbfsState } from './state.ts'
