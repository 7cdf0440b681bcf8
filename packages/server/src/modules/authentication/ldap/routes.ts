import { defaultOrgId, rootOrgId } from '@castellan/contract/ids'
import { ldapMessages } from '@castellan/contract/messages/ldap'
import { settingsMessages } from '@castellan/contract/messages/settings'
import { booleanOf } from '@castellan/contract/truth'
import { boolean, integer, json, secret, stringList, text as words } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { defineRoute, type Handling, Reply } from '../../../kernel/http/route.ts'
import { listOf, pagedReply } from '../../../kernel/lists/paging.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { ApiError, failureAs, invalid, render, text } from '../../../kernel/module/errors.ts'
import { readBody } from '../../../kernel/resource/body.ts'
import { findResource } from '../../../kernel/resource/resource.ts'
import { decrypted } from '../../../kernel/security/encrypted.ts'
import { ldap } from '../backends/directory-settings.ts'
import { forgetUsers, readDirectory, readingOf, startReading, storedUsers, userList } from './cached-users.ts'
import { type Checked, checkSettings, checkSignIn } from './checks.ts'
import { problemOf, savedAccess } from './connection.ts'
import { importUsers, problemsBody } from './import.ts'
import type { DirectoryUser } from './people.ts'
import { importOf, stopImport, withProgress } from './progress.ts'

const base = '/api/v1/settings/ldap/'

interface Entered {
  AUTH_LDAP_SERVER_URI: string
  AUTH_LDAP_BIND_DN: string
  AUTH_LDAP_BIND_PASSWORD: string
  AUTH_LDAP_SEARCH_OU: string
  AUTH_LDAP_SEARCH_FILTER: string
  AUTH_LDAP_USER_ATTR_MAP: Record<string, string>
  AUTH_LDAP_START_TLS?: boolean
  AUTH_LDAP?: boolean
}

const enteredFields = {
  AUTH_LDAP_SERVER_URI: words({ max: 1024, required: true }),
  AUTH_LDAP_BIND_DN: words({ max: 1024, blank: true }),
  AUTH_LDAP_BIND_PASSWORD: secret({ max: 1024, blank: true }),
  AUTH_LDAP_SEARCH_OU: words({ max: 1024, required: true }),
  AUTH_LDAP_SEARCH_FILTER: words({ max: 1024, required: true }),
  AUTH_LDAP_USER_ATTR_MAP: json({ required: true }),
  AUTH_LDAP_START_TLS: boolean(),
  AUTH_LDAP: boolean(),
}

/** As the contract has results of long tests: with the status of the result inside of a 200. */
const resultOf = (ctx: Context, data: unknown, status: number): unknown => ({
  status: 'ok',
  start_time: ctx.now / 1000,
  key: '',
  resp: { data, status },
})

/** A body that cannot be tested: one text, as the contract has it, and the texts of the fields for forms. */
function refusalOf(ctx: Context, error: unknown): Record<string, unknown> {
  if (!(error instanceof ApiError) || error.status !== 400) throw error
  const body = objectOf(error.body(ctx.language))
  return {
    error: Object.entries(body)
      .map(([name, texts]) => `${name}: ${[texts].flat().join(' ')}`)
      .join('\n'),
    ...body,
  }
}

async function testSettings({ ctx, request }: Handling): Promise<unknown> {
  try {
    const { passed, said } = await checkEntered(ctx, request.body)
    return resultOf(ctx, render(said, ctx.language), passed ? 200 : 400)
  } catch (error) {
    return resultOf(ctx, refusalOf(ctx, error), 400)
  }
}

async function checkEntered(ctx: Context, body: unknown): Promise<Checked> {
  const entered = readBody<Entered>(ctx, enteredFields, body)
  const saved = savedAccess(ctx)
  const typed = String(decrypted(ctx, entered.AUTH_LDAP_BIND_PASSWORD ?? '') ?? '')
  const startTls = entered.AUTH_LDAP_START_TLS ?? saved.startTls
  const isSame =
    entered.AUTH_LDAP_SERVER_URI === saved.uri &&
    (entered.AUTH_LDAP_BIND_DN ?? '') === saved.bindDn &&
    (startTls || !saved.startTls)
  // Otherwise the test would send the stored password to any address, or unencrypted.
  if (!typed && saved.bindPassword && !isSame)
    throw invalid({ AUTH_LDAP_BIND_PASSWORD: [text(settingsMessages.secret_again)] })
  return checkSettings(
    {
      ...saved,
      uri: entered.AUTH_LDAP_SERVER_URI,
      bindDn: entered.AUTH_LDAP_BIND_DN ?? '',
      bindPassword: typed || saved.bindPassword,
      startTls,
    },
    {
      bases: entered.AUTH_LDAP_SEARCH_OU,
      filter: entered.AUTH_LDAP_SEARCH_FILTER,
      attributes: entered.AUTH_LDAP_USER_ATTR_MAP,
      pageSize: ldap.of(ctx).AUTH_LDAP_SEARCH_PAGED_SIZE,
    },
    entered.AUTH_LDAP === true,
  )
}

const signInFields = { username: words({ max: 1024, required: true }), password: words({ max: 2014, required: true }) }

