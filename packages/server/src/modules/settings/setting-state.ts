import { errors } from '@castellan/contract/messages/errors'
import { settingsMessages } from '@castellan/contract/messages/settings'
import { json, stringList } from '../../kernel/fields/index.ts'
import { defineRoute, type Handling } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, text } from '../../kernel/module/errors.ts'
import { readBody } from '../../kernel/resource/body.ts'
import type { Setting } from '../../kernel/settings/setting-groups.ts'
import { type Category, categoryOf, shown } from './setting-routes.ts'
import { admitAlteredSettings } from './settings-log.ts'

const path = '/api/v1/settings/setting/state/'

const named = (settings: readonly Setting[], value: (setting: Setting) => unknown) =>
  Object.fromEntries(settings.map((setting) => [setting.name, value(setting)]))

function stateOf(ctx: Context, { settings }: Category) {
  const { config } = ctx.services
  const stored = settings.filter((setting) => !setting.field.readOnly && setting.isStored(ctx))
  return {
    /** Values after a reset of what is stored; secrets have none. */
    stored: named(stored, (setting) => (setting.secret ? null : shown(ctx, setting, setting.fallback(ctx)))),
    unavailable: named(
      settings.filter((setting) => setting.reasonWithoutEffect(config)),
      (setting) => setting.reasonWithoutEffect(config)?.[ctx.language],
    ),
    secrets: settings.filter((setting) => setting.secret && setting.of(ctx)).map(({ name }) => name),
  }
}

const resetFields = { names: stringList({ required: true, max: 128 }) }

/** Deletes stored values; those of the environment or the defaults apply again. */
async function reset({ ctx, request }: Handling): Promise<unknown> {
  const category = categoryOf(ctx, request)
  const { names } = readBody<{ names: string[] }>(ctx, resetFields, request.body)
  const known = new Map(category.settings.map((setting) => [setting.name, setting]))
  const foreign = names.filter((name) => !known.has(name))
  if (foreign.length > 0)
    throw invalid({ names: [text(settingsMessages.not_in_category, { names: foreign.join(', ') })] })
  // Without the address it was sent to, a secret is of no use.
  const secrets = category.settings.filter(({ sentTo }) => sentTo.some((name) => names.includes(name)))
  const chosen = [...new Set([...names.flatMap((name) => known.get(name) ?? []), ...secrets])]
  if (chosen.length === 0) throw invalid({ names: [text(errors.required)] })
  const altered = chosen.filter((setting) => setting.isStored(ctx))
  if (altered.length > 0) {
    const { settings, events } = ctx.services
    await admitAlteredSettings(
      ctx,
      altered,
      named(altered, (setting) => setting.fallback(ctx)),
    )
    await settings.reset(
      ctx.rawDb,
      events,
      altered.map(({ name }) => name),
    )
    ctx.afterCommit(() => settings.load())
  }
  return named(
    chosen.filter(({ secret }) => !secret),
    (setting) => shown(ctx, setting, setting.fallback(ctx)),
  )
}

/** What a page of settings shows beside the values, and the reset of single settings. */
export const settingStateRoutes = [
  defineRoute({
    method: 'GET',
    path,
    requires: 'valid',
    summary: 'Which settings of a category are stored, with the value after a reset, and which have no effect yet',
    fields: { GET: { stored: json(), unavailable: json(), secrets: stringList() } },
    handle: ({ ctx, request }) => stateOf(ctx, categoryOf(ctx, request)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/settings/setting/reset/',
    requires: 'valid',
    summary: 'Reset settings of a category to the environment or their defaults',
    fields: { POST: resetFields },
    handle: reset,
  }),
]
