export { scimPart } from './part.ts'
export { scimOperations } from './operations.ts'
export type { ScimState } from './state.ts'