async function testSignIn({ ctx, request }: Handling): Promise<unknown> {
  try {
    const { username, password } = readBody<{ username: string; password: string }>(ctx, signInFields, request.body)
    const { passed, said } = await checkSignIn(ctx, username, decrypted(ctx, password))
    return new Reply(passed ? 200 : 400, render(said, ctx.language))
  } catch (error) {
    return new Reply(400, refusalOf(ctx, error))
  }
}

const listFields = {
  username: words({ order: true }),
  name: words({ order: true }),
  email: words({ order: true }),
  groups: stringList(),
  existing: boolean({ order: true }),
}

const isCached = (value: string | undefined) => value === undefined || booleanOf(value) === true

async function live(ctx: Context): Promise<DirectoryUser[]> {
  try {
    return await readDirectory(ctx)
  } catch (error) {
    throw failureAs(400, 'msg', problemOf(error))
  }
}

/** The stored users; without them a reading is started, and the client asks again. */
async function listUsers({ ctx, request }: Handling): Promise<unknown> {
  const { query } = request
  if (!isCached(query.cache_police)) {
    const found = await live(ctx)
    return pagedReply(
      ctx,
      request,
      listOf(found.map(({ username, name, email, groups }) => ({ id: username, username, name, email, groups }))),
    )
  }
  const reading = await readingOf(ctx)
  if (reading?.state === 'failed') throw new ApiError(400, 'error', () => ({ error: reading.error }))
  if (reading?.state === 'ready') return pagedReply(ctx, request, userList(ctx, query))
  if (!reading) await startReading(ctx)
  throw failureAs(409, 'msg', text(ldapMessages.reading))
}

const importFields = { username_list: stringList({ required: true, max: 1024 }), org_ids: stringList({ max: 64 }) }

async function organizationIds(ctx: Context): Promise<Set<string>> {
  const { table } = findResource('orgs.organization')
  const rows = await ctx.acrossOrganizations.selectFrom(table).select('id').where('id', '!=', rootOrgId).execute()
  return new Set(rows.map(({ id }) => String(id)))
}

async function importRoute({ ctx, request }: Handling): Promise<unknown> {
  const { username_list, org_ids = [] } = readBody<{ username_list: string[]; org_ids?: string[] }>(
    ctx,
    importFields,
    request.body,
  )
  const [first = ctx.isRootOrg ? defaultOrgId : ctx.orgId, ...others] = org_ids
  const known = await organizationIds(ctx)
  const unknown = [first, ...others].find((id) => !known.has(id))
  if (unknown) throw invalid({ org_ids: [text(settingsMessages.no_organization, { id: unknown })] })
  const isAll = username_list.includes('*')
  const found = isAll ? await live(ctx) : await storedUsers(ctx, username_list)
  const imported = await withProgress(ctx, found.length, (onProgress) =>
    importUsers(ctx, found, [first, ...others], onProgress),
  )
  const present = new Set(found.map(({ username }) => username))
  const missing = isAll ? [] : username_list.filter((username) => !present.has(username))
  const errors = [
    ...missing.map((username) => ({ [username]: render(text(ldapMessages.not_in_directory), ctx.language) })),
    ...problemsBody(ctx, imported),
  ]
  if (errors.length > 0) return new Reply(400, { errors })
  const { created, updated, unchanged, left } = imported
  const numbers = { count: created + updated + unchanged, created, left }
  return { msg: render(text(left > 0 ? ldapMessages.stopped : ldapMessages.imported, numbers), ctx.language) }
}

export const ldapRoutes = [
  defineRoute({
    method: 'POST',
    path: `${base}testing/config/`,
    requires: 'settings.change_auth',
    transaction: 'none',
    summary: 'Test entered settings of the directory',
    fields: { POST: enteredFields },
    handle: testSettings,
  }),
  defineRoute({
    method: 'POST',
    path: `${base}testing/login/`,
    requires: 'settings.change_auth',
    transaction: 'none',
    summary: 'Test a sign-in with the saved settings of the directory',
    fields: { POST: signInFields },
    handle: testSignIn,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}users/`,
    requires: 'settings.view_setting',
    transaction: 'none',
    summary: 'Users of the directory as they were last read; 409 while they are read',
    statuses: [409],
    fields: { GET: listFields },
    listed: true,
    handle: listUsers,
  }),
  defineRoute({
    method: 'POST',
    path: `${base}users/import/`,
    requires: 'settings.change_auth',
    transaction: 'none',
    summary: 'Import users of the directory',
    fields: { POST: importFields },
    handle: importRoute,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}users/import/progress/`,
    requires: 'settings.change_auth',
    transaction: 'none',
    summary: 'How far the import of the caller is: users done and in total, both 0 when none runs',
    fields: { GET: { done: integer(), total: integer() } },
    handle: async ({ ctx }) => (await importOf(ctx)) ?? { done: 0, total: 0 },
  }),
  defineRoute({
    method: 'POST',
    path: `${base}users/import/stop/`,
    requires: 'settings.change_auth',
    transaction: 'none',
    summary: 'Stop the import of the caller; users who were imported stay',
    handle: async ({ ctx }) => {
      await stopImport(ctx)
      return {}
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${base}cache/refresh/`,
    requires: 'settings.view_setting',
    transaction: 'none',
    summary: 'Forget the users that were read',
    handle: async ({ ctx }) => {
      await forgetUsers(ctx)
      return { msg: 'success' }
    },
  }),
]
