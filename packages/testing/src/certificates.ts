import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requirePart } from './detect.ts'

/** A certificate of a server with its key, and the authority that vouches for it. */
export interface TestCertificate {
  ca: string
  certificate: string
  key: string
  caFile: string
  certificateFile: string
  keyFile: string
  remove(): void
}

/** Makes a certificate for `127.0.0.1` unless another address or name is given, as OpenSSL writes it: `DNS:db.example`. */
export function newCertificate(subject = 'IP:127.0.0.1'): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-certificate-'))
  execFileSync('chmod', ['755', folder])
  const file = (name: string) => join(folder, name)
  const openssl = (...words: string[]) =>
    execFileSync(requirePart('openssl'), words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...fresh, '-days', '2', '-subj', '/CN=test authority', '-keyout', 'ca.key', '-out', 'ca.pem')
  openssl('req', ...fresh, '-subj', '/CN=test server', '-keyout', 'server.key', '-out', 'server.csr')
  writeFileSync(file('names'), `subjectAltName=${subject}\n`)
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
  openssl('x509', '-req', '-in', 'server.csr', ...signing, '-out', 'server.pem')
  // Servers run under accounts of their own.
  execFileSync('chmod', ['644', file('server.key'), file('server.pem'), file('ca.pem')])
  const read = (name: string) => readFileSync(file(name), 'utf8')
  return {
    ca: read('ca.pem'),
    certificate: read('server.pem'),
    key: read('server.key'),
    caFile: file('ca.pem'),
    certificateFile: file('server.pem'),
    keyFile: file('server.key'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
