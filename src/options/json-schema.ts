import { snakeCase } from '../data-files/words.ts'
import '../engine/links/built-in.ts'
import { linkNames } from '../engine/links/link.ts'
import type { Schema } from '../engine/schema/schema.ts'
import type { Option, OptionTable } from '../pipeline/option.ts'
import { APP_OPTIONS } from './app-options.ts'
import { FILE_OPTIONS } from './config-file.ts'
import { GATEWAY_OPTIONS } from './gateway-options.ts'
import { ROUTE_OPTIONS } from './route-options.ts'

/** The schema of config files and files of routes. */
export interface FileSchema {
  readonly $defs: Readonly<Record<string, Schema>>
}

/**
 * The schema with the parts that follow from the tables of options and the list of links. What the values of models,
 * links, answers and errors look like in files is written in it by hand, and stays.
 */
export function withOptions<Known extends FileSchema>(schema: Known): Known {
  const { configPath: _configPath, ...options } = APP_OPTIONS
  const { $schema } = propertiesOf(schema.$defs['configFile'])
  const links = propertiesOf(schema.$defs['link'])
  const names = Object.keys(FILE_OPTIONS).filter((name) => name !== 'gateway')
  const references = names.map((name) => {
    const key = snakeCase(name)
    return [key, { $ref: `#/$defs/options/properties/${key}` }]
  })
  return {
    ...schema,
    $defs: {
      ...schema.$defs,
      options: tableSchema(options),
      gateway: { ...tableSchema(GATEWAY_OPTIONS), description: FILE_OPTIONS['gateway']?.describe },
      configFile: {
        ...schema.$defs['configFile'],
        properties: {
          $schema,
          ...Object.fromEntries(references),
          gateway: { $ref: '#/$defs/gateway' },
        },
      },
      link: {
        ...schema.$defs['link'],
        properties: Object.fromEntries(
          linkNames().map((name) => [name, links[name] ?? { description: `The link ${name}.` }]),
        ),
      },
      route: { anyOf: [{ type: 'null' }, tableSchema(ROUTE_OPTIONS, propertiesOf(schema.$defs['route']))] },
    },
  }
}

/** @param byHand what the values of options without a schema look like */
function tableSchema(table: OptionTable, byHand: Readonly<Record<string, unknown>> = {}): Schema {
  const properties = Object.entries(table).map(([name, option]) => {
    const key = snakeCase(name)
    return [key, schemaOf(option) ?? { ...(byHand[key] as object), description: option.describe }]
  })
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) }
}

function schemaOf(option: Option): Schema | undefined {
  const form = formOf(option)
  return (
    form && {
      ...form,
      ...(option.default !== undefined && { default: option.default }),
      ...(option.describe !== undefined && { description: option.describe }),
    }
  )
}

function formOf(option: Option): Schema | undefined {
  if ('table' in option) return tableSchema(option.table)
  if ('values' in option) return { type: 'object', additionalProperties: option.values.schema }
  if (!('each' in option)) return option.schema
  const required = option.needs?.map(snakeCase)
  return { type: 'array', items: { ...tableSchema(option.each), ...(required && { required }) } }
}

function propertiesOf(part: Schema | undefined): Readonly<Record<string, unknown>> {
  const { anyOf } = part as { anyOf?: readonly Schema[] }
  const { properties } = (anyOf?.at(-1) ?? part) as { properties: Readonly<Record<string, unknown>> }
  return properties
}
