import type { Stream } from '../random.ts'
import { lastName, plainName, spread, type Position } from './position.ts'
import { type Draw, asciiOf, pickWord, type WordList } from './words.ts'
import { dateTime, email, hex, hostname, ipv4, slug, url, uuid } from './formats.ts'

/** How to draw a text that a field of this name would hold, such as a city for `city`; undefined for other names. */
export function textByName({ model, field }: Position): Draw | undefined {
  const name = plainName(field)
  if (name === 'name') return NAME_OF.find(([expression]) => expression.test(model))?.[1] ?? fullName
  const known = TEXTS.get(name)
  if (known !== undefined) return known
  return ENDINGS.find(([expression]) => expression.test(lastName(field)))?.[1]
}

/** Two to four words. */
export function wordsOf(stream: Stream): string {
  return manyWords(stream, stream.integer(2, 4))
}

function manyWords(stream: Stream, count: number): string {
  let text = pickWord('word', stream)
  for (let word = 1; word < count; word++) text += ` ${pickWord('word', stream)}`
  return text
}

const words = (...lists: WordList[]): Draw =>
  Object.assign((stream: Stream) => lists.map((list) => pickWord(list, stream)).join(' '), { lists })
const oneOf =
  (...texts: string[]): Draw =>
  (stream) =>
    stream.pick(texts) ?? ''
