import { startPeer } from '@castellan/testing/account-target'
import { newCertificate, type TestCertificate } from '@castellan/testing/certificates'
import { type MariaDb, startMariaDb } from '@castellan/testing/mariadb'
import { describeWith } from '@castellan/testing/parts'
import { type Postgres, startPostgres } from '@castellan/testing/postgres'
import { type RedisServer, startRedis } from '@castellan/testing/redis'
import { startScriptedMongoDb } from '@castellan/testing/scripted-mongodb'
import { startScriptedSqlServer } from '@castellan/testing/scripted-sqlserver'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ worker: true })
})
afterAll(() => server.close())

const api = <T>(method: string, path: string, body?: unknown) =>
  server.admin.request<T>(method, `/api/v1/${path}`, body)

async function ended(task: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const { is_finished } = await api<{ is_finished: boolean }>('GET', `ops/task-executions/${task}/`)
    if (is_finished) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the task did not end')
}
const logOf = async (task: string) => {
  await ended(task)
  return (await api<{ data: string }>('GET', `ops/celery/task/${task}/task-execution/${task}/log/`)).data
}
const test = async (id: string) =>
  logOf((await api<{ task: string }>('POST', `assets/assets/${id}/tasks/`, { action: 'test' })).task)
const connectivity = async (id: string) =>
  (await api<{ connectivity: { value: string } }>('GET', `assets/databases/${id}/`)).connectivity.value

interface Account {
  id: string
  username: string
  connectivity: { value: string }
}
const accountsOf = (asset: string) => api<Account[]>('GET', `accounts/accounts/?asset=${asset}`)

interface Sent {
  platform: number
  protocol: { name: string; port: number }
  account?: { username: string; secret: string }
}
const newDatabase = async (name: string, { platform, protocol, account }: Sent, more: object = {}) =>
  (
    await api<{ id: string }>('POST', 'assets/databases/', {
      name,
      address: '127.0.0.1',
      platform,
      protocols: [protocol],
      db_name: 'unused',
      accounts: account ? [{ ...account, secret_type: 'password', privileged: true }] : [],
      ...more,
    })
  ).id

/** Collects the accounts of an asset by a plan. @returns the log, and the names that are stored */
async function collect(asset: string): Promise<{ log: string; names: string[] }> {
  const { id } = await api<{ id: string }>('POST', 'accounts/gather-account-automations/', {
    name: `plan of ${asset}`,
    assets: [asset],
    is_periodic: false,
  })
  const { task } = await api<{ task: string }>('POST', 'accounts/gather-account-executions/', { automation: id })
  const log = await logOf(task)
  const rows = await api<{ username: string }[]>('GET', `accounts/gathered-accounts/?asset_id=${asset}`)
  return { log, names: rows.map(({ username }) => username).sort() }
}

describeWith(['mariadb', 'openssl'], 'assets of MariaDB', () => {
  let mariadb: MariaDb
  let certificate: TestCertificate
  beforeAll(async () => {
    certificate = newCertificate()
    const { certificateFile, keyFile } = certificate
    mariadb = await startMariaDb([`--ssl-cert=${certificateFile}`, `--ssl-key=${keyFile}`])
  })
  afterAll(async () => {
    await mariadb?.stop()
    certificate?.remove()
  })
  const sent = (secret = mariadb.password): Sent => ({
    platform: 18,
    protocol: { name: 'mariadb', port: mariadb.port },
    account: { username: mariadb.username, secret },
  })

  it('are tested by signing in, which decides about asset and account', async () => {
    const works = await newDatabase('mariadb', sent())
    expect(await test(works)).toContain(`OK, signed in on port ${mariadb.port} as admin`)
    expect(await connectivity(works)).toBe('ok')
    expect(await accountsOf(works)).toMatchObject([{ username: 'admin', connectivity: { value: 'ok' } }])
    const refused = await newDatabase('mariadb refused', sent('the wrong one'))
    const log = await test(refused)
    expect(log).toContain('refused the login of admin')
    expect(log).not.toContain('the wrong one')
    expect(await connectivity(refused)).toBe('err')
    expect(await accountsOf(refused)).toMatchObject([{ connectivity: { value: 'err' } }])
  })

  it('are tested by a connection where there is no account', async () => {
    const { platform, protocol } = sent()
    const id = await newDatabase('mariadb without account', { platform, protocol })
    expect(await test(id)).toContain(`port ${mariadb.port} answers; there is no account to sign in with`)
  })

  it('use the certificates of the asset', async () => {
    const secure = { use_ssl: true, ca_cert: certificate.ca }
    expect(await test(await newDatabase('mariadb with TLS', sent(), secure))).toContain('OK, signed in')
    const unknown = await test(await newDatabase('mariadb of nobody', sent(), { use_ssl: true }))
    expect(unknown).toContain('FAILED')
    const accepted = { use_ssl: true, allow_invalid_cert: true }
    expect(await test(await newDatabase('mariadb accepted', sent(), accepted))).toContain('OK, signed in')
  })

  it('have their accounts collected', async () => {
    mariadb.sql("CREATE USER 'o''neill 名'@'%'; CREATE USER app@localhost; CREATE USER app@'10.%'; CREATE ROLE clerks")
    mariadb.sql(`CREATE USER '${'n'.repeat(33)}'@'%'; CREATE USER 'line\nbreak'@'%'`)
    const { log, names } = await collect(await newDatabase('mariadb collected', sent()))
    expect(names).toEqual(['admin', 'app', "o'neill 名", 'root'])
    expect(log).toContain('2 entries were ignored')
  })

  it('say which right is missing', async () => {
    mariadb.sql("CREATE USER ordinary@'%' IDENTIFIED BY 'ordinary secret'")
    const account = { username: 'ordinary', secret: 'ordinary secret' }
    const { log, names } = await collect(await newDatabase('mariadb denied', { ...sent(), account }))
    expect(log).toContain('ordinary may not do this')
    expect(log).not.toContain('ordinary secret')
    expect(names).toEqual([])
  })
})

