import { accountTarget, passwordChange, passwordLogin } from '@castellan/testing/account-target'
import { startScriptedSqlServer } from '@castellan/testing/scripted-sqlserver'
import { describe, expect, it } from 'vitest'
import { sqlserver } from './sqlserver.ts'

const by = passwordLogin('sa', 'of sa')

async function started() {
  const server = await startScriptedSqlServer()
  server.logins.set('sa', 'of sa')
  server.administrators.add('sa')
  return {
    server,
    target: accountTarget(server.port, { database: 'shop' }),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}

describe('logins of SQL Server, by its client library and a scripted server', () => {
  it('are created with a user of the database, changed, verified and removed', async () => {
    await using running = await started()
    const { server, target } = running
    const name = `o'b]r"名`
    await expect(sqlserver.change(target, by, passwordChange(name, 'x'))).rejects.toMatchObject({
      code: 'account_missing',
    })
    const secret = `a'b"]c\\密${'x'.repeat(118)}`
    await sqlserver.change(target, by, passwordChange(name, secret, true))
    expect(server.users).toContain(name)
    await sqlserver.verify(target, passwordLogin(name, secret))
    await sqlserver.change(target, by, passwordChange(name, 'second'))
    await sqlserver.verify(target, passwordLogin(name, 'second'))
    await sqlserver.remove?.(target, by, name)
    await expect(sqlserver.verify(target, passwordLogin(name, 'second'))).rejects.toMatchObject({ code: 'auth_failed' })
  })

  it('send names and passwords as parameters only', async () => {
    await using running = await started()
    const { server, target } = running
    await sqlserver.change(target, by, passwordChange('app', 'a secret of ours', true))
    expect(server.batches.map(({ text }) => text).join()).not.toMatch(/a secret of ours|app/)
    expect(server.batches.map(({ parameters }) => parameters)).toContainEqual({
      name: 'app',
      secret: 'a secret of ours',
    })
  })

  it('change their own password by the one before, without a right', async () => {
    await using running = await started()
    const { server, target } = running
    server.logins.set('app', 'before')
    await sqlserver.change(target, passwordLogin('app', 'before'), passwordChange('app', 'after'))
    expect(server.logins.get('app')).toBe('after')
    const denied = sqlserver.change(target, passwordLogin('app', 'after'), passwordChange('sa', 'mine'))
    await expect(denied).rejects.toMatchObject({ code: 'denied' })
  })

  it('say what is wrong', async () => {
    await using running = await started()
    const { server, target } = running
    server.logins.set('app', 'app')
    const set = (username: string, secret: string) => sqlserver.change(target, by, passwordChange(username, secret))
    await expect(set('app', 'weak')).rejects.toMatchObject({ code: 'secret_rejected' })
    await expect(set('app', 'x'.repeat(129))).rejects.toMatchObject({ code: 'secret_rejected' })
    await expect(set('n'.repeat(129), 'x')).rejects.toMatchObject({ code: 'bad_name' })
    server.refusal = { number: 18488, message: 'The password of the account must be changed.' }
    await expect(sqlserver.verify(target, by)).rejects.toMatchObject({ code: 'secret_expired' })
    const secure = { ...target, tls: { enabled: true } }
    await expect(sqlserver.verify(secure, by)).rejects.toMatchObject({ code: 'unsupported' })
  })

  it('are not looked for at another address that the server names', async () => {
    await using running = await started()
    const { server, target } = running
    server.routing = { host: '127.0.0.1', port: 1 }
    let dialed = 0
    const dial = () => {
      dialed++
      return target.dial()
    }
    await expect(sqlserver.verify({ ...target, dial }, by)).rejects.toMatchObject({ code: 'unsupported' })
    expect(dialed).toBe(1)
  })
})
