import fc from 'fast-check'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Model = Record<string, unknown>

/** Every format that ajv-formats checks in texts. */
export const TEXT_FORMATS = [
  ...['date', 'time', 'date-time', 'iso-time', 'iso-date-time', 'duration', 'uri', 'uri-reference'],
  ...['uri-template', 'url', 'email', 'hostname', 'ipv4', 'ipv6', 'regex', 'uuid', 'json-pointer'],
  ...['json-pointer-uri-fragment', 'relative-json-pointer', 'byte', 'password', 'binary'],
]

/** A validator as users have it, apart from the one that the gateway uses. */
export function validatorOf(model: object): ValidateFunction {
  return addFormats.default(new Ajv2020({ allErrors: true, strict: false, logger: false })).compile(model)
}

const bounds = (least: string, most: string, max: number): fc.Arbitrary<Model> =>
  fc.tuple(fc.option(fc.nat({ max })), fc.option(fc.nat({ max }))).map(([low, extra]) => ({
    ...(low !== null && { [least]: low }),
    ...(extra !== null && { [most]: (low ?? 0) + extra }),
  }))

const text = fc
  .oneof(
    bounds('minLength', 'maxLength', 12),
    fc.constantFrom(...TEXT_FORMATS).map((format) => ({ format })),
    fc
      .constantFrom(
        ...['^[a-z]+$', '^[A-Z]{2}\\d{4}$', '\\d', '^(foo|bar)-\\d{1,3}$', '^\\p{L}+$'],
        ...['^(?=.*\\d)[a-z\\d]{4,8}$', '^\\S*$'],
      )
      .map((pattern) => ({ pattern })),
    bounds('minLength', 'maxLength', 9).map((lengths) => ({ pattern: '^[a-f]*$', ...lengths })),
  )
  .map((keywords) => ({ type: 'string', ...keywords }))

const number = fc
  .record({
    type: fc.constantFrom('integer', 'number'),
    low: fc.option(
      fc.tuple(fc.constantFrom('minimum', 'exclusiveMinimum'), fc.integer({ min: -500, max: 500 })),
    ),
    span: fc.option(
      fc.tuple(fc.constantFrom('maximum', 'exclusiveMaximum'), fc.integer({ min: 20, max: 900 })),
    ),
    multipleOf: fc.option(fc.constantFrom(1, 3, 0.5, 0.25, 10, 0.1, 0.01)),
  })
  .map(({ type, low, span, multipleOf }) => ({
    type,
    ...(low !== null && { [low[0]]: low[1] }),
    ...(span !== null && { [span[0]]: (low?.[1] ?? 0) + span[1] }),
    ...(multipleOf !== null && { multipleOf }),
  }))

const scalar: fc.Arbitrary<Model> = fc.oneof(
  text,
  number,
  fc.constant({ type: 'boolean' }),
  fc.constant({ type: 'null' }),
  fc.uniqueArray(fc.oneof(fc.string(), fc.integer()), { minLength: 1 }).map((values) => ({ enum: values })),
  fc.oneof(fc.string(), fc.boolean(), fc.constant(null)).map((value) => ({ const: value })),
  fc.constant({ type: ['string', 'integer', 'null'], minLength: 2, minimum: 3 }),
)

const name = fc.constantFrom('id', 'name', 'größe', 'a b', 'x-y', 'tags', '$ref2', 'null')

/** Random models, each with at least one value that fits. */
export const models: fc.Arbitrary<Model> = fc.letrec<{ model: Model; object: Model }>((tie) => ({
  model: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    tie('object'),
    fc
      .tuple(tie('model'), bounds('minItems', 'maxItems', 4))
      .map(([items, size]) => ({ type: 'array', items, ...size })),
    fc
      .tuple(number, fc.boolean())
      .map(([items, uniqueItems]) => ({ type: 'array', items, uniqueItems, maxItems: 5 })),
    fc
      .tuple(fc.array(tie('model'), { minLength: 1, maxLength: 3 }), fc.boolean())
      .map(([prefixItems, open]) => ({
        type: 'array',
        prefixItems,
        items: open,
        minItems: prefixItems.length,
      })),
    fc
      .tuple(tie('model'), bounds('minProperties', 'maxProperties', 4))
      .map(([additionalProperties, size]) => ({
        type: 'object',
        additionalProperties,
        ...size,
      })),
    fc.tuple(fc.constantFrom('anyOf', 'oneOf'), tie('model')).map(([keyword, member]) => ({
      [keyword]: [
        { type: 'array', maxItems: 0, items: member },
        { type: 'object', required: ['k'], properties: { k: member } },
      ],
    })),
    tie('model').map((member) => ({ anyOf: [member, { type: 'null' }] })),
    fc.tuple(tie('object'), number).map(([object, part]) => ({
      allOf: [
        { ...object, unevaluatedProperties: true },
        { type: 'object', required: ['extra'], properties: { extra: part } },
      ],
    })),
  ),
  object: fc
    .tuple(
      fc.dictionary(name, tie('model'), { maxKeys: 5, noNullPrototype: true }),
      fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      fc.boolean(),
    )
    .map(([properties, needed, closed]) => ({
      type: 'object',
      properties,
      required: Object.keys(properties).filter((_name, index) => needed[index]),
      ...(closed && { unevaluatedProperties: false }),
    })),
})).model
