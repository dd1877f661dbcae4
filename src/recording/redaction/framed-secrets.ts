/** A key of Azure, which says in base64 whose it is. */
function markedKey(mark: string, before: string, after: string): readonly [mark: string, pattern: RegExp] {
  const letters = '[A-Za-z0-9+/]'
  const pattern = String.raw`(?<![\w+/])${letters}${before}${mark.replace('+', String.raw`\+`)}${letters}${after}`
  return [mark, new RegExp(pattern, 'g')]
}

/** What stands around or between, so that it has to be looked for in the whole text. */
export const FRAMED: readonly (readonly [mark: string, pattern: RegExp])[] = [
  // Encrypted ones have headers (RFC 1421), those of OpenPGP are blocks (RFC 9580), and a cut one has no end. SSH2 has
  // marks of its own (RFC 4716). A program that looks for the beginning has a quote behind it.
  [
    'PRIVATE KEY',
    /-{4,5} ?BEGIN [A-Z0-9 _-]{0,60}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?!-)(?!(?:\\{1,2}n)?["'\x60](?!\s{0,40}[+,.\\]?\s{0,40}["'\x60][A-Za-z\d+/]{8}))(?:(?!----)[\s\S]){4,}(?:-{4,5} ?END [A-Z0-9 _-]{0,60}-)?/g,
  ],
  ['Static key', /-----BEGIN OpenVPN Static key V\d-----(?:(?!-----)[\s\S])*/g],
  [
    'PuTTY-User-Key-File',
    /PuTTY-User-Key-File-\d: ?[\w-]{1,40}(?:\\{1,4}[rn]|\s)(?!(?:\\{1,4}[rn]|\s){0,4}["'\x60]\s{0,9}[;,)])(?:(?!Private-MAC|PuTTY-User)[\s\S])*(?:Private-MAC: ?[0-9a-f]*)?/g,
  ],
  [
    '$ANSIBLE_VAULT',
    /(?<=\$ANSIBLE_VAULT;[\w.;-]{1,40}(?:\\?[nr]|\s){1,4})[0-9a-f](?:[0-9a-f]|\\?[nr]|\s)*/g,
  ],
  // Hashes of passwords, as crypt(5) and libraries of it write them.
  ['$2a$', /\$2a\$\d\d\$[./A-Za-z0-9]{53}/g],
  ['$2b$', /\$2b\$\d\d\$[./A-Za-z0-9]{53}/g],
  ['$2y$', /\$2y\$\d\d\$[./A-Za-z0-9]{53}/g],
  ['$6$', /\$6\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}/g],
  ['$5$', /\$5\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43}/g],
  ['$y$', /\$y\$[./A-Za-z0-9]{1,20}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}/g],
  ['$apr1$', /\$apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}/g],
  [
    'SCRAM-SHA-',
    /SCRAM-SHA-\d{1,3}\$\d{1,9}:[A-Za-z0-9+/]{8,90}={0,2}\$[A-Za-z0-9+/]{27,90}={0,2}:[A-Za-z0-9+/]{27,90}={0,2}/g,
  ],
  ['$argon2', /\$argon2(?:id?|d)\$v=\d+\$[\w=,]{5,60}\$[A-Za-z0-9+/]{8,90}\$[A-Za-z0-9+/]{20,100}/g],
  ['pbkdf2_', /pbkdf2_sha\d+\$\d+\$[^\s$"'<>]{1,60}\$[A-Za-z0-9+/]{40,90}={0,2}/g],
  [
    'hooks.slack.com/',
    /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)(?![xX/]+(?![\w/+-]))[\w/+-]+/g,
  ],
  ['hooks.zapier.com/', /(?<=hooks\.zapier\.com\/hooks\/(?:catch|standard)\/)[\w/-]+/g],
  ['/bot/v2/hook/', /(?<=\/bot\/v2\/hook\/)[\w-]{20,}/g],
  ['/with/key/', /(?<=\/with\/key\/)[\w-]{16,}/g],
  ['hc-ping.com/', /(?<=hc-ping\.com\/)[\w-]{20,}/g],
  ['/webhooks/', /(?<=\/webhooks\/\d{10,25}\/)[\w-]{20,}/g],
  // Addresses of services, of which a part is the key.
  ['infura.io/', /(?<=\binfura\.io\/(?:ws\/)?v3\/)[0-9a-f]{32}(?![\w-])/g],
  ['quiknode.pro/', /(?<=\bquiknode\.pro\/)[0-9a-f]{40}(?![\w-])/g],
  ['pagerduty.com/', /(?<=\bevents\.pagerduty\.com\/integration\/)[\w-]{20,}/g],
  ['loggly.com/', /(?<=\bloggly\.com\/(?:inputs|bulk)\/)[\w-]{20,}/g],
  ['sumologic.com/', /(?<=\bsumologic\.com\/receiver\/v1\/http\/)[\w+/=-]{40,}/g],
  ['/webhookb2/', /(?<=\/webhookb2\/)[\w@/-]{30,}/g],
  ['/bot', /(?<=\/bot)\d{6,12}:[\w-]{35}(?![\w-])/g],
  [':A', /\b\d{8,10}:A[\w-]{34}(?![\w-])/g],
  [':APA91b', /(?<![\w-])[\w-]{11,22}:APA91b[\w-]{80,}/g],
  ['1//', /\b1\/\/0[\w-]{30,}/g],
  ['|', /\b\d{15,16}\|[\w-]{27,40}(?![\w-])/g],
  ['|', /\b(?:prod|dev|preview):[a-z]{2,20}-[a-z]{2,20}-\d{1,4}\|[\w+/=-]{20,}/g],
  ['.atlasv1.', /\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}/g],
  ['Q~', /(?<![\w~.])[\w~.]{3}\dQ~[\w~.-]{31,34}/g],
  ['-us', /\b[0-9a-f]{32}-us\d{1,2}(?![\w-])/g],
  // What marks the keys of Azure and of New Relic stands within and at the end.
  ['JQQJ9', /(?<![A-Za-z0-9])[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{25,31}(?![A-Za-z0-9])/g],
  ...['+ASt', 'ACDb', '+ABa', '+AMC', 'APIM'].map((mark) => markedKey(mark, '{70,78}', '{5,10}==')),
  ...['+ASb', '+AEh', '+ARm', 'AIoT', 'AzCa', 'AZEG'].map((mark) => markedKey(mark, '{33}', '{6}=')),
  ['AzFu', /(?<![\w-])[\w-]{44}AzFu[\w-]{5}[\w=-]{2}/g],
  ['AzSe', /(?<![A-Za-z0-9])[A-Za-z0-9]{42}AzSe[A-Za-z0-9]{6}(?![A-Za-z0-9])/g],
  ['AZDO', /(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/g],
  ['+ACR', /(?<![\w+/])[A-Za-z0-9+/]{42}\+ACR[A-Za-z0-9+/]{6}(?![\w+/])/g],
  ['NRAL', /(?<![A-Za-z0-9])[A-Za-z0-9]{32,36}NRAL(?![\w-])/g],
  ['NRMA', /(?<![A-Za-z0-9])(?:AA[0-9a-f]{40}|eu01xx[0-9a-f]{36})-NRMA(?![\w-])/g],
  ['==:', /(?<![\w+/])[A-Za-z0-9+/]{22}==:[A-Za-z0-9]{32}(?![\w-])/g],
  ['.v1.', /(?<![\w-])[A-Za-z0-9]{14,20}\.v1\.[\w-]{20,}\.[0-9a-f]{32,}(?![\w-])/g],
  // What is live, whoever issued it, but for keys that pages have.
  [
    '_live_',
    /(?<![\w-])(?!p[a-z]{0,2}k?_)[a-z]{2,12}_live_(?=[A-Za-z]*\d|[a-z]*[A-Z][A-Z]*[a-z])[A-Za-z0-9]{16,}(?![\w-])/g,
  ],
  // The passwords of a directory (RFC 2307, section 5.3), and calendars that are shared by their address.
  ['{S', /(?<=\{S(?:SHA|HA|MD5)\d{0,3}\})[A-Za-z0-9+/]{24,}={0,2}/g],
  ['{CRYPT', /(?<=\{CRYPT\})[^\s"'<>]{13,}/g],
  ['/private-', /(?<=\/private-)[0-9a-f]{32}(?![\w-])/g],
  ['_mmk', /\b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b/g],
  ['s.', /(?<![\w.-])s\.(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}(?![\w-])/g],
  ['base64:', /(?<=\bbase64:)[A-Za-z0-9+/]{43}=(?![\w=])/g],
  ['earer ', /(?<=\bbearer )(?=[\w.~+/-]{0,99}\d)[\w.~+/-]{8,}=*/gi],
  // A request line, and a word with a number, as of a standard, stand behind others.
  [
    'oken ',
    /(?<=\btoken )(?!HTTP\/\d|[A-Za-z]{2,20}[-_/]?\d{1,4}(?:\.\d{1,3})?(?![\w.~+/-]))(?=[\w.~+/-]{0,99}\d)[\w.~+/-]{8,}=*/gi,
  ],
  ['piKey ', /(?<=\bapikey )(?=[\w.~+/-]{0,99}\d)[\w.~+/-]{16,}=*/gi],
  // Letters of both cases, unlike a word behind another.
  ['asic ', /(?<=\b[Bb]asic )(?=[\w+/-]{0,99}[\d=])(?=[\w+/-]{0,99}[A-Z])[\w+/-]{8,}(?![\w~+/-]|\.\w)=*/g],
]
