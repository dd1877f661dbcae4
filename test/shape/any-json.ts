import fc from 'fast-check'

const text = fc.oneof(
  ...[fc.string(), fc.constantFrom('a', 'b', 'open', ''), fc.uuid(), fc.emailAddress(), fc.ipV4()],
  ...[fc.webUrl({ withFragments: true, withQueryParameters: true })],
  ...[
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.stringMatching(/^\d{4}-\d\d-\d\d$/),
  ],
)
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(2 ** 63, 1e21, -0, 5e-324, Number.MAX_VALUE),
)
const name = fc.oneof(
  fc.constantFrom('id', 'name', 'state', 'a/b', 'a~b', '__proto__', 'constructor', 'toString', ''),
  fc.stringMatching(/^\d{1,6}$/),
  fc.string({ maxLength: 4 }),
)

/** JSON as servers send it: maps, ids, dates, addresses, big numbers and names that mean something to JavaScript. */
export const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    ...[fc.constant(null), fc.boolean(), number, text, fc.array(tie('value'), { maxLength: 4 })],
    // As a parser makes them, whatever their names.
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 6 })
      .map((entries): unknown =>
        JSON.parse(
          `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`,
        ),
      ),
  ),
})).value
