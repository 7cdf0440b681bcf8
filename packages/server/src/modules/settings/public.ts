import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { computed, datetime } from '../../kernel/fields/index.ts'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import { defineRoute, Reply, type RouteFields } from '../../kernel/http/route.ts'
import { demandUserOrToken } from '../../kernel/http/token-caller.ts'
import type { Context } from '../../kernel/module/context.ts'
import { type Setting, settingCatalogue } from '../../kernel/settings/setting-groups.ts'
import { licenseState } from '../xpack/index.ts'
import { appearance, defaultInterface } from './interface.ts'
import { settingValue } from './setting-routes.ts'

const base = '/api/v1/settings/'

function openSettings(ctx: Context) {
  return {
    XPACK_ENABLED: licenseState(ctx.services).extended,
    INTERFACE: { ...defaultInterface, ...appearance.of(ctx).INTERFACE },
  }
}

const valuesOf = (ctx: Context, settings: readonly Setting[]) =>
  Object.fromEntries(settings.map((setting) => [setting.name, settingValue(ctx, setting)]))

/** Objects that hold settings of one group. */
const grouped = (ctx: Context) =>
  Object.fromEntries(
    settingCatalogue.groups.flatMap(({ publicAs }) =>
      publicAs ? [[publicAs.name, valuesOf(ctx, publicAs.settings)] as const] : [],
    ),
  )

function publicSettings(ctx: Context) {
  const { valid, license } = licenseState(ctx.services)
  const { sourceUrl } = ctx.services.config
  return {
    ...openSettings(ctx),
    ...valuesOf(
      ctx,
      settingCatalogue.settings.filter((setting) => setting.isPublic),
    ),
    ...grouped(ctx),
    XPACK_LICENSE_IS_VALID: valid,
    XPACK_LICENSE_INFO: { corporation: license?.corporation ?? 'Castellan' },
    // Not in the contract, so it is only included when set.
    ...(sourceUrl ? { SOURCE_URL: sourceUrl } : {}),
  }
}

const logo = readFileSync(join(import.meta.dirname, 'logo.png'))

const wireTypes = { string: 'string', boolean: 'boolean', number: 'integer', object: 'nested object' } as const

/** What OPTIONS tells of settings that are only read: their names, and the types of their values. */
const told = (values: Readonly<Record<string, unknown>>): RouteFields => ({
  GET: Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const child = { type: 'field', required: true, read_only: false, write_only: false }
      const type = Array.isArray(value) ? 'list' : wireTypes[typeof value as keyof typeof wireTypes]
      const facts = { required: true, read_only: false, ...(typeof value === 'object' ? { child } : {}) }
      return [name, computed(type ?? 'field', { meta: () => facts })]
    }),
  ),
})

export const publicRoutes = [
  defineRoute({
    method: 'GET',
    path: `${base}public/open/`,
    requires: 'public',
    summary: 'Settings that are public before sign-in',
    fields: (ctx) => told(openSettings(ctx)),
    handle: ({ ctx }) => openSettings(ctx),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}public/`,
    // Also for a page opened by a connection token.
    requires: 'public',
    summary: 'Settings for every signed-in client',
    // Names alone would tell strangers what is switched on.
    fields: (ctx) => (ctx.caller ? told(publicSettings(ctx)) : {}),
    handle: async ({ ctx, request }) => {
      await demandUserOrToken(ctx, request)
      return publicSettings(ctx)
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${base}server-info/`,
    requires: 'public',
    summary: 'The time of the server',
    fields: { GET: { CURRENT_TIME: datetime({ required: true }) } },
    handle: async ({ ctx, request }) => {
      await demandUserOrToken(ctx, request)
      return { CURRENT_TIME: formatTimestamp(ctx.now, ctx.zone) }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${base}logo/`,
    requires: 'public',
    summary: 'The logo as a picture',
    mediaType: 'image/png',
    handle: () => new Reply(200, logo, { 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' }),
  }),
]
