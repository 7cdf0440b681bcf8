import { errors } from '@castellan/contract/messages/errors'
import { settingsMessages } from '@castellan/contract/messages/settings'
import type { PermissionCode } from '@castellan/contract/permissions'
import type { Field, StoredRow } from '../../kernel/fields/field.ts'
import { isObject, own } from '../../kernel/fields/safe-lookup.ts'
import {
  defineRoute,
  type Handling,
  type RequestParts,
  type RouteFields,
  UploadedBytes,
} from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, notAnObject, Problems, permissionDenied, Rejected, text } from '../../kernel/module/errors.ts'
import { type Setting, settingCatalogue } from '../../kernel/settings/setting-groups.ts'
import { dropPictures, isPicture, sentBytes, storePicture } from './picture.ts'
import { admitAlteredSettings } from './settings-log.ts'

export interface Category {
  readonly permission: PermissionCode | 'superuser'
  readonly changing: PermissionCode | 'superuser'
  readonly settings: readonly Setting[]
}

/** Requests that read. All others change. */
const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The category of a request, which the caller may read or change; an unknown one means the basic one for a system administrator. */
export function categoryOf(ctx: Context, { query, method }: RequestParts): Category {
  const { categories } = settingCatalogue
  const known = categories.get(query.category || 'basic')
  const shown = query.category === 'all' ? [...categories.values()] : [categories.get('basic')]
  const settings = new Set(shown.flatMap((category) => category?.settings ?? []))
  const category: Category = known ?? { permission: 'superuser', changing: 'superuser', settings: [...settings] }
  const needed = reading.has(method) ? category.permission : category.changing
  if (!(needed === 'superuser' ? ctx.me.isSuperuser : ctx.can(needed))) throw permissionDenied()
  return category
}

/** A value as the API shows it. */
export const shown = (ctx: Context, { field }: Setting, value: unknown): unknown =>
  (field.wire ? field.wire(value, ctx, {}) : value) ?? null

export const settingValue = (ctx: Context, setting: Setting): unknown => shown(ctx, setting, setting.of(ctx))

/** Mutually exclusive protections of the sign-in page: the first enabled one applies. */
const exclusive = ['SECURITY_LOGIN_CHALLENGE_ENABLED', 'SECURITY_MFA_IN_LOGIN_PAGE', 'SECURITY_LOGIN_CAPTCHA_ENABLED']

function oneOfThem(values: StoredRow): StoredRow {
  const first = exclusive.find((name) => values[name] === true)
  const off = exclusive.filter((name) => name in values && exclusive.indexOf(name) > exclusive.indexOf(first ?? name))
  return { ...values, ...Object.fromEntries(off.map((name) => [name, false])) }
}

/** Values of a category in wire form, with pending changes applied. */
function answer(ctx: Context, category: Category, changed: Readonly<StoredRow> = {}): StoredRow {
  const values = Object.fromEntries(
    category.settings
      .filter((setting) => !setting.secret)
      .map((setting) => [
        setting.name,
        setting.name in changed ? shown(ctx, setting, changed[setting.name]) : settingValue(ctx, setting),
      ]),
  )
  return oneOfThem(values)
}

function parsed(ctx: Context, category: Category, body: StoredRow, partial: boolean): StoredRow {
  const values: StoredRow = {}
  const problems = new Problems()
  for (const { name, field } of category.settings) {
    if (field.readOnly || !field.parse) continue
    const sent = own(body, name)
    if (sent === undefined) {
      if (!partial && field.required && !field.secret) problems.add(name, text(errors.required))
      continue
    }
    // An empty secret leaves the stored one unchanged.
    if (field.secret && (sent === null || sent === '')) continue
    if (sent === null && field.nullable) values[name] = null
    else if (sent === null) problems.add(name, text(errors.null))
    else
      try {
        values[name] = field.parse(sent, ctx)
      } catch (error) {
        if (!(error instanceof Rejected)) throw error
        problems.add(name, error.problem)
      }
  }
  problems.throwIfAny()
  // A code on the sign-in page is only possible if the second factor is required of everyone.
  if (values.SECURITY_MFA_IN_LOGIN_PAGE && values.SECURITY_MFA_AUTH !== 1) values.SECURITY_MFA_IN_LOGIN_PAGE = false
  return values
}

