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

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const ASANA = exactly(String.raw`\d{11,17}(?:\/\d{13,18})?:[0-9a-f]{32}`)
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'

/** What issuers put before what they make at random. */
export const BEGINNINGS: readonly (readonly [beginnings: string, rest: Rest])[] = [
  // Source forges and package indexes.
  [
    `${each('gh', 'pousr', '_').join(' ')} github_pat_ ATBB BBDC- ATATT3x ATCTT3x pypi- rubygems_ CLOJARS_`,
    ISSUED,
  ],
  ['glpat- gldt- glrt- glrtr- glptt- glsoat- glcbt- glffct- glft- glimt- glagent- gloas- GR1348941', ISSUED],
  ['dckr_pat_ dckr_oat_ CCIPAT_ CCIPRJ_ bkua_ AKCp cmVmd packagist_ jsrp_ jsrt_ jsrd_ jsrw_ sktsec_', ISSUED],
  // A package's scripts also say `npm_package_version`.
  ['npm_', exactly('[A-Za-z0-9]{36,}')],
  ['oy2', exactly('[a-z0-9]{43}')],
  ['cio', exactly('[A-Za-z0-9]{32}')],
  // Models and their hubs.
  [
    'hf_ api_org_ sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or- sk-lf- r8_ gsk_ pplx- nvapi- tvly- pcsk_ lsv2_',
    ISSUED,
  ],
  ['jina_ tgp_v1_ wandb_v1_ ctx7sk- apify_api_ rpa_ os_v2_app_ os_v2_org_', ISSUED],
  ['e2b_', exactly('[0-9a-f]{40}')],
  ['fc-', exactly('[0-9a-f]{32}')],
  // Clouds and what runs there.
  [
    'dop_v1_ doo_v1_ dor_v1_ LTAI GOCSPX- ya29. sbp_ sb_secret_ pscale_tkn_ pscale_oauth_ pscale_pw_ fo1_ HRKU-',
    ISSUED,
  ],
  ['bedrock-api-key- tskey- sha256~ AIza AQVN t1.9eu vercel_blob_rw_ AVNS_ mdb_sa_sk_ xau_ nbp_', ISSUED],
  ['vcp_ vci_ vca_ vcr_ vck_ cfut_ cfat_ cfk_', { pattern: '[A-Za-z0-9]{24,}' }],
  ['t1.', { pattern: String.raw`[\w=-]{1,200}\.[\w-]{86}={0,2}` }],
  [each('YC', CHARACTERS).join(' '), exactly(String.raw`[\w-]{37}`)],
  ['SCW', exactly('[0-9A-Z]{17}')],
  // Temporary keys and tokens of services, which are base64 of what has a fixed beginning.
  ['IQoJb3JpZ2lu FwoGZXIvYXdz gAAAAAB gAAAAAC', { pattern: '[A-Za-z0-9+/_-]{60,}={0,2}' }],
  ['SWMTKN-1- SWMKEY-1-', ISSUED],
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
  // Of PASETO, whose claims anyone can read where they are `public`.
  [
    '1234'
      .split('')
      .flatMap((version) => [`v${version}.local.`, `v${version}.public.`])
      .join(' '),
    ISSUED,
  ],
  ['ory_at_ ory_rt_ ory_ac_ ory_pat_ nsec1', ISSUED],
  ['xprv yprv zprv tprv', exactly('[1-9A-HJ-NP-Za-km-z]{107}')],
  // Data, work and chat.
  ['dapi PMAK- PMAT- ntn_ lin_api_ lin_oauth_ figd_ figo_ figr_ tfp_ CFPAT- xapp- mfa.', ISSUED],
  [`${each('xox', 'abcdeoprs', '-').join(' ')} xoxe.xoxb- xoxe.xoxp-`, ISSUED],
  ['pat', exactly(String.raw`[A-Za-z0-9]{14}\.[0-9a-f]{64}`)],
  ['dbtc_ dbtu_ dbts_ WPL_AP1. phx_ phs_ aio_', ISSUED],
  ['dose', exactly('[0-9a-f]{32}')],
  ['pat-', exactly(String.raw`[a-z]{2}\d-${UUID}`)],
  ['api- sdk- mob-', exactly(UUID)],
  ['secret- console-', exactly('[A-Za-z0-9]{43}')],
  ['secret-test- secret-live-', BASE64],
  ['sk.eyJ tk.eyJ', ISSUED],
  ['1000.', exactly(String.raw`[0-9a-f]{32}\.[0-9a-f]{32}`)],
  ['endr+', exactly('[A-Za-z0-9-]{16}')],
  // Those of Asana, after the number of their kind and that of a user.
  [['1/', '2/'].flatMap((kind) => each(kind, '123456789')).join(' '), ASANA],
  // The zeros before the number of an application.
  ['AAAAAAAAAAAAAAAAAAAAA', { pattern: '(?=[A-Za-z0-9+/]{0,120}[%=][A-Za-z0-9])[A-Za-z0-9+/%=]{50,160}' }],
  [each('00', CHARACTERS).join(' '), { pattern: String.raw`[\w-]{39}(?![\w-])`, isUsual: true }],
  [
    ...[
      'MNO'
        .split('')
        .flatMap((first) => 'DTjz'.split('').flatMap((second) => each(first + second, CHARACTERS)))
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
  ['mlsn.', ISSUED],
  ['AQE', { pattern: String.raw`[A-Za-z0-9+/]{20,200}-[A-Za-z0-9+/]{20,80}=-[^\s"'<>&\\]{8,60}` }],
  ['pk_', exactly('[0-9a-f]{34}')],
  ['ck_ cs_', exactly('[0-9a-f]{40}')],
  ['signkey-prod- signkey-test- signkey-branch-', ISSUED],
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
