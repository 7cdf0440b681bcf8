import type { Duplex } from 'node:stream'
import { accountTarget, passwordChange, passwordLogin, startPeer } from '@castellan/testing/account-target'
import { type MariaDb, startMariaDb } from '@castellan/testing/mariadb'
import { describeWith, type Part } from '@castellan/testing/parts'
import { type Postgres, startPostgres } from '@castellan/testing/postgres'
import { type RedisServer, startRedis } from '@castellan/testing/redis'
import { type ScriptedMongoDb, startScriptedMongoDb } from '@castellan/testing/scripted-mongodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AccountSystem, SystemFailure, type SystemLogin, type SystemTarget } from './account-system.ts'
import { mongodb } from './mongodb/mongodb.ts'
import { mysql } from './mysql/mysql.ts'
import { oracle } from './oracle/oracle.ts'
import { postgresql } from './postgresql/postgresql.ts'
import { redis } from './redis/redis.ts'
import { sqlserver } from './sqlserver/sqlserver.ts'

interface Server {
  port: number
  administrator: SystemLogin
  stop(): Promise<void>
}

interface Kind {
  name: string
  part: Part | readonly Part[]
  system: Required<AccountSystem>
  /** What the statement contains that changes a password. */
  statement: string
  start(): Promise<Server>
}

const kinds: readonly Kind[] = [
  {
    name: 'MariaDB',
    part: 'mariadb',
    system: mysql as Required<AccountSystem>,
    statement: 'SET PASSWORD',
    async start() {
      const server: MariaDb = await startMariaDb()
      const administrator = passwordLogin(server.username, server.password)
      return { port: server.port, administrator, stop: () => server.stop() }
    },
  },
  {
    name: 'PostgreSQL',
    part: 'postgresql',
    system: postgresql as Required<AccountSystem>,
    statement: 'ALTER ROLE',
    async start() {
      const server: Postgres = await startPostgres()
      const { port, username, password } = new URL(server.url('postgres'))
      return { port: Number(port), administrator: passwordLogin(username, password), stop: () => server.stop() }
    },
  },
  {
    name: 'Redis',
    part: 'redis',
    system: redis as Required<AccountSystem>,
    statement: 'SETUSER',
    async start() {
      const server: RedisServer = await startRedis({ storage: 'aclfile' })
      const administrator = passwordLogin('default', server.password)
      return { port: server.port, administrator, stop: () => server.stop() }
    },
  },
  {
    name: 'a scripted MongoDB',
    part: [],
    system: mongodb as Required<AccountSystem>,
    statement: 'updateUser',
    async start() {
      const server: ScriptedMongoDb = await startScriptedMongoDb()
      server.users.set('admin.root', 'of the server')
      server.administrators.add('admin.root')
      const administrator = passwordLogin('root', 'of the server')
      return { port: server.port, administrator, stop: async () => server[Symbol.asyncDispose]() }
    },
  },
]

/** A connection that is lost when the client sends a statement, or when the server answers it. */
async function cutAt(target: SystemTarget, statement: string, when: 'before' | 'after'): Promise<Duplex> {
  const stream = await target.dial()
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean
  stream.write = ((chunk: Buffer, ...more: unknown[]) => {
    const isSent = chunk.includes(statement)
    if (isSent && when === 'before') stream.destroy()
    else if (isSent) stream.push = () => void stream.destroy() as never
    return write(chunk, ...more)
  }) as typeof stream.write
  return stream
}

const passwords = {
  'of every kind of quote': `a'b"c\`d\\e'; DROP--#\${x}%s?:1/*`,
  'that ends with a backslash': 'abc\\',
  'of 128 characters': 'aB3-'.repeat(32),
  'in Chinese and with compatibility characters': '密码ａ①',
}

