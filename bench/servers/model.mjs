/** One user, as every contender describes it in its own way. */
export const User = {
  title: 'User',
  type: 'object',
  required: ['id', 'name', 'email', 'age', 'created_at'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { type: 'string' },
    email: { type: 'string', format: 'email' },
    age: { type: 'integer', minimum: 18, maximum: 90 },
    created_at: { type: 'string', format: 'date-time' },
  },
}

/** A query of five fields that is read and validated for each request. */
export const Query = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    status: { enum: ['active', 'inactive'] },
    verified: { type: 'boolean' },
    page: { type: 'integer', minimum: 1 },
  },
}

/** A user that never changes. */
export const CONSTANT = {
  id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  name: 'Ada Lovelace',
  email: 'ada.lovelace36@example.com',
  age: 36,
  created_at: '2026-01-01T00:00:00Z',
}

/** Ten of them. */
export const CONSTANTS = Array.from({ length: 10 }, () => CONSTANT)
