import type { Argv, CommandModule } from 'yargs'
import { caDirectory } from '../http/ca-directory.ts'

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

/** How clients are told to trust a certificate authority. */
export function trustHelp(certFile: string): string {
  const file = /^[\w./-]+$/.test(certFile) ? certFile : `'${certFile.replaceAll("'", String.raw`'\''`)}'`
  return `
Trust it only where tests run: whoever has the key beside it can be any host to those who trust it.

curl      curl --cacert ${file} ...            or  export CURL_CA_BUNDLE=${file}
Node      export NODE_EXTRA_CA_CERTS=${file}
Python    export REQUESTS_CA_BUNDLE=${file} SSL_CERT_FILE=${file}
Java      keytool -importcert -noprompt -alias sim -storepass changeit -file ${file} -keystore sim.p12
          java -Djavax.net.ssl.trustStore=sim.p12 -Djavax.net.ssl.trustStorePassword=changeit ...
Go, Ruby  export SSL_CERT_FILE=${file}
git       git config http.sslCAInfo ${file}
Chrome    certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n sim -i ${file}     (Linux)
Firefox   Settings, Privacy & Security, Certificates, View Certificates, Authorities, Import
macOS     security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${file}
Windows   certutil -user -addstore Root ${file}
Debian    sudo cp ${file} /usr/local/share/ca-certificates/sim.crt && sudo update-ca-certificates
`
}
