export { secretsPart } from './part.ts'
export { secretsOperations } from './operations.ts'
export type { SecretsState } from './state.ts'
