import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { STORE_PASSWORD } from './java-trust.ts'
import { ADDING, REPLACING, type TrustFiles } from './trust.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What a command needs to use the gateway. */
export interface Surroundings {
  /** Base URL of the gateway. */
  readonly url: string
  readonly trust: TrustFiles
  /** The trust store of Java, where there is a JDK. */
  readonly javaStore: string | undefined
}

const PRELOAD = fileURLToPath(new URL('./preload.cjs', import.meta.url))

/** The environment of a command that uses the gateway: that of this process, and what leads clients there. */
export function commandEnvironment(
  { url, trust, javaStore }: Surroundings,
  env: Environment = process.env,
): Record<string, string | undefined> {
  const { host } = new URL(url)
  const variables: Record<string, string> = {
    SIM_URL: url,
    ...bothCases({ HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: host }),
    // Node takes them from the environment from 22.21 and 24.5 on; the preload does it for those before.
    NODE_USE_ENV_PROXY: '1',
    NODE_OPTIONS: appended(env['NODE_OPTIONS'], `--require=${quoted(PRELOAD)}`),
    ...Object.fromEntries(ADDING.map((name) => [name, trust.added])),
    ...Object.fromEntries(REPLACING.map((name) => [name, trust.whole])),
    // What comes before the delimiter is where PHP looks anyway, if it is empty.
    PHP_INI_SCAN_DIR: `${env['PHP_INI_SCAN_DIR'] ?? ''}${delimiter}${trust.php}`,
  }
  if (javaStore !== undefined)
    variables['JAVA_TOOL_OPTIONS'] = appended(env['JAVA_TOOL_OPTIONS'], javaOptions(url, javaStore))
  return { ...env, ...variables }
}

function javaOptions(url: string, store: string): string {
  const { hostname, port } = new URL(url)
  return [
    `-Djavax.net.ssl.trustStore=${store}`,
    `-Djavax.net.ssl.trustStorePassword=${STORE_PASSWORD}`,
    ...['http', 'https'].flatMap((scheme) => [
      `-D${scheme}.proxyHost=${hostname}`,
      `-D${scheme}.proxyPort=${port}`,
    ]),
    // Loopback is not to be left out, as it is where nothing is said.
    '-Dhttp.nonProxyHosts=',
  ]
    .map(quoted)
    .join(' ')
}

function bothCases(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => [
      [name, value],
      [name.toLowerCase(), value],
    ]),
  )
}

function appended(before: string | undefined, own: string): string {
  return before === undefined || before === '' ? own : `${before} ${own}`
}

function quoted(text: string): string {
  return /\s/.test(text) ? `"${text.replace(/["\\]/g, String.raw`\$&`)}"` : text
}
