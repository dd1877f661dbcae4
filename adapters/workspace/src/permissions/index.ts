export { permissionsPart } from './part.ts'
export { permissionsOperations } from './operations.ts'
export type { PermissionsState } from './state.ts'
