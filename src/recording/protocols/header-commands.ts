import { METHODS } from 'node:http'
import { isObject } from '../../engine/schema/schema.ts'
import type { CallForm, CallRequest } from '../calls/call.ts'
import { bodyAndStatus, type Protocol, textOf } from './protocol.ts'

/** Headers that say what is called. */
const NAMES = /(^|-)(action|target|operation|command|function|procedure|method)$/
const COMMAND = /^[A-Za-z_][\w.:/#-]{1,100}$/

/** The body has the arguments, and the answer's the result; the status says whether it failed. */
const calls: CallForm = {
  ...bodyAndStatus,
  read({ headers, body = {} }) {
    const [, command] = commandIn(headers) ?? []
    return command === undefined || !isObject(body) ? undefined : [{ name: shortName(command), args: body }]
  },
}

/** Commands at one path with JSON for their arguments, each named by a header: `X-Operation: Shop.createOrder`. */
export const headerCommands: Protocol = {
  name: 'header commands',
  isOfSeveral: true,
  speaks: ({ method, headers, body, response }) =>
    method === 'POST' &&
    commandIn(headers) !== undefined &&
    (body === undefined || isObject(body)) &&
    (response === undefined || isObject(response) || Array.isArray(response)),
  operations:
    () =>
    ({ headers }) => {
      const [header, command] = commandIn(headers) ?? []
      return header === undefined || command === undefined
        ? undefined
        : { name: command, when: { header, equals: command } }
    },
  calls,
}

// A header may say the method of HTTP that is meant.
function commandIn(headers: CallRequest['headers']): readonly [name: string, value: string] | undefined {
  for (const name of Object.keys(headers).toSorted()) {
    const value = NAMES.test(name) ? textOf(headers[name]) : undefined
    if (value !== undefined && COMMAND.test(value) && !METHODS.includes(value.toUpperCase()))
      return [name, value]
  }
  return undefined
}

// What all commands have before the last dot is the name of the service.
function shortName(command: string): string {
  return command.slice(command.lastIndexOf('.') + 1)
}