const numbered =
  (pattern: string): Draw =>
  (stream) =>
    pattern.replace(/#/g, () => String(stream.integer(0, 9)))
const sentence =
  (least: number, most: number): Draw =>
  (stream) => {
    const text = manyWords(stream, stream.integer(least, most))
    return `${text[0]?.toUpperCase()}${text.slice(1)}.`
  }

const fullName = words('firstName', 'lastName')
const company: Draw = (stream) => {
  const [adjective, noun] = [pickWord('companyAdjective', stream), pickWord('lastName', stream)]
  return `${noun} ${adjective} ${stream.pick(['Ltd', 'Inc', 'Group', 'and Sons'])}`
}
const product = words('productAdjective', 'material', 'product')
const street: Draw = (stream) => `${stream.integer(1, 999)} ${pickWord('street', stream)}`
const userName: Draw = (stream) => `${asciiOf(pickWord('firstName', stream))}${stream.integer(1, 999)}`
const image: Draw = (stream) => `https://images.example.com/${hex(stream, 8)}.png`
const dateOfBirth: Draw = (stream) =>
  `${stream.integer(1950, 2005)}${dateTime(stream).slice(4, 10).replace('02-29', '02-28')}`
const digest: Draw = (stream) => Array.from({ length: 5 }, () => hex(stream, 8)).join('')
const version: Draw = (stream) => `${stream.integer(0, 9)}.${stream.integer(0, 20)}.${stream.integer(0, 20)}`
const title: Draw = (stream) => sentence(3, 6)(stream).slice(0, -1)

const NAME_OF: readonly [RegExp, Draw][] = [
  [/product|item|article|sku/i, product],
  [/compan|organi[sz]ation|org|tenant|employer|vendor|supplier|brand/i, company],
  [/city|place|town/i, words('city')],
  [/countr/i, words('country')],
  [/user|person|people|author|customer|employee|member|contact|owner|patient|student|profile/i, fullName],
  [/pet|animal/i, words('firstName')],
  [/categor|tag|label|department|group|topic/i, words('department')],
  [/repo|project|package|service|cluster|job|file|folder|branch|bucket/i, slug],
]

const TEXTS: ReadonlyMap<string, Draw> = new Map<string, Draw>([
  ...spread(['firstname', 'givenname', 'forename'], words('firstName')),
  ...spread(['lastname', 'surname', 'familyname'], words('lastName')),
  ...spread(['fullname', 'displayname', 'author', 'owner', 'contactname'], fullName),
  ...spread(['username', 'login', 'handle', 'nickname', 'screenname'], userName),
  ...spread(['id', 'uuid', 'guid', 'key'], uuid),
  ...spread(['email', 'emailaddress', 'mail'], email),
  ...spread(['phone', 'phonenumber', 'mobile', 'tel', 'telephone', 'fax'], numbered('+1-555-01##-####')),
  ...spread(['city', 'town'], words('city')),
  ...spread(['country', 'countryname', 'nationality'], words('country')),
  ...spread(['countrycode', 'countryiso'], words('countryCode')),
  ...spread(['state', 'province', 'region', 'county'], words('state')),
  ...spread(['street', 'streetaddress', 'address', 'addressline1', 'address1', 'line1'], street),
  ...spread(['addressline2', 'address2', 'line2'], numbered('Apt. ##')),
  ...spread(['zip', 'zipcode', 'postalcode', 'postcode'], numbered('#####')),
  ...spread(
    ['company', 'companyname', 'organization', 'organisation', 'employer', 'vendor', 'brand'],
    company,
  ),
  ...spread(['jobtitle', 'job', 'occupation', 'profession'], words('jobDescriptor', 'jobArea', 'jobType')),
  ...spread(['product', 'productname'], product),
  ...spread(['title', 'subject', 'headline', 'heading'], title),
  ...spread(
    ['description', 'summary', 'bio', 'about', 'note', 'notes', 'comment', 'excerpt'],
    sentence(6, 14),
  ),
  ...spread(['body', 'content', 'text', 'message', 'detail', 'details', 'reason'], sentence(8, 20)),
  ...spread(['url', 'uri', 'website', 'homepage', 'link', 'href', 'permalink'], url),
  ...spread(
    ['avatar', 'avatarurl', 'image', 'imageurl', 'photo', 'picture', 'icon', 'thumbnail', 'logo'],
    image,
  ),
  ...spread(['color', 'colour'], words('color')),
  ...spread(['currency', 'currencycode'], oneOf('EUR', 'USD', 'GBP', 'JPY', 'CHF', 'SEK', 'CAD', 'AUD')),
  ...spread(['locale', 'lang'], oneOf('en-GB', 'en-US', 'de-DE', 'fr-FR', 'es-ES', 'pt-BR', 'ja-JP')),
  ...spread(['language'], words('language')),
  ...spread(['timezone', 'tz'], words('timeZone')),
  ...spread(['ip', 'ipaddress', 'ipv4', 'remoteaddr'], ipv4),
  ...spread(['host', 'hostname', 'domain', 'domainname'], hostname),
  ...spread(['slug', 'permalinkslug'], slug),
  ...spread(['tag', 'label', 'keyword'], words('noun')),
  ...spread(['category', 'department', 'section'], words('department')),
  ...spread(['genre'], words('genre')),
  ...spread(['material'], words('material')),
  ...spread(['species', 'animal'], words('animal')),
  ...spread(['unit'], words('unit')),
  ...spread(['gender', 'sex'], oneOf('female', 'male', 'non-binary')),
  ...spread(['role'], oneOf('admin', 'editor', 'member', 'viewer')),
  ...spread(['status'], oneOf('active', 'pending', 'inactive', 'archived')),
  ...spread(['priority', 'severity', 'level'], oneOf('low', 'medium', 'high')),
  ...spread<Draw>(['sku', 'productcode', 'code', 'reference', 'ref'], (stream) =>
    hex(stream, 8).toUpperCase(),
  ),
  ...spread(['isbn'], numbered('978-#-##-######-#')),
  ...spread(['sha', 'hash', 'digest', 'checksum', 'etag', 'commit'], digest),
  ...spread(['version', 'release'], version),
  ...spread(['mimetype', 'contenttype', 'mediatype'], oneOf('image/png', 'application/json', 'text/plain')),
  ...spread<Draw>(
    ['filename', 'file'],
    (stream) => `${slug(stream)}.${stream.pick(['txt', 'png', 'pdf', 'csv'])}`,
  ),
  ...spread(['dob', 'birthdate', 'birthday', 'dateofbirth'], dateOfBirth),
  ...spread<Draw>(['date', 'day'], (stream) => dateTime(stream).slice(0, 10)),
  ...spread(['timestamp', 'datetime', 'time'], dateTime),
])

const ENDINGS: readonly [RegExp, Draw][] = [
  [/(_at|[a-z]At|_on|[a-z]On|_time|Time|Timestamp|_timestamp)$/, dateTime],
  [/(_date|Date)$/, (stream) => dateTime(stream).slice(0, 10)],
  [/([-_]?uuid|[-_]guid|_id|[a-z]Id|ID)$/, uuid],
  [/(_|^[a-z]+)email$/i, email],
  [/(_url|Url|URL|_uri|Uri|_link|Link)$/, url],
  [/(_name|[a-z]Name)$/, fullName],
  [/(_phone|Phone)$/, numbered('+1-555-01##-####')],
  [/(_city|City)$/, words('city')],
  [/(_country|Country)$/, words('country')],
]
