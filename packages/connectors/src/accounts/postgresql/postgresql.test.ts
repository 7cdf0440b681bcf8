import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { accountTarget, passwordChange, passwordLogin } from '@castellan/testing/account-target'
import { newCertificate } from '@castellan/testing/certificates'
import { describeWith, requirePart } from '@castellan/testing/parts'
import { type Postgres, startPostgres } from '@castellan/testing/postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SystemLogin } from '../account-system.ts'
import { postgresql } from './postgresql.ts'

describeWith(['postgresql', 'openssl'], 'accounts of PostgreSQL', () => {
  let server: Postgres
  let port: number
  let administrator: SystemLogin
  beforeAll(async () => {
    server = await startPostgres()
    const url = new URL(server.url('postgres'))
    port = Number(url.port)
    administrator = passwordLogin(url.username, url.password)
  })
  afterAll(() => server?.stop())
  const sql = (statement: string) =>
    execFileSync(join(requirePart('postgresql'), 'psql'), ['-XAtq', server.url('postgres'), '-c', statement], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  const target = () => accountTarget(port)
  const change = (username: string, secret: string, create = false) =>
    postgresql.change(target(), administrator, passwordChange(username, secret, create))
  const verify = (username: string, secret: string) => postgresql.verify(target(), passwordLogin(username, secret))

  it('get the verifier that the server would have computed itself, so that its own client signs in', async () => {
    for (const [at, secret] of ['plain', '密码ａ①', 'soft\u00adhyphen', '🔑'].entries()) {
      await change(`client${at}`, secret, true)
      const url = new URL(server.url('postgres'))
      url.username = `client${at}`
      const psql = join(requirePart('postgresql'), 'psql')
      const env = { ...process.env, PGPASSWORD: secret, LC_ALL: 'C.UTF-8' }
      url.password = ''
      expect(execFileSync(psql, ['-XAtq', url.href, '-c', 'SELECT 1'], { env, encoding: 'utf8' })).toBe('1\n')
      await verify(`client${at}`, secret)
    }
    // The character has a plain form, which some clients use and others do not.
    await expect(change('client0', 'ａ🔑')).rejects.toMatchObject({ code: 'secret_rejected' })
  })

  it('never send the password itself', async () => {
    sql("ALTER SYSTEM SET log_statement = 'all'")
    await change('hidden', 'a secret of the log', true)
    expect(sql("SELECT rolpassword LIKE 'SCRAM-SHA-256$%' FROM pg_authid WHERE rolname = 'hidden'")).toBe('t')
    sql("ALTER SYSTEM SET password_encryption = 'md5'")
    sql('SELECT pg_reload_conf()')
    try {
      await change('hidden md5', 'another secret', true)
      expect(sql("SELECT rolpassword LIKE 'md5%' FROM pg_authid WHERE rolname = 'hidden md5'")).toBe('t')
    } finally {
      sql('ALTER SYSTEM RESET ALL')
      sql('SELECT pg_reload_conf()')
    }
  })

  it('change their own password without any right, and may sign in again once they could not', async () => {
    await change('own', 'before', true)
    await postgresql.change(target(), passwordLogin('own', 'before'), passwordChange('own', 'after'))
    await verify('own', 'after')
    sql('ALTER ROLE own NOLOGIN')
    await expect(verify('own', 'after')).rejects.toMatchObject({ code: 'auth_failed' })
    await change('own', 'again')
    await verify('own', 'again')
  })

  it('do not become others by a name that the server would cut', async () => {
    const name = 'n'.repeat(63)
    await change(name, 'mine', true)
    await expect(change(`${name}n`, 'stolen', true)).rejects.toMatchObject({ code: 'bad_name' })
    await verify(name, 'mine')
    await expect(change('名'.repeat(22), 'x', true)).rejects.toMatchObject({ code: 'bad_name' })
  })

  it('are not changed on a read-only server', async () => {
    await change('standby', 'before', true)
    sql('ALTER ROLE castellan SET default_transaction_read_only = on')
    try {
      await expect(change('standby', 'after')).rejects.toMatchObject({ code: 'read_only' })
    } finally {
      execFileSync(join(requirePart('postgresql'), 'psql'), [
        '-Xq',
        server.url('postgres'),
        '-c',
        'SET default_transaction_read_only = off',
        '-c',
        'ALTER ROLE castellan RESET default_transaction_read_only',
      ])
    }
    await verify('standby', 'before')
  })

  it('are not removed while something belongs to them', async () => {
    await change('owner', 'owner', true)
    sql('CREATE TABLE owned (); ALTER TABLE owned OWNER TO owner')
    await expect(postgresql.remove?.(target(), administrator, 'owner')).rejects.toMatchObject({ code: 'denied' })
  })

  it('sign in only to a server with an accepted certificate', async () => {
    const certificate = newCertificate()
    if (process.getuid?.() === 0) execFileSync('chown', ['postgres', certificate.keyFile])
    chmodSync(certificate.keyFile, 0o600)
    sql(`ALTER SYSTEM SET ssl_cert_file = '${certificate.certificateFile}'`)
    sql(`ALTER SYSTEM SET ssl_key_file = '${certificate.keyFile}'`)
    sql('ALTER SYSTEM SET ssl = on')
    sql('SELECT pg_reload_conf()')
    const verify = (tls: object, host = '127.0.0.1') =>
      postgresql.verify(accountTarget(port, { host, tls: { enabled: true, ...tls } }), administrator)
    try {
      await verify({ ca: certificate.ca })
      await verify({ acceptInvalid: true })
      await expect(verify({})).rejects.toMatchObject({ code: 'unsupported' })
      await expect(verify({ ca: certificate.ca }, '127.0.0.2')).rejects.toMatchObject({ code: 'unsupported' })
      await expect(verify({ ca: certificate.ca }, 'db.example')).rejects.toMatchObject({ code: 'unsupported' })
    } finally {
      sql('ALTER SYSTEM RESET ALL')
      sql('SELECT pg_reload_conf()')
      certificate.remove()
    }
  })

  it('say which database is missing, and that a server has no TLS', async () => {
    const other = accountTarget(port, { database: 'missing' })
    await expect(postgresql.verify(other, administrator)).rejects.toMatchObject({ code: 'unsupported' })
    const secure = accountTarget(port, { tls: { enabled: true } })
    await expect(postgresql.verify(secure, administrator)).rejects.toMatchObject({ code: 'unsupported' })
  })
})
