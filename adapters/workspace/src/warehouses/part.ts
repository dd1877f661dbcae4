import type { Part } from '../part.ts'
import { checkWarehouses, warehousesSchema } from './fixture.ts'
import { WarehousesState } from './state.ts'

/** SQL warehouses: the fixture's `warehouses`, and the state made from them. */
export const warehousesPart: Part<WarehousesState> = {
  fixtureSchema: { warehouses: warehousesSchema },
  check: checkWarehouses,
  create: (fixture, tools) => WarehousesState.fromFixture(fixture, tools),
}
