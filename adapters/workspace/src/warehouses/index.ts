export { warehousesPart } from './part.ts'
export { warehousesOperations } from './operations.ts'
export type { WarehousesState } from './state.ts'
