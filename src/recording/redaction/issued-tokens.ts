/** How a token goes on after its beginning. */
interface Rest {
  readonly pattern: string
  /** Others may begin so as well, so that what follows has to look as if it were made at random. */
  readonly isUsual?: true
}

const WORD = String.raw`(?:[\w~-]|[.=](?=[\w-])){10,}`
const ISSUED: Rest = { pattern: WORD }
const BASE64: Rest = { pattern: String.raw`[\w+/-]{10,}={0,2}` }
const USUAL: Rest = { pattern: String.raw`[\w~.-]{16,400}`, isUsual: true }

const exactly = (pattern: string): Rest => ({ pattern: `${pattern}(?![\\w-])` })
const usually = (pattern: string): Rest => ({ ...exactly(pattern), isUsual: true })
const each = (before: string, middles: string, after = ''): string[] =>
  middles.split('').map((middle) => before + middle + after)

/** Zeros in base64 of programs begin like tokens; a path before a token is seldom as long. */
const notInBase64 = (beginning: string): string => `(?<![A-Za-z0-9+/]{40}[+/]${beginning})`

const HEX = '[0-9A-Fa-f]'
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const ANY_UUID = `${HEX}{8}(?:-${HEX}{4}){3}-${HEX}{12}`
const ASANA = exactly(String.raw`\d{11,17}(?:\/\d{13,18})?:[0-9a-f]{32}`)
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'

