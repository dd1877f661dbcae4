export const User: Readonly<Record<string, unknown>>
export const Query: Readonly<Record<string, unknown>>
export const CONSTANT: Readonly<Record<string, unknown>>
export const CONSTANTS: readonly Readonly<Record<string, unknown>>[]
