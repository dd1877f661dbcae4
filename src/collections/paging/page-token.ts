import { PageTokenInvalid } from '../../errors.ts'

/** The token of the page that begins at an offset. */
export function pageToken(offset: number): string {
  return Buffer.from(`offset:${offset}`).toString('base64url')
}

/** The offset that a token names; 0 for an empty one. @throws PageTokenInvalid for any other text */
export function readPageToken(token: unknown): number {
  if (token === undefined || token === null || token === '') return 0
  const text = typeof token === 'string' ? token : ''
  const [, offset] = /^offset:(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (offset === undefined) throw new PageTokenInvalid()
  return Number(offset)
}
