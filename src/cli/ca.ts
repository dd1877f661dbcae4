import { caDirectory } from '../http/tls-interception.ts'
import { TEXT, type Option } from '../pipeline/option.ts'
import { toggle, type Command } from './command.ts'
import { readFlags } from './flags.ts'

interface CaFlags {
  readonly caDir: string | undefined
  readonly helpTrust: boolean | undefined
}

const FLAGS: Readonly<Record<keyof CaFlags, Option>> = {
  caDir: {
    ...TEXT,
    flag: {
      name: 'ca-dir',
      describe:
        'Where the certificate authority lives; SIM_CA_DIR, or a directory of this user, if not given',
    },
  },
  helpTrust: toggle('help-trust', 'Say on stderr how to make clients trust it'),
}

/** `sim ca` */
export const ca: Command = {
  command: 'ca',
  describe: 'Print the path of the certificate that clients trust when TLS ends at the gateway',
  flags: [FLAGS],
  examples: [
    ['$0 ca', 'Print its path, making it on first use'],
    ['CURL_CA_BUNDLE=$($0 ca) curl -x http://127.0.0.1:8080 https://api.example.com', 'Trust it once'],
    ['$0 ca --help-trust', 'Say how curl, Node, Python, Java and browsers trust it'],
  ],
  async run(given) {
    const { caDir = caDirectory(), helpTrust } = readFlags<CaFlags>(given, FLAGS)
    // It takes longer to load than all other commands take to begin.
    const { openAuthority } = await import('../http/certificate-authority.ts')
    const { certFile } = await openAuthority(caDir)
    process.stdout.write(`${certFile}\n`)
    if (helpTrust === true) process.stderr.write(trustHelp(certFile))
  },
}

/** How to make clients trust a certificate authority. */
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
