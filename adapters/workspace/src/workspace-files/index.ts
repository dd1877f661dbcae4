export { filesPart } from './part.ts'
export { filesOperations } from './operations.ts'
export type { FilesState } from './state.ts'
