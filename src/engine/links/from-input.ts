import { defineLink, KEEP, textsOf } from './link.ts'

/** The value of an input field. An absent one leaves the field generated; empty text, 0 and false do bind. */
export const FromInput = defineLink('fromInput', {
  resolve: ({ input }, field: string) => (Object.hasOwn(input, field) ? input[field] : KEEP),
  inputFields: (field: string) => [field],
  readsInputOnly: () => true,
  fromData: textsOf('fromInput takes the name of an input field'),
})
