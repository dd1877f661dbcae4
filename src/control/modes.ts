import { InputInvalid, OptionInvalid } from '../errors.ts'
import { type Modes, type ModeSettings, MODE_NAMES } from '../modes/choose-mode.ts'
import { defineOperation, fields, GLOB } from './operation.ts'

const name = { enum: [...MODE_NAMES] }
const SETTINGS = fields(
  {
    mode: name,
    rules: {
      type: 'array',
      items: fields(
        {
          mode: name,
          method: { type: 'string' },
          path: GLOB,
          host: { type: 'string' },
          headers: { type: 'object', additionalProperties: { type: 'string' } },
        },
        ['mode'],
      ),
    },
  },
  ['mode'],
)

/** How the gateway comes to its answers, for all sessions. */
export const modes = [
  defineOperation(
    'GET',
    '/modes',
    {
      scope: { reads: ['modes'] },
      tag: 'gateway',
      summary: 'The mode of the gateway, and the modes by rule',
      output: SETTINGS,
    },
    (_input, request) => request.modes.settings,
  ),
  defineOperation(
    'PUT',
    '/modes',
    {
      scope: { changes: ['modes'] },
      tag: 'gateway',
      summary: 'Change the mode, for all sessions',
      input: SETTINGS,
      output: SETTINGS,
    },
    (input, request) => {
      change(request.modes, input)
      return request.modes.settings
    },
  ),
]

function change(modes: Modes, settings: ModeSettings): void {
  try {
    modes.set(settings)
  } catch (error) {
    if (!(error instanceof OptionInvalid)) throw error
    throw new InputInvalid([{ type: 'mode', loc: ['body'], msg: error.message, input: settings.mode }])
  }
}