describe.each(kinds)('accounts of $name', ({ part, system, statement, start }) => {
  describeWith(part, 'on a real connection', () => {
    let server: Server
    beforeAll(async () => {
      server = await start()
    })
    afterAll(() => server.stop())
    const target = () => accountTarget(server.port)
    const change = (username: string, secret: string, create = false) =>
      system.change(target(), server.administrator, passwordChange(username, secret, create))
    const verify = (username: string, secret: string) => system.verify(target(), passwordLogin(username, secret))

    it.each(Object.entries(passwords))('sets a password %s', async (_kind, secret) => {
      await change('passwords', 'before', true)
      await change('passwords', secret)
      await verify('passwords', secret)
      await expect(verify('passwords', 'before')).rejects.toMatchObject({ code: 'auth_failed' })
    })

    it('succeeds when the password is set already', async () => {
      await change('twice', 'the same', true)
      await change('twice', 'the same')
      await verify('twice', 'the same')
    })

    it.each([`o'b"r\`%@名`, 'a-b.c+d$e', 'DROP;--'])('creates, lists and removes %s', async (name) => {
      await expect(change(name, 'first')).rejects.toMatchObject({ code: 'account_missing' })
      await change(name, 'first', true)
      await verify(name, 'first')
      const names = async () => (await system.list(target(), server.administrator)).map(({ username }) => username)
      // MySQL's own accounts have a dot in their names.
      if (!name.includes('.') || system !== mysql) expect(await names()).toContain(name)
      await system.remove(target(), server.administrator, name)
      expect(await names()).not.toContain(name)
      await expect(verify(name, 'first')).rejects.toMatchObject({ code: 'auth_failed' })
      await system.remove(target(), server.administrator, name)
    })

    it('refuses what no account is called and no password is', async () => {
      // The default user of Redis is the one without a name.
      if (system !== redis) await expect(change('', 'x', true)).rejects.toMatchObject({ code: 'bad_name' })
      await expect(change('nul\0', 'x', true)).rejects.toMatchObject({ code: 'bad_name' })
      await expect(change('long'.repeat(500), 'x', true)).rejects.toMatchObject({ code: 'bad_name' })
      await expect(change('empty', '', true)).rejects.toMatchObject({ code: 'secret_rejected' })
      await expect(change('nul', 'a\0b', true)).rejects.toMatchObject({ code: 'secret_rejected' })
    })

    it('says that a login may not manage accounts, without the secret', async () => {
      await change('ordinary', 'ordinary secret', true)
      const by = passwordLogin('ordinary', 'ordinary secret')
      const attempt = system.change(target(), by, passwordChange('another', 'another secret', true))
      const error = await attempt.catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'denied' })
      expect(JSON.stringify(error) + String(error)).not.toMatch(/another secret|ordinary secret/)
    })

    it.each(['before', 'after'] as const)('fails as a connection that is lost %s the change', async (when) => {
      const name = `lost ${when}`.replace(' ', '-')
      await change(name, 'old', true)
      const cut = { ...target(), dial: () => cutAt(target(), statement, when) }
      const error = await system
        .change(cut, server.administrator, passwordChange(name, 'new'))
        .catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(Error)
      expect(error).not.toBeInstanceOf(SystemFailure)
      expect(String(error)).not.toContain('new')
    })

    it('ends with its signal', async () => {
      await using silent = await startPeer(() => undefined)
      const end = new AbortController()
      const attempt = system.verify(accountTarget(silent.port, { signal: end.signal }), passwordLogin('root', 'secret'))
      setImmediate(() => end.abort(new Error('the run was stopped')))
      await expect(attempt).rejects.toThrow('the run was stopped')
    })
  })
})

const all: readonly (readonly [string, AccountSystem])[] = [
  ['MySQL', mysql],
  ['PostgreSQL', postgresql],
  ['Redis', redis],
  ['MongoDB', mongodb],
  ['SQL Server', sqlserver],
  ['Oracle', oracle],
]

describe.each(all)('a hostile server instead of %s', (_name, system) => {
  const attempt = (port: number) =>
    system
      .verify(accountTarget(port, { database: 'service' }), passwordLogin('root', 'a secret of ours'))
      .catch((reason: unknown) => reason)

  it('cannot send without end', async () => {
    await using endless = await startPeer((socket) => {
      const chunk = Buffer.alloc(65_536, 'a')
      const send = () => {
        while (!socket.destroyed && socket.write(chunk));
      }
      socket.on('drain', send)
      send()
    })
    const error = await attempt(endless.port)
    expect(error).toBeInstanceOf(Error)
    expect(String(error)).not.toContain('a secret of ours')
  })

  it('fails as a connection when it closes at once, or answers nonsense', async () => {
    await using closing = await startPeer((socket) => socket.destroy())
    expect(await attempt(closing.port)).toBeInstanceOf(Error)
    await using nonsense = await startPeer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await attempt(nonsense.port)).toBeInstanceOf(Error)
  })
})