describeWith('postgresql', 'assets of PostgreSQL', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  it('are tested by signing in to their database, and have their accounts collected', async () => {
    const { port, username, password } = new URL(postgres.url('postgres'))
    const account = { username, secret: password }
    const sent = { platform: 19, protocol: { name: 'postgresql', port: Number(port) }, account }
    const id = await newDatabase('postgresql', sent, { db_name: 'template1' })
    expect(await test(id)).toContain(`OK, signed in on port ${port} as castellan`)
    expect((await collect(id)).names).toEqual(['castellan'])
    expect(await test(await newDatabase('postgresql elsewhere', sent, { db_name: 'missing' }))).toContain(
      'database "missing" does not exist',
    )
  })
})

describeWith('redis', 'assets of Redis', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())

  it('are tested with the password alone or with a name, as their platform says, and have their accounts collected', async () => {
    redis.command('ACL', 'SETUSER', 'reader', 'on', '>reader', '+@all', '~*')
    redis.command('ACL', 'SETUSER', 'disabled', 'off', '>disabled')
    const protocol = { name: 'redis', port: redis.port }
    // A name that no server knows is not sent.
    const alone = { platform: 24, protocol, account: { username: 'cache', secret: redis.password } }
    expect(await test(await newDatabase('redis', alone))).toContain('OK, signed in')
    const named = { platform: 25, protocol, account: { username: 'reader', secret: 'reader' } }
    const id = await newDatabase('redis of names', named)
    expect(await test(id)).toContain('OK, signed in')
    expect((await collect(id)).names).toEqual(['default', 'reader'])
    const wrong = { platform: 25, protocol, account: { username: 'cache', secret: redis.password } }
    expect(await test(await newDatabase('redis of a wrong name', wrong))).toContain('refused the login of cache')
  })
})

describeWith(['sshd', 'ssh-keygen'], 'assets of databases', () => {
  let sshd: RealSshd
  beforeAll(async () => {
    sshd = await startSshd()
  })
  afterAll(() => sshd?.stop())

  it('are reached through a gateway of their domain, whether the library takes a stream or an address', async () => {
    const domain = await api<{ id: string }>('POST', 'assets/domains/', { name: 'databases' })
    await api('POST', 'assets/gateways/', {
      name: 'the gateway',
      address: sshd.host,
      domain: domain.id,
      protocols: [{ name: 'ssh', port: sshd.port }],
      accounts: [{ name: 'jump', username: sshd.username, secret_type: 'ssh_key', secret: sshd.privateKey }],
    })
    await using mongo = await startScriptedMongoDb()
    await using sqlserver = await startScriptedSqlServer()
    mongo.users.set('unused.root', 'of root')
    sqlserver.logins.set('sa', 'of sa')
    const behind = { domain: domain.id }
    const mongoAsset = await newDatabase(
      'mongodb behind',
      {
        platform: 23,
        protocol: { name: 'mongodb', port: mongo.port },
        account: { username: 'root', secret: 'of root' },
      },
      behind,
    )
    expect(await test(mongoAsset)).toContain('as root, through gateway the gateway')
    const sqlserverAsset = await newDatabase(
      'sqlserver behind',
      {
        platform: 21,
        protocol: { name: 'sqlserver', port: sqlserver.port },
        account: { username: 'sa', secret: 'of sa' },
      },
      behind,
    )
    expect(await test(sqlserverAsset)).toContain('as sa, through gateway the gateway')
  })

  it('may be hostile, and are a failure without a secret in the log', async () => {
    await using endless = await startPeer((socket) => {
      const send = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'a')));
      }
      socket.on('drain', send)
      send()
    })
    const account = { username: 'root', secret: 'a secret of ours' }
    const kinds = { 18: 'mariadb', 19: 'postgresql', 20: 'oracle', 21: 'sqlserver', 23: 'mongodb', 25: 'redis' }
    for (const [platform, name] of Object.entries(kinds)) {
      const protocol = { name, port: endless.port }
      const id = await newDatabase(`hostile ${name}`, { platform: Number(platform), protocol, account })
      const log = await test(id)
      expect(log, name).toContain('FAILED')
      expect(log, name).not.toContain('a secret of ours')
      expect(await connectivity(id), name).toBe('err')
    }
  })
})
