import { accountTarget, passwordChange, passwordLogin } from '@castellan/testing/account-target'
import { newCertificate, type TestCertificate } from '@castellan/testing/certificates'
import { type MariaDb, startMariaDb } from '@castellan/testing/mariadb'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SystemLogin } from '../account-system.ts'
import { mysql } from './mysql.ts'

describeWith(['mariadb', 'openssl'], 'accounts of MariaDB', () => {
  let server: MariaDb
  let administrator: SystemLogin
  let certificate: TestCertificate
  beforeAll(async () => {
    certificate = newCertificate()
    const { certificateFile, keyFile } = certificate
    server = await startMariaDb([`--ssl-cert=${certificateFile}`, `--ssl-key=${keyFile}`])
    administrator = passwordLogin(server.username, server.password)
  })
  afterAll(async () => {
    await server?.stop()
    certificate?.remove()
  })
  const target = (options: Parameters<typeof accountTarget>[1] = {}) => accountTarget(server.port, options)
  const change = (username: string, secret: string, create = false, database?: string) =>
    mysql.change(
      target(database === undefined ? {} : { database }),
      administrator,
      passwordChange(username, secret, create),
    )
  const verify = (username: string, secret: string) => mysql.verify(target(), passwordLogin(username, secret))

  it('get a password for every host of the name, and keep other ways to sign in', async () => {
    server.sql(`CREATE USER hosts@localhost IDENTIFIED BY 'old'; CREATE USER hosts@'127.0.0.1' IDENTIFIED BY 'old';
      CREATE USER hosts@'%' IDENTIFIED BY 'old'; CREATE USER hosts@'10.%' IDENTIFIED VIA unix_socket;
      CREATE USER hosts@'11.%' IDENTIFIED VIA mysql_native_password USING 'invalid' OR unix_socket`)
    await change('hosts', 'new')
    await verify('hosts', 'new')
    const stored = server.sql("SELECT Host, Priv FROM mysql.global_priv WHERE User = 'hosts'").trim().split('\n')
    const hashes = stored.map((line) => /authentication_string":"(\*\w+)/.exec(line)?.[1])
    expect(new Set(hashes.filter((hash) => hash !== undefined)).size).toBe(1)
    expect(hashes.filter((hash) => hash !== undefined)).toHaveLength(4)
    expect(stored.filter((line) => line.includes('unix_socket'))).toHaveLength(2)
  })

  it('say so when they have no password at all', async () => {
    server.sql('CREATE USER system@localhost IDENTIFIED VIA unix_socket')
    await expect(change('system', 'new')).rejects.toMatchObject({ code: 'unsupported' })
  })

  it('get all rights to the database of the asset, whatever it is called', async () => {
    await change('granted', 'secret', true, 'a_b%`c')
    expect(server.sql("SHOW GRANTS FOR granted@'%'")).toContain('GRANT ALL PRIVILEGES ON `a\\\\_b\\\\%``c`.*')
    await change('ungranted', 'secret', true)
    expect(server.sql("SHOW GRANTS FOR ungranted@'%'")).not.toContain('ALL PRIVILEGES')
  })

  it('are not left half created when the login may not grant', async () => {
    server.sql("CREATE USER creator@'%' IDENTIFIED BY 'creator'; GRANT CREATE USER, SELECT ON *.* TO creator@'%'")
    const by = passwordLogin('creator', 'creator')
    const attempt = mysql.change(target({ database: 'shop' }), by, passwordChange('half', 'secret', true))
    await expect(attempt).rejects.toMatchObject({ code: 'denied' })
    expect(server.sql("SELECT COUNT(*) FROM mysql.user WHERE User = 'half'").trim()).toBe('0')
  })

  it('change their own password without any right', async () => {
    await change('self', 'before', true)
    await mysql.change(target(), passwordLogin('self', 'before'), passwordChange('self', `after'"\\`))
    await verify('self', `after'"\\`)
  })

  it('do not show their passwords in the log of the server', async () => {
    await change('logged', 'first-secret-of-the-log', true)
    await change('logged', 'second-secret-of-the-log')
    expect(server.log()).toContain('logged')
    expect(server.log()).not.toMatch(/(?:first|second)-secret-of-the-log/)
  })

  it('are checked by the password policy of the server', async () => {
    server.sql("INSTALL SONAME 'simple_password_check'")
    try {
      await expect(change('policy', 'weak', true)).rejects.toMatchObject({ code: 'secret_rejected' })
      await change('policy', 'Strong-enough-1', true)
      await expect(change('policy', 'weak')).rejects.toMatchObject({ code: 'secret_rejected' })
    } finally {
      server.sql("UNINSTALL SONAME 'simple_password_check'")
    }
    await verify('policy', 'Strong-enough-1')
  })

  it('say that a password has expired, and that an account is locked', async () => {
    server.sql("CREATE USER expired@'%' IDENTIFIED BY 'expired' PASSWORD EXPIRE")
    await expect(verify('expired', 'expired')).rejects.toMatchObject({ code: 'secret_expired' })
    server.sql("CREATE USER locked@'%' IDENTIFIED BY 'locked' ACCOUNT LOCK")
    await expect(verify('locked', 'locked')).rejects.toMatchObject({ code: 'auth_failed' })
  })

  it('are not changed on a read-only server, even by those who may', async () => {
    await change('replicated', 'before', true)
    server.sql('SET GLOBAL read_only = 1')
    try {
      await expect(change('replicated', 'after')).rejects.toMatchObject({ code: 'read_only' })
    } finally {
      server.sql('SET GLOBAL read_only = 0')
    }
    await verify('replicated', 'before')
  })

  it('are not roles', async () => {
    server.sql('CREATE ROLE auditors')
    await expect(change('auditors', 'secret')).rejects.toMatchObject({ code: 'account_missing' })
    const names = (await mysql.list?.(target(), administrator))?.map(({ username }) => username)
    expect(names).not.toContain('auditors')
  })

  it('sign in only to a server with an accepted certificate', async () => {
    const tls = (more: object, host?: string) =>
      mysql.verify(target({ tls: { enabled: true, ...more }, ...(host ? { host } : {}) }), administrator)
    await tls({ ca: certificate.ca })
    await tls({ acceptInvalid: true })
    await expect(tls({})).rejects.toMatchObject({ code: 'unsupported' })
    await expect(tls({ ca: certificate.ca }, '127.0.0.2')).rejects.toMatchObject({ code: 'unsupported' })
    await expect(tls({ ca: certificate.ca }, 'db.example')).rejects.toMatchObject({ code: 'unsupported' })
  })
})
