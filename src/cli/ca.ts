import type { Argv, CommandModule } from 'yargs'
import { caDirectory } from '../http/ca-directory.ts'
import { trustHelp } from './trust-help.ts'

interface CaOptions {
  caDir: string | undefined
  helpTrust: boolean
}

/** `sim ca` */
export const ca: CommandModule<object, CaOptions> = {
  command: 'ca',
  describe: 'Print the path of the certificate that clients trust when TLS ends at the gateway',
  builder: (yargs) =>
    (yargs as unknown as Argv<CaOptions>)
      .option('ca-dir', {
        type: 'string',
        describe:
          'Where the certificate authority lives; SIM_CA_DIR, or a directory of this user, if not given',
      })
      .option('help-trust', {
        type: 'boolean',
        default: false,
        describe: 'Say on stderr how clients are told to trust it',
      })
      .example('$0 ca', 'Print its path, making it on first use')
      .example(
        'CURL_CA_BUNDLE=$($0 ca) curl -x http://127.0.0.1:8080 https://api.example.com',
        'Trust it once',
      )
      .example('$0 ca --help-trust', 'Say how curl, Node, Python, Java and browsers trust it'),
  async handler({ caDir, helpTrust }) {
    // It takes longer to load than all other commands take to begin.
    const { openAuthority } = await import('../http/certificate-authority.ts')
    const { certFile } = await openAuthority(caDir ?? caDirectory())
    process.stdout.write(`${certFile}\n`)
    if (helpTrust) process.stderr.write(trustHelp(certFile))
  },
}
