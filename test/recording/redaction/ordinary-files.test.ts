import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { inlineBytes } from '../../../src/recording/exchange.ts'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import { exchangeOf } from '../samples.ts'

const REDACTOR = createRedactor({}, Buffer.alloc(32))
const DIGEST = 'fc43680ad3a1a4ec8c7b8d908af1ec9ddff87845346de5f02c735c9171fa98ea'

/** What files say that no secret stands in. */
const FILES: readonly (readonly [type: string, body: string | Buffer])[] = [
  ['text/plain', '- cookie: expire cookies at once when max-age is negative\n'],
  ['text/plain', '\t(ghs_pragma_starttda): Likewise.\n\t(ghs_pragma_section): Likewise.\n'],
  ['text/plain', '  * New upstream signing key 3D53839A70BC938B08CDD47F45460A518DA84635,\n'],
  ['text/plain', 'io.jsonwebtoken:jjwt-api\t0.13.0\t0.11.2 0.11.3\n'],
  ['text/plain', '#define EVP_CIPH_FLAG_CIPHER_WITH_MAC 0x2000000\n'],
  ['text/plain', ' man/{readpassphrase.3 => readpassphrase.3bsd}   |  0\n'],
  ['text/plain', '  * Add basic autodep8 CI test\n'],
  ['text/plain', '# driver://[user:pass@]host:port[,[userN:passN@]hostN:portN]/virtual_host?query\n'],
  ['text/plain', `ALTER USER "a" IDENTIFIED BY '$dbc_dbpass'; SELECT 1\n`],
  ['text/plain', `# - MySQL uses IDENTIFIED WITH 'plugin' BY 'password'\n`],
  ['text/plain', 'echo machine command-option-gpg login username password password\n'],
  ['text/plain', '    -accesskey => "p", -title => "Alt-p"}, "prev");\n'],
  ['text/plain', 'a="http://timestamp.example.com/?signature=sha2"\n'],
  ['text/plain', '#define NS_TSIG_ALG_HMAC_MD5 "HMAC-MD5.SIG-ALG.REG.INT"\n'],
  ['text/plain', 'kerberos\t88/tcp\t# Kerberos\nkpasswd\t\t464/tcp\nkpasswd\t\t464/udp\n'],
  ['text/plain', `    'Set-Cookie: number=7\\r\\nSet-Cookie: string=seven'\n`],
  ['application/xml', '<server><privateKey>/path/to/private/key</privateKey></server>'],
  [
    'application/javascript',
    'e.toPutty=function(r){var n="PuTTY-User-Key-File-2: ssh-rsa\\r\\n";n+="Encryption: "+r;return n}',
  ],
  // A literal with a control character, behind a letter that says how long all up to the end is.
  ['application/javascript', `a="\0";b.tokenw${'function(a){return a+1};'.repeat(5).slice(0, 119)}\0\u0001`],
  [
    'text/plain',
    'See <https://example.com/subscription/pkg/pypi-setuptools> and cvs://:pserver:anoncvs@example.com:/a\n',
  ],
  ['application/xml', '<p><commons.releaseManagerKey>86fdc7e2a11262cb</commons.releaseManagerKey></p>'],
  ['application/xml', '<dict><key>CFBundleSignature</key><string>????</string></dict>'],
  [
    'application/json',
    JSON.stringify({ files: { '../lib/a.d.ts': { version: DIGEST, signature: DIGEST } } }),
  ],
  [
    'application/octet-stream',
    gzipSync('- cookie: reject cookies with "control bytes"\n\n  password: see below\n'),
  ],
  // Names of C++, whose letters say by chance how long the rest is.
  [
    'application/octet-stream',
    Buffer.concat([
      Buffer.from('\x7fELF\0\0\xff\0strcmp\0_ZN16QBearerTokenKeys11qt_metacastEPKc\0'),
      Buffer.from('_ZN19QBearerEnginePlugin11qt_metacallEN11QMetaObject4CallEiPPv\0\xfe', 'latin1'),
    ]),
  ],
  // Names of a compiled program of Python, each behind its length.
  [
    'application/octet-stream',
    Buffer.from('\xa7\r\r\n\0\0\0\0\xda\x14der_to_raw_signature\xda\x0bforce_bytes\xda\x03abc', 'latin1'),
  ],
  [
    'application/octet-stream',
    Buffer.from('\0\0\0\xff-----BEGIN PGP MESSAGE-----\0-----BEGIN PGP PRIVATE KEY BLOCK-----\0\0', 'latin1'),
  ],
]

it.for(FILES)('leaves the ordinary file %# as it is (%s)', ([type, body]) => {
  const { content } = REDACTOR.exchange(
    exchangeOf({ responseHeaders: [['content-type', type]], responseBody: body }),
  ).response
  expect(inlineBytes(content)).toEqual(Buffer.from(body))
})

it('looks into what is said of a picture at its beginning and end, and leaves what is between', () => {
  const pixels = Buffer.alloc(100_000, 0xff)
  const said = (word: string): Buffer => Buffer.from(`\0tEXtComment\0password=${word}\0\0`)
  const parts = [said('hunter2hunter2x1'), pixels, said('hunter2hunter2x2'), pixels, said('hunter2hunter2x3')]
  const picture = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\r', 'latin1'), ...parts])
  const { content } = REDACTOR.exchange(
    exchangeOf({ responseHeaders: [['content-type', 'image/png']], responseBody: picture }),
  ).response
  const text = inlineBytes(content)?.toString('latin1') ?? ''
  expect(text).toHaveLength(picture.length)
  expect(text.match(/hunter2hunter2x\d/g)).toEqual(['hunter2hunter2x2'])
})
