import { chmodSync } from 'node:fs'
import { accountTarget, passwordChange, passwordLogin } from '@castellan/testing/account-target'
import { newCertificate } from '@castellan/testing/certificates'
import { describeWith } from '@castellan/testing/parts'
import { startRedis } from '@castellan/testing/redis'
import { expect, it, onTestFinished } from 'vitest'
import { redis } from './redis.ts'

describeWith('redis', 'accounts of Redis', () => {
  it.each(['config', 'aclfile'] as const)('outlive a restart with their passwords (%s)', async (storage) => {
    const server = await startRedis({ storage })
    const target = accountTarget(server.port)
    const by = passwordLogin('default', server.password)
    try {
      await redis.change(target, by, passwordChange('reader', 'of the reader', true))
      await redis.change(target, by, passwordChange('default', `of "all" '\\ 密`))
      expect(server.stored()).not.toContain('of the reader')
      await server.restart()
      await redis.verify(target, passwordLogin('reader', 'of the reader'))
      await redis.verify(target, passwordLogin('', `of "all" '\\ 密`))
      await expect(redis.verify(target, by)).rejects.toMatchObject({ code: 'auth_failed' })
      await redis.remove?.(target, passwordLogin('', `of "all" '\\ 密`), 'reader')
      await server.restart()
      await expect(redis.verify(target, passwordLogin('reader', 'of the reader'))).rejects.toMatchObject({
        code: 'auth_failed',
      })
    } finally {
      await server.stop()
    }
  })

  it('are changed on a server without a file as well', async () => {
    const server = await startRedis({ storage: 'memory' })
    const target = accountTarget(server.port)
    try {
      await redis.change(target, passwordLogin('', server.password), passwordChange('', 'another one'))
      await redis.verify(target, passwordLogin('', 'another one'))
    } finally {
      await server.stop()
    }
  })

  it('keep their rights and other passwords out of what a change does', async () => {
    const server = await startRedis()
    const target = accountTarget(server.port)
    const by = passwordLogin('default', server.password)
    try {
      server.command('ACL', 'SETUSER', 'app', 'on', '>old', '>older', '~app:*', '+get')
      await redis.change(target, by, passwordChange('app', 'new'))
      expect(server.command('ACL', 'LIST')).toMatch(/user app on .*~app:\* .*\+get/)
      for (const secret of ['old', 'older'])
        await expect(redis.verify(target, passwordLogin('app', secret))).rejects.toMatchObject({ code: 'auth_failed' })
      await redis.verify(target, passwordLogin('app', 'new'))
      // It signs in, and may do nothing.
      await redis.change(target, by, passwordChange('pushed', 'pushed', true))
      await redis.verify(target, passwordLogin('pushed', 'pushed'))
      expect(server.command('ACL', 'DRYRUN', 'pushed', 'GET', 'x')).toContain('no permissions')
    } finally {
      await server.stop()
    }
  })

  it('do not get names with which the server would not start again', async () => {
    const server = await startRedis()
    const target = accountTarget(server.port)
    const by = passwordLogin('default', server.password)
    try {
      await expect(redis.change(target, by, passwordChange('o"neill', 'x', true))).rejects.toMatchObject({
        code: 'bad_name',
      })
      await expect(redis.change(target, by, passwordChange('two words', 'x', true))).rejects.toMatchObject({
        code: 'bad_name',
      })
      await server.restart()
      await redis.verify(target, by)
    } finally {
      await server.stop()
    }
  })

  it('are not verified by a server that lets everybody in', async () => {
    const server = await startRedis({ storage: 'memory' })
    const target = accountTarget(server.port)
    try {
      server.command('CONFIG', 'SET', 'requirepass', '')
      await expect(redis.verify(target, passwordLogin('default', 'anything'))).rejects.toMatchObject({
        code: 'auth_failed',
      })
    } finally {
      await server.stop()
    }
  })

  it('are reached by the password alone unless the platform sends names', async () => {
    const server = await startRedis()
    try {
      const alone = accountTarget(server.port, { settings: { auth_username: false } })
      await redis.verify(alone, passwordLogin('cache', server.password))
      const named = accountTarget(server.port, { settings: { auth_username: true } })
      await expect(redis.verify(named, passwordLogin('cache', server.password))).rejects.toMatchObject({
        code: 'auth_failed',
      })
    } finally {
      await server.stop()
    }
  })
})

describeWith(['redis', 'linux'], 'accounts of Redis whose file cannot be written', () => {
  it('are not changed, so that a restart cannot bring the old password back', async () => {
    const server = await startRedis({ lines: [] })
    const target = accountTarget(server.port)
    const by = passwordLogin('default', server.password)
    try {
      server.makeUnwritable()
      await expect(redis.change(target, by, passwordChange('default', 'new'))).rejects.toMatchObject({
        code: 'read_only',
      })
      await redis.verify(target, by)
    } finally {
      await server.stop()
    }
  })
})

describeWith(['redis', 'openssl'], 'accounts of Redis with TLS', () => {
  it('sign in only to a server with an accepted certificate', async () => {
    const certificate = newCertificate()
    onTestFinished(() => certificate.remove())
    chmodSync(certificate.keyFile, 0o644)
    const { caFile, certificateFile, keyFile, ca } = certificate
    const files = [`tls-ca-cert-file ${caFile}`, `tls-cert-file ${certificateFile}`, `tls-key-file ${keyFile}`]
    const server = await startRedis({ tls: true, lines: [...files, 'tls-auth-clients no'] })
    const verify = (tls: object, host = '127.0.0.1') =>
      redis.verify(
        accountTarget(server.port, { host, tls: { enabled: true, ...tls } }),
        passwordLogin('default', server.password),
      )
    try {
      await verify({ ca })
      await verify({ acceptInvalid: true })
      await expect(verify({})).rejects.toMatchObject({ code: 'unsupported' })
      await expect(verify({ ca }, '127.0.0.2')).rejects.toMatchObject({ code: 'unsupported' })
      await expect(verify({ ca }, 'db.example')).rejects.toMatchObject({ code: 'unsupported' })
    } finally {
      await server.stop()
    }
  })
})
