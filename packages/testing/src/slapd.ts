import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, requirePart } from './detect.ts'
import { freePort } from './ports.ts'

/** An entry below `base`: its relative name and its attributes. */
export interface DirectoryEntry {
  readonly rdn: string
  readonly attributes: Readonly<Record<string, string | readonly string[]>>
}

/** A real OpenLDAP server in a temporary folder, on loopback. */
export interface Directory extends AsyncDisposable {
  readonly url: string
  readonly secureUrl: string
  /** The certificate authority of the server's certificate. */
  readonly caFile: string
  readonly base: string
  readonly bindDn: string
  readonly bindPassword: string
  /** Settings of the category `ldap` for this server. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Replaces all entries; the server is restarted. */
  load(entries: readonly DirectoryEntry[]): Promise<void>
}

const base = 'dc=example,dc=com'
const bindDn = `cn=service,${base}`
const bindPassword = 'Service-1'

/** A person as directories have them, with a password. */
export const directoryUser = (
  uid: string,
  more: DirectoryEntry['attributes'] = {},
  password = `directory-${uid}`,
): DirectoryEntry => ({
  rdn: `uid=${uid},ou=people`,
  attributes: {
    objectClass: ['inetOrgPerson'],
    uid,
    cn: uid,
    sn: `${uid} of the directory`,
    mail: `${uid}@directory.example`,
    userPassword: password,
    ...more,
  },
})

/** A group with members, which may be groups. */
export const directoryGroup = (cn: string, members: readonly string[]): DirectoryEntry => ({
  rdn: `cn=${cn},ou=groups`,
  attributes: { objectClass: 'groupOfNames', cn, member: members.map((rdn) => `${rdn},${base}`) },
})

const fixed: readonly DirectoryEntry[] = [
  { rdn: 'ou=people', attributes: { objectClass: 'organizationalUnit', ou: 'people' } },
  { rdn: 'ou=groups', attributes: { objectClass: 'organizationalUnit', ou: 'groups' } },
  {
    rdn: 'cn=service',
    attributes: {
      objectClass: ['organizationalRole', 'simpleSecurityObject'],
      cn: 'service',
      userPassword: bindPassword,
    },
  },
]

const line = (name: string, value: string) => `${name}:: ${Buffer.from(value).toString('base64')}`

function ldifOf(entries: readonly DirectoryEntry[]): string {
  const memberships = new Map<string, string[]>()
  for (const { rdn, attributes } of entries)
    for (const member of [attributes.member ?? []].flat())
      memberships.set(member, [...(memberships.get(member) ?? []), `${rdn},${base}`])
  const root = `dn: ${base}\nobjectClass: domain\ndc: example\n`
  return [
    root,
    ...entries.map(({ rdn, attributes }) => {
      const dn = `${rdn},${base}`
      const own = Object.entries(attributes).flatMap(([name, values]) => [values].flat().map((one) => line(name, one)))
      const groups = (memberships.get(dn) ?? []).map((group) => line('memberOf', group))
      return `${[line('dn', dn), ...own, ...groups].join('\n')}\n`
    }),
  ].join('\n')
}

function makeCertificates(folder: string): void {
  const openssl = requirePart('openssl')
  const run = (...words: string[]) => execFileSync(openssl, words, { cwd: folder, stdio: 'ignore' })
  run('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test CA')
  run('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=localhost')
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n')
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-out', 'cert.pem']
  run('x509', '-req', '-in', 'request.pem', ...signed)
}

/**
 * Starts slapd with these entries below `dc=example,dc=com`. Anonymous clients and binds without a password succeed, as
 * many directories allow it: a product has to reject them itself.
 */
export async function startDirectory(entries: readonly DirectoryEntry[] = []): Promise<Directory> {
  const slapd = requirePart('slapd')
  const folder = mkdtempSync(join(tmpdir(), 'castellan-slapd-'))
  const data = join(folder, 'data')
  const [port, securePort] = [await freePort(), await freePort()]
  makeCertificates(folder)
  const file = (name: string) => join(folder, name)
  const schemas = ['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`)
  writeFileSync(
    file('slapd.conf'),
    [
      ...schemas,
      'modulepath /usr/lib/ldap',
      'moduleload back_mdb',
      'moduleload memberof',
      'allow bind_anon_cred bind_anon_dn',
      `TLSCACertificateFile ${file('ca.pem')}`,
      `TLSCertificateFile ${file('cert.pem')}`,
      `TLSCertificateKeyFile ${file('key.pem')}`,
      `pidfile ${file('pid')}`,
      'sizelimit size.soft=500 size.hard=500 size.prtotal=unlimited',
      'database mdb',
      'maxsize 268435456',
      'dbnosync',
      `suffix "${base}"`,
      `directory ${data}`,
      'index objectClass,uid,cn eq',
      'overlay memberof',
      '',
    ].join('\n'),
  )
  let server: ReturnType<typeof spawn> | undefined
  const halt = async () => {
    const running = server
    server = undefined
    if (!running || running.exitCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill()
    await ended
  }
  const accepts = () =>
    new Promise<boolean>((settle) => {
      const probe = connect(port, '127.0.0.1', () => {
        probe.destroy()
        settle(true)
      })
      probe.once('error', () => settle(false))
    })
  const load = async (some: readonly DirectoryEntry[]) => {
    await halt()
    rmSync(data, { recursive: true, force: true })
    mkdirSync(data)
    const slapadd = findProgram('slapadd') as string
    execFileSync(slapadd, ['-q', '-f', file('slapd.conf')], {
      input: ldifOf([...fixed, ...some]),
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    const addresses = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${securePort}/`
    const started = spawn(slapd, ['-f', file('slapd.conf'), '-h', addresses, '-d', '0'], { stdio: 'ignore' })
    server = started
    while (!(await accepts())) {
      if (started.exitCode !== null) throw new Error(`slapd ended with ${started.exitCode}.`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await load(entries)
  const url = `ldap://127.0.0.1:${port}`
  return {
    url,
    secureUrl: `ldaps://127.0.0.1:${securePort}`,
    caFile: file('ca.pem'),
    base,
    bindDn,
    bindPassword,
    settings: {
      AUTH_LDAP: true,
      AUTH_LDAP_SERVER_URI: url,
      AUTH_LDAP_BIND_DN: bindDn,
      AUTH_LDAP_BIND_PASSWORD: bindPassword,
      AUTH_LDAP_SEARCH_OU: `ou=people,${base}`,
      AUTH_LDAP_SEARCH_FILTER: '(uid=%(user)s)',
      AUTH_LDAP_USER_ATTR_MAP: { username: 'uid', name: 'sn', email: 'mail', groups: 'memberOf' },
      AUTH_LDAP_SEARCH_PAGED_SIZE: 200,
    },
    load,
    async [Symbol.asyncDispose]() {
      await halt()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
