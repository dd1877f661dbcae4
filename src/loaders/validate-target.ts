import { dirname } from 'node:path'
import { ConfigInvalid, LinksInvalid, SimError, TargetInvalid } from '../errors.ts'
import { asTooDeep } from '../engine/schema/too-deep.ts'
import { loadConfig } from '../options/config-file.ts'
import { findTargetFile, loadApi } from './load-target.ts'
import { distinct, oneLine, withPlaces, type Problem } from './problem.ts'
import { type Validation, validateApp } from './validate-app.ts'

/**
 * Checks what a target holds, and the config file found from its directory upwards.
 * Whatever the module itself throws while it loads is a problem too.
 */
export async function validateTarget(target: string, directory = process.cwd()): Promise<Validation> {
  const config = checkConfig(target, directory)
  try {
    const { api, problems, notes = [] } = await loadApi(target, 'checked', directory, { thorough: true })
    const found = await validateApp(api)
    const own = problems.map(targetProblem)
    const placed = (all: readonly Problem[]): Problem[] => withPlaces(all, api.routes)
    return {
      ...found,
      notes,
      warnings: placed(found.warnings),
      problems: distinct([...config, ...own, ...placed(found.problems)]),
    }
  } catch (error) {
    return {
      problems: distinct([...config, ...problemsOf(error)]),
      warnings: [],
      notes: [],
      routes: 0,
      links: 0,
    }
  }
}

function checkConfig(target: string, directory: string): Problem[] {
  try {
    loadConfig(undefined, dirname(findTargetFile(target, directory)))
    return []
  } catch (error) {
    // That there is no such module is reported when it is loaded.
    return error instanceof TargetInvalid ? [] : problemsOf(error)
  }
}

function problemsOf(thrown: unknown): Problem[] {
  const error = asTooDeep(thrown as Error)
  if (error instanceof ConfigInvalid) return error.problems.map((message) => ({ kind: 'config', message }))
  if (error instanceof LinksInvalid) return error.problems.map((message) => ({ kind: 'link', message }))
  if (!SimError.is(error)) throw error
  const problems = 'problems' in error && Array.isArray(error.problems) ? error.problems : [error.message]
  const { place } = error
  return problems.map((message) => ({ ...targetProblem(message), ...(place !== undefined && { place }) }))
}

function targetProblem(message: string): Problem {
  return { kind: 'target', message: oneLine(message) }
}
