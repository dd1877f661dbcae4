/** An app that stores orders, as a file of routes. */
export const ORDERS = `
options: { stateful: true }
models:
  Order:
    type: object
    required: [id, product]
    properties: { id: { type: integer }, product: { type: string, x-sim-link: { fromInput: product } } }
routes:
  POST /orders:
    status: 201
    input: { type: object, required: [product], properties: { product: { type: string } } }
    output: { $ref: '#/models/Order' }
`
