import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { holdsOptions } from './config-file.ts'

const NAMES = ['sim.yaml', 'sim.yml', 'package.json', 'pyproject.toml']

/** The first config file from a directory upwards; `undefined` when there is none up to the root. */
export function findConfig(directory: string): string | undefined {
  for (let place = resolve(directory); ; place = dirname(place)) {
    const file = NAMES.map((name) => join(place, name)).find((each) => isFile(each) && holdsOptions(each))
    if (file !== undefined || dirname(place) === place) return file
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
