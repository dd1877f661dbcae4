import { callFaker, functionNames } from '../engine/schema/faker.ts'
import { isObject } from '../engine/schema/schema.ts'

/** Values by name. */
export type Variables = ReadonlyMap<string, string>

/** The variables of a list as collections and environments have it; those that are switched off are left out. */
export function variablesIn(list: unknown): [string, string][] {
  return [list].flat().flatMap((each): [string, string][] => {
    if (!isObject(each) || each['disabled'] === true || each['enabled'] === false) return []
    const name = each['key'] ?? each['id']
    const value = each['value'] ?? each['initial'] ?? ''
    return typeof name === 'string' ? [[name, typeof value === 'string' ? value : JSON.stringify(value)]] : []
  })
}

const REFERENCE = /\{\{([^{}]+)\}\}/g
const MAX_DEPTH = 10
const MAX_CHARACTERS = 2 ** 24

/** A text with the values of its variables; those that nobody knows stay, and those past what values may repeat. */
export function resolved(text: string, variables: Variables): string {
  return resolvedAt(text, variables, 0, { characters: MAX_CHARACTERS })
}

function resolvedAt(text: string, variables: Variables, depth: number, left: { characters: number }): string {
  if (depth >= MAX_DEPTH || !text.includes('{{')) return text
  return text.replace(REFERENCE, (whole, name: string) => {
    const value = variables.get(name.trim())
    if (value === undefined) return whole
    left.characters -= value.length
    if (left.characters < 0) return whole
    return resolvedAt(value, variables, depth + 1, left)
  })
}

/** Whether a text has variables that each answer has a value of its own for. */
export function isDynamic(text: string): boolean {
  return /\{\{\s*\$\w+\s*\}\}/.test(text)
}

/** A text with values for its dynamic variables such as `{{$guid}}` and `{{$randomFirstName}}`. @param now in milliseconds */
export function filled(text: string, random: () => number, now: number): string {
  return text.replace(/\{\{\s*\$(\w+)\s*\}\}/g, (whole, name: string) => {
    if (name === 'timestamp') return String(Math.floor(now / 1000))
    if (name === 'isoTimestamp') return new Date(now).toISOString()
    const called = functionOf(name)
    if (called === undefined) return whole
    const value = callFaker({ name: called, args: ARGUMENTS[name] ?? [] }, random)
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

const OWN: Readonly<Record<string, string>> = {
  guid: 'string.uuid',
  randomUUID: 'string.uuid',
  randomInt: 'number.int',
  randomBoolean: 'datatype.boolean',
  randomAlphaNumeric: 'string.alphanumeric',
  randomColor: 'color.human',
  randomHexColor: 'color.rgb',
  randomAbbreviation: 'hacker.abbreviation',
  randomIP: 'internet.ipv4',
  randomIPV6: 'internet.ipv6',
  randomMACAddress: 'internet.mac',
  randomPassword: 'internet.password',
  randomLocale: 'location.countryCode',
  randomUserName: 'internet.username',
  randomUrl: 'internet.url',
  randomNamePrefix: 'person.prefix',
  randomNameSuffix: 'person.suffix',
  randomPhoneNumber: 'phone.number',
  randomPhoneNumberExt: 'phone.number',
  randomLatitude: 'location.latitude',
  randomStreetName: 'location.street',
  randomAvatarImage: 'image.avatar',
  randomImageUrl: 'image.url',
  randomBankAccount: 'finance.accountNumber',
  randomBankAccountName: 'finance.accountName',
  randomBitcoin: 'finance.bitcoinAddress',
  randomCreditCardMask: 'finance.maskedNumber',
  randomBankAccountBic: 'finance.bic',
  randomBankAccountIban: 'finance.iban',
  randomCompanyName: 'company.name',
  randomCatchPhrase: 'company.catchPhrase',
  randomBs: 'company.buzzPhrase',
  randomBsAdjective: 'company.buzzAdjective',
  randomBsBuzz: 'company.buzzVerb',
  randomBsNoun: 'company.buzzNoun',
  randomDateFuture: 'date.future',
  randomDatePast: 'date.past',
  randomDateRecent: 'date.recent',
  randomDatabaseColumn: 'database.column',
  randomPrice: 'commerce.price',
  randomProduct: 'commerce.product',
  randomLoremText: 'lorem.text',
  randomWord: 'lorem.word',
  randomWords: 'lorem.words',
}

const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = { randomInt: [{ min: 0, max: 1000 }] }

let byName: ReadonlyMap<string, string> | undefined

// `$randomJobTitle` is `person.jobTitle`, `$randomLoremSentence` is `lorem.sentence`.
function functionOf(variable: string): string | undefined {
  const own = OWN[variable]
  if (own !== undefined) return own
  const plain = variable.replace(/^random/, '').toLowerCase()
  byName ??= new Map(
    functionNames()
      .toReversed()
      .flatMap((name) => [
        [name.replace(/^.*\./, '').toLowerCase(), name],
        [name.replace('.', '').toLowerCase(), name],
      ]),
  )
  return byName.get(plain)
}
