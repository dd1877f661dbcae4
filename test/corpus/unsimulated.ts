/** Operations of the descriptions that cannot be simulated, each with the reason. */
type Unsimulated = Readonly<Record<string, string>>

// `additionalProperties: false` refuses what an `allOf` beside it describes: a common slip, and what it requires is
// then forbidden as well.
const NO_ANSWER = 'no value fits the schema of its answer'
const NO_REQUEST = 'no value fits the schema of its request'

/** ShipEngine's. */
export const SHIPENGINE_UNSIMULATED: Unsimulated = {
  ...because(NO_ANSWER, [
    'GET /v1/batches',
    'GET /v1/batches/external_batch_id/{external_batch_id}',
    'GET /v1/batches/{batch_id}',
    'GET /v1/batches/{batch_id}/errors',
    'GET /v1/carriers',
    'GET /v1/connections/carriers/{carrier_name}/{carrier_id}/settings',
    'GET /v1/environment/webhooks/{webhook_id}',
    'GET /v1/insurance/shipsurance/balance',
    'GET /v1/labels',
    'GET /v1/labels/{label_id}/track',
    'GET /v1/manifests',
    'GET /v1/manifests/{manifest_id}',
    'GET /v1/packages/{package_id}',
    'GET /v1/rates/{rate_id}',
    'GET /v1/shipments',
    'GET /v1/shipments/external_shipment_id/{external_shipment_id}',
    'GET /v1/shipments/{shipment_id}',
    'GET /v1/shipments/{shipment_id}/errors',
    'GET /v1/shipments/{shipment_id}/rates',
    'GET /v1/tracking',
    'GET /v1/warehouses/{warehouse_id}',
    'POST /v1/addresses/validate',
    'POST /v1/batches',
    'POST /v1/environment/webhooks',
    'POST /v1/manifests',
    'POST /v1/tags/{tag_name}',
  ]),
  ...because(NO_REQUEST, [
    'PATCH /v1/insurance/shipsurance/add_funds',
    'POST /v1/labels',
    'POST /v1/packages',
    'POST /v1/rates',
    'POST /v1/rates/bulk',
    'POST /v1/rates/estimate',
    'POST /v1/shipments',
    'POST /v1/warehouses',
    'PUT /v1/carriers/{carrier_id}/add_funds',
    'PUT /v1/packages/{package_id}',
    'PUT /v1/shipments/{shipment_id}',
    'PUT /v1/warehouses/{warehouse_id}',
  ]),
}

function because(reason: string, operations: readonly string[]): Unsimulated {
  return Object.fromEntries(operations.map((operation) => [operation, reason]))
}
