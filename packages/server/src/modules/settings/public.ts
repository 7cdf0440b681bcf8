import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { passwordRuleSettings, settingDeclarations } from '@castellan/contract/settings'
import type { Context } from '../../kernel/context.ts'
import { datetime } from '../../kernel/fields/index.ts'
import { defineRoute, Reply } from '../../kernel/route.ts'
import { formatTimestamp } from '../../kernel/timestamps.ts'
import { demandUserOrToken } from '../../kernel/token-caller.ts'
import { licenseState } from '../xpack/index.ts'
import { settingValue } from './setting-routes.ts'

const base = '/api/v1/settings/'

/** Branding of the product. Empty URLs mean the built-in pictures. */
export interface Interface {
  logo_logout: string
  logo_index: string
  login_image: string
  favicon: string
  login_title: string
  theme: string
  theme_info: { name?: string; colors?: Record<string, string> }
}

export const defaultInterface: Interface = {
  logo_logout: '',
  logo_index: '',
  login_image: '',
  favicon: '',
  login_title: 'Castellan',
  theme: 'classic_green',
  theme_info: {},
}

function openSettings(ctx: Context) {
  return {
    XPACK_ENABLED: licenseState(ctx.services).extended,
    INTERFACE: { ...defaultInterface, ...ctx.services.settings.get<Partial<Interface>>('INTERFACE') },
  }
}

const valuesOf = (ctx: Context, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, settingValue(ctx, name)]))

function publicSettings(ctx: Context) {
  const { valid, license } = licenseState(ctx.services)
  const { sourceUrl } = ctx.services.config
  return {
    ...openSettings(ctx),
    ...valuesOf(
      ctx,
      settingDeclarations.filter((setting) => setting.public).map(({ name }) => name),
    ),
    PASSWORD_RULE: valuesOf(ctx, passwordRuleSettings),
    XPACK_LICENSE_IS_VALID: valid,
    XPACK_LICENSE_INFO: { corporation: license?.corporation ?? 'Castellan' },
    // Not in the contract, so it is only included when set.
    ...(sourceUrl ? { SOURCE_URL: sourceUrl } : {}),
  }
}

const logo = readFileSync(join(import.meta.dirname, 'logo.png'))

export const publicRoutes = [
  defineRoute({
    method: 'GET',
    path: `${base}public/open/`,
    requires: 'public',
    summary: 'Settings that are public before sign-in',
    handle: ({ ctx }) => openSettings(ctx),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}public/`,
    // Also for a page opened by a connection token.
    requires: 'public',
    summary: 'Settings for every signed-in client',
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