/** What issuers put before what they make at random. */
export const BEGINNINGS: readonly (readonly [beginnings: string, rest: Rest])[] = [
  // Source forges and package indexes.
  // Names of functions and of packages begin so as well.
  [`${each('gh', 'pousr', '_').join(' ')} pypi-`, { ...ISSUED, isUsual: true }],
  [`github_pat_ ATBB BBDC- ATATT3x ATCTT3x CLOJARS_`, ISSUED],
  ['rubygems_', { ...ISSUED, isUsual: true }],
  ['glpat- gldt- glrt- glrtr- glptt- glsoat- glcbt- glffct- glft- glimt- glagent- gloas- GR1348941', ISSUED],
  ['dckr_pat_ dckr_oat_ CCIPAT_ CCIPRJ_ bkua_ bkct_ AKCp packagist_ jsrp_ jsrt_ jsrd_ jsrw_ sktsec_', ISSUED],
  [
    each('AP', '0123456789ABCDEF').join(' '),
    usually('(?<![A-Za-z0-9+/]{16}[+/]AP.)[A-Za-z0-9]{32,60}(?![+=]|/[A-Za-z0-9+/=]{2,}\\s)'),
  ],
  // Of chats, where they stand behind `PASS`.
  ['oauth:', exactly('[a-z0-9]{30}')],
  ['slk_', exactly('[0-9a-f]{64}')],
  ['p8e-', exactly('[A-Za-z0-9]{32}')],
  ['shltm_', exactly(String.raw`[\w-]{40}`)],
  // A package's scripts also say `npm_package_version`.
  ['npm_', exactly('[A-Za-z0-9]{36,}')],
  ['oy2', exactly('[a-z0-9]{43}')],
  ['cio', exactly('[A-Za-z0-9]{32}')],
  ['cmVmd', BASE64],
  ['csa_', exactly('[0-9a-f]{40}')],
  ['snyk_uat. snyk_sat.', ISSUED],
  ['lip_ lio_', exactly('[A-Za-z0-9]{20,32}')],
  // Models and their hubs.
  [
    'hf_ api_org_ sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or- sk-lf- r8_ gsk_ pplx- nvapi- tvly- pcsk_ lsv2_',
    ISSUED,
  ],
  ['jina_ tgp_v1_ wandb_v1_ ctx7sk- apify_api_ rpa_ os_v2_app_ os_v2_org_', ISSUED],
  ['e2b_', exactly('[0-9a-f]{40}')],
  ['fc- KGAT_ cu_', exactly('[0-9a-f]{32}')],
  ['app- dataset-', usually('[A-Za-z0-9]{24}')],
  ['as- ak-', usually('[A-Za-z0-9]{22}')],
  ['BSA', usually(String.raw`[\w-]{27,28}`)],
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
  ['DO00', exactly('[0-9A-Z]{16}')],
  ['da2-', exactly('[a-z0-9]{26}')],
  ['dnkey-', ISSUED],
  ['0.A 1.A', { pattern: String.raw`[\w-]{50,}(?:\.\d)?\.Ag[\w-]{200,}(?:\.A[\w-]{200,})?` }],
  // Temporary keys and tokens of services, which are base64 of what has a fixed beginning.
  ['IQoJb3JpZ2lu FwoGZXIvYXdz gAAAAAB gAAAAAC', { pattern: '[A-Za-z0-9+/_-]{60,}={0,2}' }],
  ['SWMTKN-1- SWMKEY-1-', ISSUED],
  ['ABSK fm1a_ fm1r_ fm2_', BASE64],
  ['AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA', exactly('[0-9A-Z]{16}')],
  ['A3T', exactly('[0-9A-Z]{17}')],
  ['v1.', exactly('0-[0-9a-f]{24}-[0-9a-f]{146}')],
  ['amzn.mws. xaat- xapt- persona_production_ persona_sandbox_', exactly(UUID)],
  ['Atza| Atzr|', { pattern: '[A-Za-z0-9+/=_-]{60,}' }],
  ['amzn1.oa2-cs.v1.', ISSUED],
  ['AQ.Ab8R', ISSUED],
  ['GOOG1E', exactly('[A-Z0-9]{50,60}')],
  ['4/0', { pattern: String.raw`[\w-]{50,}` }],
  ['tsec_ vtwn_ unkey_ retool_01 hcamk_', ISSUED],
  ['y0_ y1_ y2_ y3_', exactly(String.raw`[\w-]{50,60}`)],
  ['4b1d', exactly('[A-Za-z0-9]{38}')],
  // Vaults, and keys as base64.
  ['hvs. hvb. hvr. dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. AGE-SECRET-KEY-1 pul-', ISSUED],
  // But for certificates and public keys.
  [
    'LS0tLS1CRUdJTi',
    {
      pattern: String.raw`(?!(?:BDRVJUSUZJQ0FUR|BQVUJMSUMgS0VZ|BSU0EgUFVCTElD)(?!\w[\w+/]{0,65536}(?:UFJJVkFURSBL|BSSVZBVEUgS0|QUklWQVRFIE)))[\w+/-]{10,}={0,2}`,
    },
  ],
  ['ops_eyJ ZXlK eyJrIjoi eyJhIjoi essu_ aivenv1:', BASE64],
  [
    each('0.', '0123456789abcdef').join(' '),
    { pattern: String.raw`[0-9a-f]{7}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[\w-]{20,60}:[A-Za-z0-9+/]{22}==` },
  ],
  ['A3-', exactly('[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}')],
  // Unsigned, signed and encrypted ones: the first part starts with `{"` (RFC 7519, section 3).
  ['eyJ', { pattern: String.raw`(?<![\w-]eyJ)[\w-]+={0,2}(?!\.{3})\.[\w-]*={0,2}\.[\w-]*(?:\.[\w-]+){0,2}` }],
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
  [
    'ABCD'
      .split('')
      .flatMap((second) => each(`S${second}`, BASE32))
      .join(' '),
    exactly('[A-Z2-7]{53}'),
  ],
  // Macaroons: base64 of `location` behind its length.
  ['MDAx MDAy MDAz', { pattern: String.raw`[\w+/-]{2}xvY2F0aW9u[\w+/-]{40,}={0,2}` }],
  // Data, work and chat.
  ['dapi', exactly(String.raw`[0-9a-f]{32}(?:-\d)?`)],
  ['PMAK- PMAT- ntn_ lin_api_ lin_oauth_ figd_ figo_ figr_ figp_ tfp_ CFPAT- xapp- mfa.', ISSUED],
  [`${each('xox', 'abcdeoprs', '-').join(' ')} xoxe.xoxb- xoxe.xoxp-`, ISSUED],
  ['pat', exactly(String.raw`[A-Za-z0-9]{14}\.[0-9a-f]{64}`)],
  ['dbtc_ dbtu_ dbts_ WPL_AP1. phx_ phs_', ISSUED],
  ['aio_', exactly('[A-Za-z0-9]{28}')],
  ['dose dkea', exactly('[0-9a-f]{32}')],
  ['hxtp_', exactly('[0-9a-f]{60,}')],
  ['depot_project_ depot_user_ depot_org_ rootly_', exactly('[0-9a-f]{64}')],
  ['mb_', { pattern: '[A-Za-z0-9+/]{43,44}=?(?![\\w+/-])' }],
  ['key', usually('[A-Za-z0-9]{14}')],
  ['cflt', exactly('[A-Za-z0-9+/]{60}')],
  ['ATTA', exactly('[0-9a-fA-F]{72}')],
  ['00D', { pattern: String.raw`[A-Za-z0-9]{12,15}!(?:AQ)?[\w.]{60,}` }],
  ['syt_', { pattern: String.raw`[\w-]{1,400}_[A-Za-z0-9]{20}_[A-Za-z0-9]{6}(?![\w-])` }],
  ['IGQV IGAA', exactly('[A-Za-z0-9]{80,}')],
  ['vk1.a.', ISSUED],
  ['act.', { pattern: String.raw`[\w-]{40,}![\w.]{3,12}` }],
  ['xwfp-', ISSUED],
  ['token-', exactly('[a-z0-9]{5}:[a-z0-9]{54}')],
  ['kubeconfig-', exactly(String.raw`[\w-]{1,40}:[a-z0-9]{54}`)],
  ['oauth:', exactly('[a-z0-9]{30}')],
  ['api- cli-', usually('[a-z0-9]{28}')],
  ['ser.', usually('[A-Za-z0-9]{22}')],
  [
    'scauth_ authress_ ext_ sc_',
    { pattern: String.raw`[a-z0-9]+\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[\w+/=-]{30,120}` },
  ],
  ['pat-', exactly(String.raw`[a-z]{2}\d-${ANY_UUID}`)],
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
  // UUIDs and digests begin so, too, but have letters of one case.
  [each('00', CHARACTERS).join(' '), usually(String.raw`(?=[\w-]{0,38}[A-Z])(?=[\w-]{0,38}[a-z])[\w-]{39}`)],
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
  ['shpat_ shpca_ shppa_ shpss_ shpua_ shptka_ FLWSECK- FLWSECK_TEST- A21AA EZAK EZTK', ISSUED],
  [
    'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ rzp_live_ rzp_test_ duffel_live_ duffel_test_',
    ISSUED,
  ],
  [
    'shippo_live_ shippo_test_ access-sandbox- access-development- access-production- xkeysib- xsmtpsib-',
    ISSUED,
  ],
  ['SG.', { pattern: String.raw`[\w-]{16,32}\.[\w-]{16,64}` }],
  ['whsec_', BASE64],
  ['sq0', { pattern: String.raw`[aci][a-z]{2}-[\w-]{22,50}` }],
  ['na1. eu1.', { pattern: '[A-Za-z0-9+/]{100}' }],
  // Not within base64.
  ['EAAA', exactly(`${notInBase64('EAAA')}[\\w-]{22,60}`)],
  ['ek_live_ ek_test_ link-sandbox- link-development- link-production- Mid-server- SB-Mid-server-', ISSUED],
  ['pdl_live_apikey_ pdl_sdbx_apikey_ xnd_production_ xnd_development_', ISSUED],
  ['APP_USR- TEST-', exactly(String.raw`\d{10,16}-\d{6}-[0-9a-f]{32}-\d{6,10}`)],
  ['v^1.1#i^1#', { pattern: String.raw`[\w#^+/=-]{60,}` }],
  ['pk_prod_', exactly('[A-Z0-9]{28}')],
  [each('KEY', '01').join(' '), exactly(String.raw`[0-9A-F]{30,34}_[A-Za-z0-9]{22}`)],
  ['mlsn.', ISSUED],
  ['AQE', { pattern: String.raw`[A-Za-z0-9+/]{20,200}-[A-Za-z0-9+/]{20,80}=-[^\s"'<>&\\]{8,60}` }],
  ['pk_', exactly(String.raw`(?:(?:[A-Za-z0-9]{6}_)?[0-9a-f]{34}|\d{6,9}_[A-Z0-9]{32})`)],
  ['pk.', exactly('[0-9a-f]{32}')],
  ['api_', exactly(String.raw`[A-Za-z0-9]{22}\.[A-Za-z0-9]{22}`)],
  ['API_KEY', exactly('[0-9A-Z]{32}')],
  ['dG9rO', exactly('[A-Za-z0-9+/]{40,80}={0,2}')],
  ['5Aep861 3MVG9', { pattern: String.raw`[\w.+/=]{60,250}` }],
  ['BBFF- BBUS-', exactly('[A-Za-z0-9]{30}')],
  ['VF.', exactly(String.raw`(?:[A-Z]{2}\.)?[0-9A-Fa-f]{24}\.[A-Za-z0-9]{16}`)],
  ['waka_', exactly(UUID)],
  [
    'api_live. api_sandbox. api_live_us. api_live_ca. api_sandbox_us. api_sandbox_ca.',
    exactly(String.raw`[\w-]{11}\.[\w-]{32}`),
  ],
  [each('u+', CHARACTERS).join(' '), usually(String.raw`[\w-]{17}`)],
  ['NF-', usually('[A-Za-z0-9]{32}')],
  ['ck_ cs_', exactly('[0-9a-f]{40}')],
  ['signkey-prod- signkey-test- signkey-branch-', ISSUED],
  ['access_token$', { pattern: String.raw`[a-z]{3,20}\$[\w$]+` }],
  [each('SK', '0123456789abcdefABCDEF').join(' '), exactly('[0-9a-fA-F]{31}')],
  ['pi_ seti_', { pattern: String.raw`\w{10,40}_secret_\w{10,}` }],
  // What watches.
  [
    'glsa_ sntryu_ NRAA- NRAK- NRII- NRIQ- NRJS- NRBR- NRAL- thog-key- thog-secret- dt0c01. dt0s01. dt0s16. hcaik_ hcbik_ squ_ sqp_ sqa_ pnu_ pnb_ rdme_ tk-us-',
    ISSUED,
  ],
  ['sm_aat_ sm_pat_ sm_sat_ ddp_ ddw_ sqco_', ISSUED],
  ['glc_', BASE64],
  // What is signed has its secret behind it.
  ['sntrys_', { pattern: String.raw`[\w+/-]{10,}={0,2}(?:_[\w+/-]+)?` }],
  // Others begin so as well.
  [
    'secret_ token_ api_key_ apikey_ key_live_ key_test_ pat_ sk_ rk_ live_ test_pub_ xai- csk- sk- sess-',
    USUAL,
  ],
  ['napi_ nfp_ rnd_ sl. ico- fio-u- sgp_ sgd_ API- pat. sat. key- pubkey- md- fw_ pa- ls__ llx-', USUAL],
  ['api-key- sdk- mob- AKID s-s4t2ud- s-s4t2af- zpka_', USUAL],
  // Ids of refunds begin so, too, and have no second part.
  ['re_', usually('[A-Za-z0-9]{8}_[A-Za-z0-9]{20,40}')],
  // Fernet.
  ['gAAAAA', exactly('[\\w-]{94,}={0,2}')],
  ['key_', exactly('[0-9a-f]{28,128}')],
  ['pri_', exactly('[0-9a-f]{32}')],
  ['bb_pr_ bb_ma_', exactly('[0-9a-f]{30}')],
  ['live_ test_', exactly('[0-9a-f]{35}')],
  ['web_', usually('[a-z0-9]{32}')],
  ['alcht_', exactly('[A-Za-z0-9]{30}')],
  ['rh-api-', exactly(ANY_UUID)],
  ['salad_cloud_', usually(String.raw`[A-Za-z0-9]{1,7}_[A-Za-z0-9]{7,235}`)],
  ['ramp_id_ ramp_sec_', exactly('[A-Za-z0-9]{40,48}')],
  ['account- master-', usually('[A-Za-z0-9]{20}')],
  [each('b_', CHARACTERS).join(' '), usually(String.raw`[\w+/-]{42}[\w+/=-]`)],
  ['tr_pat_ tr_dev_ tr_prod_ tr_stg_', exactly('[A-Za-z0-9]{20,40}')],
  ['CCDB1_', exactly(String.raw`[A-Za-z0-9]{22}_[A-Za-z0-9]{40}`)],
  ['st.', exactly(String.raw`[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32}`)],
  ['EAA', exactly(`${notInBase64('EAA')}[A-Za-z0-9]{80,}`)],
]
