type Schema = Readonly<Record<string, unknown>>

export const User: Schema
export const Query: Schema
export const CONSTANT: Schema
export const CONSTANTS: readonly Schema[]
export const STORED_USERS: number
export const TOKEN: string
export const SHARE: number
export const WAIT_MS: number