/** What was sent. Files are read for the pictures of the category only. */
async function formOf(request: RequestParts, { settings }: Category): Promise<StoredRow> {
  const { body } = request
  if (request.contentType === 'multipart/form-data') {
    const sent: StoredRow = {}
    for await (const part of request.multipart())
      if ('value' in part) sent[part.field] = part.value
      else if (!settings.some(({ name, field }) => name === part.field && field.type === 'image upload'))
        part.stream.resume()
      else sent[part.field] = new UploadedBytes(part.name, await sentBytes(part.stream))
    return sent
  }
  if (body === undefined || body === null) return {}
  if (!isObject(body)) throw invalid({ non_field_errors: [notAnObject(body)] })
  return body
}

/** A setting that nothing reads yet keeps its value: storing another one would only pretend an effect. */
function demandAvailable(ctx: Context, changed: readonly Setting[]): void {
  const problems = new Problems()
  for (const setting of changed) {
    const reason = setting.reasonWithoutEffect(ctx.services.config)
    if (reason) problems.add(setting.name, text(reason))
  }
  problems.throwIfAny()
}

/** A stored secret is not sent to an address that somebody else enters later. */
function demandSecrets(ctx: Context, changed: readonly Setting[]): void {
  const names = new Set(changed.map(({ name }) => name))
  const problems = new Problems()
  for (const setting of settingCatalogue.settings)
    if (setting.sentTo.some((name) => names.has(name)) && !names.has(setting.name) && setting.of(ctx))
      problems.add(setting.name, text(settingsMessages.secret_again))
  problems.throwIfAny()
}

/** Values that are valid alone may not fit together. */
function demandTogether(ctx: Context, changed: readonly Setting[], values: StoredRow): void {
  const names = new Set(changed.map(({ name }) => name))
  for (const { check, own } of settingCatalogue.groups) {
    if (!check || !own.some(({ name }) => names.has(name))) continue
    const problem = check(Object.fromEntries(own.map((one) => [one.name, values[one.name] ?? one.of(ctx)])))
    if (problem) throw invalid({ non_field_errors: [problem] })
  }
}

/** Stores the pictures that were sent as files, and puts their addresses in place. */
async function withAddresses(ctx: Context, values: StoredRow): Promise<StoredRow> {
  const placed = { ...values }
  for (const [name, value] of Object.entries(values))
    if (isPicture(value)) {
      placed[name] = await storePicture(ctx, name, value)
      await dropPictures(ctx, [name], [String(placed[name])])
    }
  return placed
}

/** A file is read before the transaction: nobody waits for a slow one. */
async function change({ ctx, request }: Handling): Promise<StoredRow> {
  const category = categoryOf(ctx, request)
  const sent = await formOf(request, category)
  return ctx.transaction((inside) => store(inside, category, sent, request.method === 'PATCH'))
}

async function store(ctx: Context, category: Category, sent: StoredRow, partial: boolean): Promise<StoredRow> {
  const { settings, events } = ctx.services
  const values = await withAddresses(ctx, parsed(ctx, category, sent, partial))
  const isAltered = (setting: Setting) =>
    setting.secret || JSON.stringify(values[setting.name]) !== JSON.stringify(setting.of(ctx) ?? null)
  const changed = category.settings.filter((setting) => setting.name in values && isAltered(setting))
  demandAvailable(ctx, changed)
  demandSecrets(ctx, changed)
  demandTogether(ctx, changed, values)
  const altered = Object.fromEntries(changed.map(({ name }) => [name, values[name]]))
  if (Object.keys(altered).length > 0) {
    await admitAlteredSettings(ctx, changed, altered)
    await settings.store(ctx.rawDb, events, altered)
    ctx.afterCommit(() => settings.load())
  }
  return answer(ctx, category, altered)
}

function described(ctx: Context, request: RequestParts): RouteFields {
  const fields: Record<string, Field> = Object.fromEntries(
    categoryOf(ctx, request).settings.map(({ name, field }) => [name, field]),
  )
  return { GET: fields, PUT: fields, PATCH: fields }
}

const path = '/api/v1/settings/setting/'

/** One URL for every category; the category determines the required permission. */
export const settingRoutes = [
  defineRoute({
    method: 'GET',
    path,
    requires: 'valid',
    summary: 'The settings of a category, without its secrets',
    fields: described,
    handle: ({ ctx, request }) => answer(ctx, categoryOf(ctx, request)),
  }),
  defineRoute({
    method: ['PUT', 'PATCH'],
    path,
    requires: 'valid',
    summary: 'Change settings of a category; only sent names are stored',
    multipart: true,
    transaction: 'none',
    fields: described,
    handle: change,
  }),
]
