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

/** What a client sends to make a user. */
export const NewUser = {
  title: 'NewUser',
  type: 'object',
  required: ['name', 'email', 'age'],
  properties: {
    name: { type: 'string', minLength: 1 },
    email: { type: 'string' },
    age: { type: 'integer', minimum: 18, maximum: 90 },
  },
}

/** What a client sends to change one. */
export const UserChange = { ...NewUser, title: 'UserChange', required: [] }

/** A user that is stored under a number. */
export const StoredUser = {
  ...User,
  title: 'StoredUser',
  properties: { ...User.properties, id: { type: 'integer', minimum: 1 } },
}

/** The number in a path. */
export const UserId = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', minimum: 1 } },
}

/** Which page of a list. */
export const Page = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    offset: { type: 'integer', minimum: 0, default: 0 },
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

/** How many users are stored before the first request. */
export const STORED_USERS = 1000

/** The token that opens the routes that have one. */
export const TOKEN = 'a-token-of-thirty-two-characters'

/** A limit that the load never reaches. */
export const REQUESTS_PER_SECOND = 10_000_000

/** The share of requests that fail, or wait, where some do. */
export const SHARE = 0.01

/** How long those wait. */
export const WAIT_MS = 1
