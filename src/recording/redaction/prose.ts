const words = (...lists: string[]): ReadonlySet<string> => new Set(lists.join(' ').split(' '))

/** What forms label a field with: passwords have neither its mark nor its length. */
const FIELD_LABEL = /^\p{Lu}[\p{L}\p{M}'’-]{2,30}(?: [\p{L}\p{M}'’-]{2,30}){0,4} ?:$/u
const MANY_WORDS = /^[¿¡«"'(]?\p{Lu}\S{0,40}(?: \S{1,40}){5,60}$/u
const DIGITS_APART = /^\D*\d[^A-Za-z]*[A-Za-z].*\d/
const LONGEST_COMPLAINT = 200
const MAX_NUMBERS = 2

/** What is wrong with an input, and what joins that to the input. */
const WRONG = words(
  'required blank empty null undefined missing short shorter long longer common weak simple similar least most minimum maximum',
  'character characters invalid incorrect wrong match matches numeric taken compromised breached exceed exceeds between',
  'letter letters digit digits uppercase lowercase different same valid',
)
const JOINING = words(
  'is are be was must may might should shall has have can cannot do does not been',
  "can't can’t isn't isn’t doesn't doesn’t don't don’t didn't didn’t",
)
const OF_INPUTS = words(
  'a an the this that these your its it of or and to in for with than from by at as if too only any all no none one two three more less fewer equal equals to already',
  'field fields value values property input string text length size name username user email account confirmation confirm',
  'min max ensure expected received got given provided specified contain contains contained include includes consist consisting entirely very',
  'number numbers symbol symbols special upper lower case space spaces whitespace alphanumeric ascii greater smaller both each other',
  'used use previous old new current strong enough allowed supported unsupported filled set unique present array boolean integer object type format',
  'password passwords passphrase passcode secret token key code pin credential credentials please enter choose',
)
/** Words that tie sentences together, of which phrases made at random have few. */
const TYING = words(
  'a an the this that of or and to in for with from by at as if is are be was will must may should can not no you your it its when where which who on has have',
  'der die das ein eine und oder zu mit von für ist sind sie ihr le la les un une et ou de du des pour avec est vous votre el los las y para con es su tu il lo gli e per che di da o um uma os em não het een en van voor niet uw je',
)
const TIES = 2
/** What secrets are called where texts are about them, in a word or a part of one. */
const OF_SECRETS =
  /pass(?:w|phrase|code|wort)|kennwort|wachtwoord|contrase|mot de passe|senha|parola|token|secret|geheim|\bkeys?\b|schlüssel|\bclave|\bchiave|credential|login|log in|sign|account|konto|compte|cuenta|auth|session|sitzung|cookie|code|user|benutzer|hasł|hesl|şifre|parol|mật khẩu|jelsz|lösenord|adgangskod|lozink|gesl|slaptažod|lykilor|fjalëkalim|žeton|žetón|clé|sleutel|signatur|firma|sesi|access|zugang|acces|character|zeichen|request|header/i

/** Whether a text has a word for secrets, or for what they are needed for, in one of many languages. */
export function isAboutSecrets(text: string): boolean {
  return OF_SECRETS.test(text)
}

/**
 * Whether a text says something of a secret, as labels, checks and documentation do.
 * @param name of the secret, in lower case and without separators
 */
export function isProse(name: string, value: string): boolean {
  if (FIELD_LABEL.test(value) || isComplaint(name, value)) return true
  if (!MANY_WORDS.test(value)) return false
  const parts = value.split(/\s/)
  if (parts.some((part) => DIGITS_APART.test(part))) return false
  const ties = wordsIn(value).filter((word) => TYING.has(word)).length
  return ties >= TIES && (isAboutSecrets(value) || /[.!?…]["'»)]?$/.test(value))
}

// `This field is required.`, `is too short (minimum is 8 characters)`. Each word has to be one of those that checks
// have: a phrase of other words may be the secret.
function isComplaint(name: string, value: string): boolean {
  if (value.length > LONGEST_COMPLAINT || !value.includes(' ')) return false
  const said = wordsIn(value)
  const numbers = said.filter((word) => /^\d{1,3}\+?$/.test(word)).length
  return (
    numbers <= MAX_NUMBERS &&
    said.some((word) => WRONG.has(word)) &&
    (said.some((word) => JOINING.has(word)) || WRONG.has(said[0] as string)) &&
    said.every(
      (word) =>
        WRONG.has(word) ||
        JOINING.has(word) ||
        OF_INPUTS.has(word) ||
        /^\d{1,3}\+?$/.test(word) ||
        word === name,
    )
  )
}

// A sign within a word, as in `abc.def`, is part of it.
function wordsIn(value: string): readonly string[] {
  return value
    .toLowerCase()
    .split(/\s/)
    .map((word) => word.replace(/^[\\"'«“‘(]{1,3}/, '').replace(/(?:\(s\))?[).,:;!?\\"'»”]{0,4}$/, ''))
    .filter((word) => word !== '')
}
