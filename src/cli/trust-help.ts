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
