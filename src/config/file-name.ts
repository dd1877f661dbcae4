import { isAbsolute, relative } from 'node:path'

/** A file's name for messages: relative to the working directory where it lies below that. */
export function fileName(file: string): string {
  const near = relative(process.cwd(), file)
  return near.startsWith('..') || isAbsolute(near) ? file : near
}
