import { ComputedFrom, DateRangeFrom, ErrorCase, FromInput, list, SimAPI } from 'sim-gateway'
import Type from 'typebox'

const UserQuery = Type.Object({
  name: Type.String({ default: 'Ada' }),
  start_date: Type.String({ format: 'date', default: '2024-01-01' }),
  end_date: Type.String({ format: 'date', default: '2024-12-31' }),
})

const User = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(FromInput('name')),
    email: Type.String({ format: 'email' }),
    city: Type.String(),
    created_at: Type.String({ format: 'date-time', ...DateRangeFrom('start_date', 'end_date') }),
    label: Type.String(
      ComputedFrom(['name', 'email'], (name: string, email: string) => `${name} <${email}>`),
    ),
  },
  { title: 'User' },
)

const NewOrder = Type.Object({
  product: Type.String({ minLength: 1 }),
  quantity: Type.Integer({ minimum: 1, maximum: 100 }),
})

const Order = Type.Object(
  {
    id: Type.Integer({ minimum: 1000, maximum: 9999 }),
    product: Type.String(FromInput('product')),
    quantity: Type.Integer(FromInput('quantity')),
    status: Type.Enum(['placed', 'paid']),
  },
  { title: 'Order' },
)

/** The example's declared routes: users and orders are simulated, everything else is the upstream's. */
export const api = new SimAPI({ seed: 42 })

api.get('/users', { input: UserQuery, output: list(User), listCount: 3, summary: 'List users' })
api.get('/users/{id}', {
  output: Type.Object(
    {
      ...User.properties,
      id: Type.String(FromInput('id')),
      name: Type.String(),
      created_at: Type.String({ format: 'date-time' }),
    },
    { title: 'User' },
  ),
  errors: [
    ErrorCase({ when: (input) => input.id === 'nobody', status: 404, detail: 'There is no such user' }),
  ],
  summary: 'Get one user',
})
api.post('/orders', {
  input: NewOrder,
  output: Order,
  latencyMs: 50,
  jitterMs: 20,
  summary: 'Place an order',
})
