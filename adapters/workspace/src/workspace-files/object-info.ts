import type { Content } from '../files/contents.ts'
import type { Language } from './language.ts'

/** The kinds of objects, each with the segment of the path that permissions know it by. */
export const PERMISSION_TYPES = {
  DIRECTORY: 'directories',
  NOTEBOOK: 'notebooks',
  FILE: 'files',
  REPO: 'repos',
  LIBRARY: 'files',
  DASHBOARD: 'files',
} as const

/** A kind of object. */
export type ObjectType = keyof typeof PERMISSION_TYPES

/** What is known of an object, beside its place. */
export interface ObjectInfo {
  readonly objectId: number
  readonly type: ObjectType
  readonly language?: Language
  readonly createdAt: number
  readonly modifiedAt: number
  /** Absent for what holds other objects. */
  readonly content?: Content
}
