import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { TestCertificate } from './certificates.ts'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Headers and body, with quoted-printable decoded. */
  text: string
  isEncrypted: boolean
}

/** How a server protects its connections: TLS from the first byte, or after STARTTLS, without which it takes nothing. */
interface Protection {
  tls: 'implicit' | 'starttls'
  certificate: TestCertificate
}

/** A real SMTP server on a free port that accepts and stores mail from one account. */
export interface MailServer extends AsyncDisposable {
  host: string
  port: number
  username: string
  password: string
  received: ReceivedMail[]
  /** Settings of the category `email` for this server. */
  settings: Readonly<Record<string, unknown>>
}

const unquoted = (raw: string) =>
  Buffer.from(
    raw
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

export async function startMailServer(protection?: Protection): Promise<MailServer> {
  const [username, password] = ['castellan@example.com', 'Mail-server-1']
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    ...(protection
      ? {
          key: protection.certificate.key,
          cert: protection.certificate.certificate,
          secure: protection.tls === 'implicit',
        }
      : { hideSTARTTLS: true, allowInsecureAuth: true }),
    onAuth: (auth, _session, done) =>
      auth.username === username && auth.password === password
        ? done(null, { user: username })
        : done(new Error('wrong user name or password')),
    onData(stream, { envelope, secure }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        received.push({
          from,
          isEncrypted: secure,
          to: envelope.rcptTo.map(({ address }) => address),
          text: unquoted(Buffer.concat(parts).toString('latin1')),
        })
        done()
      })
    },
  })
  // Of clients that do not trust its certificate.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    host: '127.0.0.1',
    port,
    username,
    password,
    received,
    settings: {
      EMAIL_HOST: '127.0.0.1',
      EMAIL_PORT: `${port}`,
      EMAIL_HOST_USER: username,
      EMAIL_HOST_PASSWORD: password,
      EMAIL_SUBJECT_PREFIX: '[Castellan] ',
      EMAIL_USE_SSL: protection?.tls === 'implicit',
      EMAIL_USE_TLS: protection?.tls === 'starttls',
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
