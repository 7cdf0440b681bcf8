import { type AccountSystem, type SecretChange, SystemFailure, type SystemLogin } from '../account-system.ts'
import { accountMissing, demandName, demandPassword } from '../databases/answers.ts'
import { type SqlServerSession, withSqlServer } from './session.ts'

/** The most characters of names and passwords; the server quotes no longer text. */
const longest = 128

/**
 * Statements about logins take no parameters, so the server itself makes them of parameters, quoted by its own function.
 */
const batches = {
  find: 'SELECT 1 FROM sys.sql_logins WHERE name = @name',
  alter: `DECLARE @statement nvarchar(max) = N'ALTER LOGIN ' + QUOTENAME(@name)
    + N' WITH PASSWORD = N' + QUOTENAME(@secret, '''')
  EXEC (@statement)`,
  alterOwn: `DECLARE @statement nvarchar(max) = N'ALTER LOGIN ' + QUOTENAME(@name)
    + N' WITH PASSWORD = N' + QUOTENAME(@secret, '''') + N' OLD_PASSWORD = N' + QUOTENAME(@old, '''')
  EXEC (@statement)`,
  create: `DECLARE @statement nvarchar(max) = N'CREATE LOGIN ' + QUOTENAME(@name)
    + N' WITH PASSWORD = N' + QUOTENAME(@secret, '''') + N', DEFAULT_DATABASE = ' + QUOTENAME(DB_NAME())
  EXEC (@statement)`,
  createUser: `DECLARE @statement nvarchar(max) = N'CREATE USER ' + QUOTENAME(@name) + N' FOR LOGIN ' + QUOTENAME(@name)
  EXEC (@statement)`,
  drop: `DECLARE @statement nvarchar(max) = N''
  IF EXISTS (SELECT 1 FROM sys.database_principals WHERE name = @name AND type = 'S')
    SET @statement = N'DROP USER ' + QUOTENAME(@name) + N'; '
  IF EXISTS (SELECT 1 FROM sys.sql_logins WHERE name = @name)
    SET @statement = @statement + N'DROP LOGIN ' + QUOTENAME(@name)
  EXEC (@statement)`,
}

async function create(session: SqlServerSession, { username: name, secret }: SecretChange): Promise<void> {
  await session.run(batches.create, { name, secret })
  try {
    await session.run(batches.createUser, { name })
  } catch (error) {
    // The next attempt would take the login for a complete one.
    await session.run(batches.drop, { name })
    throw error
  }
}

async function setPassword(session: SqlServerSession, by: SystemLogin, change: SecretChange): Promise<void> {
  const { username: name, secret } = change
  // Whoever knows the old password needs no right to change the own one.
  if (by.username === name) {
    await session.run(batches.alterOwn, { name, secret, old: by.secret })
    return
  }
  const found = await session.run(batches.find, { name })
  if (found.length > 0) await session.run(batches.alter, { name, secret })
  else if (change.create) await create(session, change)
  else throw accountMissing(name)
}

const demandLogin = (username: string) => {
  demandName(username)
  if (username.length > longest) throw new SystemFailure('bad_name', `a login has at most ${longest} characters`)
}

/** Logins of SQL Server that sign in with a password. */
export const sqlserver: AccountSystem = {
  async verify(target, login) {
    await withSqlServer(target, login, [], (session) => session.run('SELECT 1'))
  },

  async change(target, by, change) {
    demandLogin(change.username)
    demandPassword(change.secretType, change.secret)
    if (change.secret.length > longest)
      throw new SystemFailure('secret_rejected', `a password has at most ${longest} characters`)
    await withSqlServer(target, by, [change.secret], (session) => setPassword(session, by, change))
  },

  async remove(target, by, username) {
    demandLogin(username)
    await withSqlServer(target, by, [], (session) => session.run(batches.drop, { name: username }))
  },
}
