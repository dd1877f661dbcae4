import { METHODS } from 'node:http'

/** Why no route can be declared for a method; `undefined` where one can. */
export function findMethodProblem(method: string): string | undefined {
  if (method === 'CONNECT')
    return "'CONNECT' opens a tunnel through a proxy, and has no path that a route could be declared for"
  if (METHODS.includes(method)) return undefined
  const upper = method.toUpperCase()
  if (METHODS.includes(upper)) return `'${method}' is not a method: methods are written in capitals, ${upper}`
  return `'${method}' is not a method that Node.js ${process.versions.node} reads: it refuses such requests with 400. Methods: ${METHODS.filter((each) => each !== 'CONNECT').join(', ')}`
}
