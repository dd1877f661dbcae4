import { STORED_USERS } from '../servers/model.mjs'

/** A query of five fields. */
export const QUERY = '?name=ada&limit=5&status=active&verified=true&page=2'
/** What a client sends to make a user. */
export const NEW_USER = JSON.stringify({ name: 'Grace Hopper', email: 'grace.hopper@example.com', age: 40 })

/** @throws Error unless a body is what its name says */
export function isUser(body: Buffer): void {
  checkUser(JSON.parse(body.toString()))
}

/** @throws Error unless a body is what its name says */
export function isGrace(body: Buffer): void {
  const user = JSON.parse(body.toString()) as Record<string, unknown>
  checkUser(user)
  if (user['name'] !== 'Grace Hopper' || user['age'] !== 40)
    throw new Error(`its body does not have what was sent: ${body.toString()}`)
}

/** @throws Error unless a body is a list of ten users */
export function areTen(body: Buffer): void {
  const users: unknown = JSON.parse(body.toString())
  if (!Array.isArray(users) || users.length !== 10) throw new Error('its body is not a list of ten')
  users.forEach(checkUser)
}

/** @throws Error unless a body is what its name says */
export function isPage(body: Buffer): void {
  const { items, total } = JSON.parse(body.toString()) as { items?: unknown[]; total?: number }
  if (items?.length !== 20 || total !== STORED_USERS)
    throw new Error(`its body is not a page of twenty: ${body.toString()}`)
  items.forEach(checkUser)
}

/** @throws Error unless a body has the form of a simulated error */
export function hasDetail(body: Buffer): void {
  if (!('detail' in (JSON.parse(body.toString()) as object))) throw new Error('its body has no detail')
}

function checkUser(user: unknown): void {
  const { id, name, email, age, created_at: created } = user as Record<string, unknown>
  const isId = /^[0-9a-f-]{36}$/i.test(String(id)) || Number.isInteger(id)
  const isPerson = typeof name === 'string' && String(email).includes('@') && Number(age) >= 18
  if (!isId || !isPerson || Number.isNaN(Date.parse(String(created))))
    throw new Error(`its body is not a user: ${JSON.stringify(user)}`)
}
