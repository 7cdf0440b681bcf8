import type { AssetCategory } from '@castellan/contract/asset-types'
import { say } from '@castellan/contract/messages'
import { platformEffects } from '@castellan/contract/messages/platform-effects'
import { baseConstraintsOf } from '@castellan/contract/platforms'
import { contains } from '../../../db/search.ts'
import { computed, type StoredRow } from '../../../kernel/fields/index.ts'
import { isObject } from '../../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, notAnObject, Problems } from '../../../kernel/module/errors.ts'
import { readBody } from '../../../kernel/resource/body.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { accountPort } from '../account-port.ts'
import { asset } from '../asset.ts'
import { grantPort } from '../grant-port.ts'
import { type Platform, platform, platformsById } from './platform.ts'
import { checkPlatforms } from './platform-checks.ts'
import { type Counted, effectsOf, type PlatformState } from './platform-effects.ts'
import { protocolsByPlatform } from './platform-protocols.ts'

/** Assets that are named beside the number of all. */
const shownAssets = 5

/** The sent values as saving would store them; throws 400 with the errors that saving would have. */
async function changedTo(ctx: Context, before: Platform, body: unknown): Promise<PlatformState> {
  if (!isObject(body)) throw invalid({ non_field_errors: [notAnObject(body)] })
  const sent = Object.entries(platform.fields).filter(([name, field]) => field.parse && !field.readOnly && name in body)
  const values = readBody<StoredRow>(ctx, Object.fromEntries(sent), body)
  const row = { ...before, ...values }
  const problems = new Problems()
  await checkPlatforms(
    ctx,
    [{ mode: 'update', partial: true, before, row, values, input: body, index: 0 }],
    (_at, name, one) => problems.add(name, one),
  )
  problems.throwIfAny()
  const allowed = baseConstraintsOf(before.category as AssetCategory, before.type)
  return {
    ...stateOf(row, (values.protocols as PlatformState['protocols']) ?? (await protocolsOf(ctx, before))),
    domain_enabled: row.domain_enabled && allowed.domain_enabled,
    su_enabled: row.su_enabled && allowed.su_enabled,
    automation: { ...before.automation, ...(values.automation as StoredRow | undefined) },
  }
}

const protocolsOf = async (ctx: Context, row: Platform) => (await protocolsByPlatform(ctx)).get(Number(row.id)) ?? []

const stateOf = (
  row: Omit<Platform, 'automation'> & { automation: StoredRow },
  protocols: PlatformState['protocols'],
) => ({ ...row, custom_fields: row.custom_fields ?? [], protocols }) as unknown as PlatformState

/** Counts what changes concern, in all organizations: a platform belongs to none. */
function counterOf(ctx: Context, platformId: unknown): (counted: Counted) => Promise<number> {
  const all = ctx.acrossOrganizations.selectFrom('assets_asset as a').where('a.platform_id', '=', platformId)
  const number = async (query: typeof all): Promise<number> => {
    const row = await query.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()
    return Number(row.n)
  }
  const offering = (name: string, port?: number) => {
    const found = ctx.rawDb.selectFrom('assets_protocol').select('asset_id').where('name', '=', name)
    return port === undefined ? found : found.where('port', '!=', port)
  }
  return (counted) => {
    switch (counted.of) {
      case 'with protocol':
        return number(all.where('a.id', 'in', offering(counted.protocol)))
      case 'without protocol':
        return number(all.where('a.id', 'not in', offering(counted.protocol)))
      case 'other port':
        return number(all.where('a.id', 'in', offering(counted.protocol, counted.port)))
      case 'with domain':
        return number(all.where('a.domain_id', 'is not', null))
      case 'with value':
        // In a JSON text, only a key is followed by a colon: quotes inside of values are escaped.
        return number(all.where((eb) => contains(ctx.dialect, eb.ref('a.spec'), `${JSON.stringify(counted.field)}:`)))
      case 'switching accounts':
        return accountPort.use.switching(ctx, platformId)
      case 'permissions':
        return grantPort.use.naming(ctx, counted.protocol)
      default:
        return number(all)
    }
  }
}

/** Some assets of a platform, as far as the caller may list them. */
async function someAssets(ctx: Context, platformId: unknown): Promise<StoredRow[]> {
  if (!ctx.can('assets.view_asset')) return []
  const rows = await findAll(ctx, asset, (query) =>
    query.where('t.platform_id', '=', platformId).orderBy('t.name').limit(shownAssets),
  )
  return rows.map(({ id, name, address }) => ({ id, name, address }))
}

/** What a change of a platform would do to the assets that use it. Nothing is stored. */
export async function previewOf(ctx: Context, id: unknown, body: unknown): Promise<StoredRow> {
  const before = (await platformsById(ctx)).get(id)
  if (!before) throw new Error(`There is no platform ${String(id)}.`)
  const after = await changedTo(ctx, before, body)
  const count = counterOf(ctx, before.id)
  const assetsAmount = await count({ of: 'assets' })
  const found = effectsOf(stateOf(before, await protocolsOf(ctx, before)), after, ctx.language)
  const effects: StoredRow[] = []
  if (assetsAmount > 0)
    for (const { effect, field, subject = '', value = '', counted } of found) {
      const amount = await count(counted)
      if (amount === 0) continue
      const text = say(platformEffects[effect], ctx.language, { count: amount, subject, value })
      effects.push({ effect, field, subject, amount, text })
    }
  return { assets_amount: assetsAmount, assets: effects.length > 0 ? await someAssets(ctx, before.id) : [], effects }
}

/** The answer of a preview, for OPTIONS and the API documentation. */
export const previewFields = {
  assets_amount: computed('integer', {}),
  assets: computed('list', {}),
  effects: computed('list', {}),
}
