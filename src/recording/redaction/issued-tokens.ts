/** How a token goes on after its beginning. */
interface Rest {
  readonly pattern: string
  /** Others may begin so as well, so that what follows has to look as if it were made at random. */
  readonly isUsual?: true
}

const WORD = String.raw`(?:[\w~-]|[.=](?=[\w-])){10,}`
const ISSUED: Rest = { pattern: WORD }
const BASE64: Rest = { pattern: String.raw`[\w+/-]{10,}={0,2}` }
const USUAL: Rest = { pattern: String.raw`[\w~.-]{10,400}`, isUsual: true }

const exactly = (pattern: string): Rest => ({ pattern: `${pattern}(?![\\w-])` })
const each = (before: string, middles: string, after = ''): string[] =>
  middles.split('').map((middle) => before + middle + after)

/** What issuers put before what they make at random. */
export const BEGINNINGS: readonly (readonly [beginnings: string, rest: Rest])[] = [
  // Source forges and package indexes.
  [
    `${each('gh', 'pousr', '_').join(' ')} github_pat_ ATBB BBDC- ATATT3x ATCTT3x npm_ pypi- rubygems_ CLOJARS_`,
    ISSUED,
  ],
  ['glpat- gldt- glrt- glrtr- glptt- glsoat- glcbt- glffct- glft- glimt- glagent- gloas- GR1348941', ISSUED],
  ['dckr_pat_ dckr_oat_ CCIPAT_ CCIPRJ_ bkua_ AKCp cmVmd', ISSUED],
  ['oy2', exactly('[a-z0-9]{43}')],
  ['cio', exactly('[A-Za-z0-9]{32}')],
  // Models and their hubs.
  [
    'hf_ api_org_ sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or- sk-lf- r8_ gsk_ pplx- nvapi- tvly- pcsk_ lsv2_',
    ISSUED,
  ],
  // Clouds and what runs there.
  [
    'dop_v1_ doo_v1_ dor_v1_ LTAI GOCSPX- ya29. sbp_ sb_secret_ pscale_tkn_ pscale_oauth_ pscale_pw_ fo1_ HRKU-',
    ISSUED,
  ],
  ['bedrock-api-key- tskey- sha256~ AIza AQVN t1.9eu', ISSUED],
  ['ABSK fm1a_ fm1r_ fm2_', BASE64],
  ['AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA', exactly('[0-9A-Z]{16}')],
  ['A3T', exactly('[0-9A-Z]{17}')],
  ['v1.', exactly('0-[0-9a-f]{24}-[0-9a-f]{146}')],
  ['4b1d', exactly('[A-Za-z0-9]{38}')],
  // Vaults, and keys as base64.
  ['hvs. hvb. hvr. dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. AGE-SECRET-KEY-1 pul-', ISSUED],
  ['ops_eyJ LS0tLS1CRUdJTi ZXlK eyJrIjoi', BASE64],
  ['A3-', exactly('[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}')],
  // Unsigned, signed and encrypted ones: the first part starts with `{"` (RFC 7519, section 3).
  ['eyJ', { pattern: String.raw`(?<![\w-]eyJ)[\w-]+\.[\w-]*\.[\w-]*(?:\.[\w-]+){0,2}` }],
  // Data, work and chat.
  ['dapi PMAK- PMAT- ntn_ lin_api_ lin_oauth_ figd_ figo_ figr_ tfp_ CFPAT- xapp- mfa.', ISSUED],
  [`${each('xox', 'abceoprs', '-').join(' ')} xoxe.xoxb- xoxe.xoxp-`, ISSUED],
  ['pat', exactly(String.raw`[A-Za-z0-9]{14}\.[0-9a-f]{64}`)],
  [
    ...[
      'MNO'
        .split('')
        .flatMap((first) => 'DTjz'.split('').flatMap((second) => each(first + second, 'AEIMQUYcgk')))
        .join(' '),
    ],
    exactly(String.raw`[\w-]{20,25}\.[\w-]{6}\.[\w-]{27,45}`),
  ] as [string, Rest],
  // Shops, payment and mail.
  [
    'shpat_ shpca_ shppa_ shpss_ shpua_ sq0atp- sq0csp- sq0idp- FLWSECK- FLWSECK_TEST- A21AA EZAK EZTK',
    ISSUED,
  ],
  [
    'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ rzp_live_ rzp_test_ duffel_live_ duffel_test_',
    ISSUED,
  ],
  [
    'shippo_live_ shippo_test_ access-sandbox- access-development- access-production- SG. xkeysib- xsmtpsib-',
    ISSUED,
  ],
  ['EAAA whsec_', BASE64],
  ['access_token$', { pattern: String.raw`[a-z]{3,20}\$[\w$]+` }],
  [each('SK', '0123456789abcdefABCDEF').join(' '), exactly('[0-9a-fA-F]{31}')],
  ['pi_ seti_', { pattern: String.raw`\w{10,40}_secret_\w{10,}` }],
  // What watches.
  [
    'glsa_ sntryu_ NRAK- NRII- NRJS- NRAL- dt0c01. dt0s01. dt0s16. hcaik_ hcbik_ squ_ sqp_ sqa_ pnu_ rdme_ tk-us-',
    ISSUED,
  ],
  ['sm_aat_ sm_pat_ sm_sat_', ISSUED],
  ['glc_ sntrys_', BASE64],
  // Others begin so as well.
  [
    'secret_ token_ api_key_ apikey_ key_live_ key_test_ pat_ sk_ rk_ live_ test_pub_ xai- csk- sk- sess-',
    USUAL,
  ],
  [
    'napi_ nfp_ rnd_ sl. ico- p8e- fio-u- sgp_ sgd_ API- pat. sat. key- pubkey- md- re_ fw_ pa- st. ls__',
    USUAL,
  ],
  ['api-key- sdk- mob- AKID EAA s-s4t2ud- s-s4t2af- zpka_', USUAL],
]
