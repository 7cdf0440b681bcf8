import { errors } from '@castellan/contract/messages/errors'
import { signInErrors } from '@castellan/contract/messages/sign-in'
import type { TableShape } from '../../db/schema.ts'
import { base, type Field, type StoredRow } from '../../kernel/fields/field.ts'
import { isObject, own } from '../../kernel/fields/safe-lookup.ts'
import { defineRoute, type Handling, type RequestParts, type RouteFields } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, notAnObject, type Problem, permissionDenied, Rejected, text } from '../../kernel/module/errors.ts'
import { fieldsInfo } from '../../kernel/resource/metadata.ts'
import { decrypted } from '../../kernel/security/encrypted.ts'
import { Sealed } from '../../kernel/security/secrets.ts'
import { type PreferenceFields, preferenceFields } from './preference-fields.ts'

/** Stored preferences, by name; missing ones have their default. */
export const preferenceTable: TableShape = {
  name: 'users_preference',
  columns: {
    user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
    name: { type: 'text' },
    /** JSON; a sealed text when `encrypted`. */
    value: { type: 'text' },
    encrypted: { type: 'boolean' },
    date_updated: { type: 'timestamp' },
  },
  primaryKey: ['user_id', 'name'],
  unique: [],
  indexes: [],
}

const secretName = 'secret_key'
/** The column name the secret is bound to. */
const secretPlace = `users_preference.${secretName}`

function categoryOf(request: RequestParts): PreferenceFields {
  const category = request.query.category ?? ''
  const fields = own(preferenceFields, category)
  if (!fields) throw permissionDenied()
  return fields
}

interface Preference {
  name: string
  value: string
}

async function chosen(ctx: Context, userId: string): Promise<Map<string, Preference>> {
  const rows = await ctx.rawDb
    .selectFrom('users_preference')
    .select(['name', 'value'])
    .where('user_id', '=', userId)
    .execute()
  return new Map(rows.map((row) => [row.name, row]))
}

async function answer(ctx: Context, fields: PreferenceFields): Promise<StoredRow> {
  const mine = await chosen(ctx, ctx.me.id)
  const choiceOf = (name: string, field: Field) => {
    if (name === 'has_secret_key') return mine.has(secretName)
    const row = mine.get(name)
    return row ? JSON.parse(row.value) : field.default
  }
  return Object.fromEntries(
    Object.entries(fields).map(([group, members]) => [
      group,
      Object.fromEntries(
        Object.entries(members)
          .filter(([, field]) => !field.writeOnly)
          .map(([name, field]) => [name, choiceOf(name, field)]),
      ),
    ]),
  )
}

async function store(ctx: Context, name: string, value: unknown): Promise<void> {
  const encrypted = name === secretName
  const row = {
    value: encrypted ? ctx.services.vault.seal(String(value), secretPlace).stored() : JSON.stringify(value),
    encrypted,
    date_updated: ctx.now,
  }
  await ctx.rawDb
    .insertInto('users_preference')
    .values({ user_id: ctx.me.id, name, ...row })
    .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet(row))
    .execute()
}

/** The validated preferences by name; errors are reported under their group. */
function parsed(ctx: Context, fields: PreferenceFields, body: unknown): Map<string, unknown> {
  const sent = body ?? {}
  if (!isObject(sent)) throw invalid({ non_field_errors: [notAnObject(sent)] })
  const values = new Map<string, unknown>()
  const problems: Record<string, Record<string, Problem>> = {}
  const refuse = (group: string, name: string, problem: Problem) => {
    problems[group] = { ...problems[group], [name]: [problem].flat() as Problem }
  }
  for (const [group, members] of Object.entries(fields)) {
    const part = sent[group]
    if (part === undefined) continue
    if (!isObject(part)) {
      refuse(group, 'non_field_errors', notAnObject(part))
      continue
    }
    for (const [name, field] of Object.entries(members)) {
      const value = part[name]
      if (value === undefined || field.readOnly || !field.parse) continue
      try {
        if (value === null) throw new Rejected([text(errors.null)])
        values.set(name, field.parse(field.writeOnly ? decrypted(ctx, value) : value, ctx))
      } catch (error) {
        if (!(error instanceof Rejected)) throw error
        refuse(group, name, error.problem)
      }
    }
  }
  if (values.get(secretName) !== values.get('secret_key_again'))
    refuse('basic', 'secret_key_again', text(signInErrors.password_mismatch))
  if (Object.keys(problems).length > 0) throw invalid(problems as Problem)
  return values
}

async function change({ ctx, request }: Handling): Promise<StoredRow> {
  const fields = categoryOf(request)
  for (const [name, value] of parsed(ctx, fields, request.body))
    if (name !== 'secret_key_again' && (name !== secretName || value !== '')) await store(ctx, name, value)
  return answer(ctx, fields)
}

function described(_ctx: Context, request: RequestParts): RouteFields {
  const groups = Object.fromEntries(
    Object.entries(categoryOf(request)).map(([group, members]): [string, Field] => [
      group,
      { ...base('nested object', {}), meta: (caller) => ({ children: fieldsInfo(caller, 'users', members) }) },
    ]),
  )
  return { GET: groups, PUT: groups, PATCH: groups }
}

/** The user's password for encrypted files sent by mail; undefined when there is none. */
export async function filePasswordOf(ctx: Context, userId: string): Promise<string | undefined> {
  const row = (await chosen(ctx, userId)).get(secretName)
  return row && ctx.services.vault.open(new Sealed(row.value, secretPlace))
}

const path = '/api/v1/users/preference/'

export const preferenceRoutes = [
  defineRoute({
    method: 'GET',
    path,
    requires: 'valid',
    summary: 'Own preferences of one program: lina, luna or koko',
    fields: described,
    handle: ({ ctx, request }) => answer(ctx, categoryOf(request)),
  }),
  defineRoute({
    method: ['PUT', 'PATCH'],
    path,
    requires: 'valid',
    summary: 'Change own preferences; only names that are sent are stored',
    fields: described,
    handle: change,
  }),
]
