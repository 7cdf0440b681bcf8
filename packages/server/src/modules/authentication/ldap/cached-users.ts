/** The users of the directory as they were last read: reading takes long, and lists are searched and paged. */
import { ldapMessages } from '@castellan/contract/messages/ldap'
import { batches } from '../../../db/batches.ts'
import { defineJob } from '../../../kernel/jobs/kinds.ts'
import type { Pageable } from '../../../kernel/lists/paging.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { render, text } from '../../../kernel/module/errors.ts'
import { usernames } from '../../users/index.ts'
import { problemOf, savedAccess, withDirectory } from './connection.ts'
import { allUsers, type DirectoryUser, savedSearch } from './people.ts'

/** How the last reading went. Its log has the details. */
interface Reading {
  readonly state: 'running' | 'failed' | 'ready'
  readonly error?: string
}

const readingKey = 'ldap:reading'
/** Seconds: longer than a reading takes, so that one whose worker died can be started again. */
const readingAge = 600
const tableName = 'authentication_directoryuser'

export const readingOf = (ctx: Context) => ctx.kv.get<Reading>(readingKey)
const note = (ctx: Context, reading: Reading) =>
  ctx.kv.set(readingKey, reading, reading.state === 'ready' ? 365 * 86_400 : readingAge)

export const readDirectory = (ctx: Context): Promise<DirectoryUser[]> =>
  withDirectory(savedAccess(ctx), (client) => allUsers(client, savedSearch(ctx)))

/** Replaces the stored users. */
export async function storeUsers(ctx: Context, found: readonly DirectoryUser[]): Promise<void> {
  await ctx.transaction(async (inside) => {
    await inside.rawDb.deleteFrom(tableName).execute()
    for (const some of batches(found))
      await inside.rawDb
        .insertInto(tableName)
        .values(
          some.map(({ username, name, email, groups, isActive }) => ({
            username,
            name,
            email,
            groups: JSON.stringify(groups),
            is_active: isActive,
          })),
        )
        .execute()
  })
  await note(ctx, { state: 'ready' })
}

export const readUsers = defineJob<object>({
  name: 'settings.tasks.ldap.import_ldap_user',
  delivery: 'idempotent',
  retries: 0,
  async run(ctx, _payload, job) {
    try {
      const found = await readDirectory(ctx)
      await storeUsers(ctx, found)
      await job.log(render(text(ldapMessages.found, { count: found.length }), ctx.language))
    } catch (error) {
      await note(ctx, { state: 'failed', error: render(problemOf(error), ctx.language) })
      throw error
    }
  },
})

/** Starts a reading, unless one runs. */
export async function startReading(ctx: Context): Promise<void> {
  await note(ctx, { state: 'running' })
  await ctx.transaction((inside) => inside.enqueue(readUsers, {}, { uniqueKey: readUsers.name }))
}

export async function forgetUsers(ctx: Context): Promise<void> {
  await ctx.transaction((inside) => inside.rawDb.deleteFrom(tableName).execute())
  await ctx.kv.delete(readingKey)
}

/** The stored users of these names. */
export async function storedUsers(ctx: Context, usernames: readonly string[]): Promise<DirectoryUser[]> {
  const found: DirectoryUser[] = []
  for (const some of batches(usernames))
    for (const row of await ctx.rawDb.selectFrom(tableName).selectAll().where('username', 'in', some).execute())
      found.push({
        dn: '',
        username: row.username,
        name: row.name,
        email: row.email,
        groups: parsed(row.groups),
        isActive: Boolean(row.is_active),
      })
  return found
}

const parsed = (stored: unknown): string[] =>
  (typeof stored === 'string' ? JSON.parse(stored) : (stored ?? [])) as string[]

const orders = ['existing', 'username', 'name', 'email'] as const

/** The stored users as a list with search and order. */
export function userList(ctx: Context, { search = '', order = '' }: { search?: string; order?: string }): Pageable {
  const words = search.trim().toLowerCase()
  const pattern = `%${words.replace(/[\\%_]/g, (char) => `\\${char}`)}%`
  const filtered = () => {
    const query = ctx.rawDb.selectFrom(`${tableName} as d`).leftJoin(usernames(ctx).as('u'), 'u.username', 'd.username')
    if (!words) return query
    return query.where((eb) =>
      eb.or(
        (['d.username', 'd.name', 'd.email'] as const).map((column) =>
          eb(eb.fn('lower', [column]), 'like', eb.cast(eb.val(pattern), 'text')),
        ),
      ),
    )
  }
  const isDown = order.startsWith('-')
  const column = orders.find((one) => one === order.replace(/^-/, '')) ?? 'existing'
  return {
    async count() {
      const row = await filtered()
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirst()
      return Number(row?.n ?? 0)
    },
    async rows(page) {
      let query = filtered()
        .select(['d.username', 'd.name', 'd.email', 'd.groups', 'u.id as user_id'])
        .orderBy(
          (eb) => (column === 'existing' ? eb('u.id', 'is not', null) : eb.ref(`d.${column}` as 'd.name')),
          isDown ? 'desc' : 'asc',
        )
        .orderBy('d.username')
      if (page) query = query.limit(page.limit).offset(page.offset)
      return (await query.execute()).map(({ username, name, email, groups, user_id }) => ({
        id: username,
        username,
        name,
        email,
        groups: parsed(groups),
        existing: user_id !== null,
      }))
    },
  }
}
