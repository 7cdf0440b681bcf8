import { unlimitedAssets } from '@castellan/contract/license'
import { xpackMessages } from '@castellan/contract/messages/xpack'
import { defineRoute, type Handling } from '../../kernel/http/route.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { firstLicense, isUnexpired, licenseSettings, licenseState, readLicense } from './license.ts'

export { issueLicense, type LicenseState, licenseState } from './license.ts'

/** Maximum size of a license file. Bytes. */
const longestFile = 65_536

async function detail({ ctx }: Handling) {
  const { license } = licenseState(ctx.services)
  const row = await ctx.acrossOrganizations
    .selectFrom(findResource('assets.asset').table)
    .select((eb) => eb.fn.countAll().as('n'))
    .executeTakeFirst()
  return {
    subscription_id: license?.id ?? '',
    corporation: license?.corporation ?? '',
    date_expired: license?.expires ? new Date(license.expires).toISOString().slice(0, 10) : '9999-12-31',
    asset_count: Math.min(license?.assets ?? unlimitedAssets, unlimitedAssets),
    current_asset_count: Number(row?.n ?? 0),
    edition: license ? 'Enterprise' : 'Community',
    serial_no: license?.id ?? '',
    remark: '',
    is_test: license?.test ?? false,
  }
}

async function importFile({ ctx, request }: Handling) {
  let text = ''
  for await (const part of request.multipart()) {
    if (!('stream' in part)) continue
    for await (const chunk of part.stream) if (text.length <= longestFile) text += chunk.toString()
  }
  const said = (key: keyof typeof xpackMessages) => xpackMessages[key][ctx.language]
  const license = text.length > longestFile ? undefined : readLicense(text, licenseSettings.of(ctx).LICENSE_PUBLIC_KEY)
  if (!license) return { status: false, msg: said('license_invalid') }
  if (!isUnexpired(license, ctx.now)) return { status: false, msg: said('license_expired') }
  await ctx.transaction((inside) => licenseSettings.store(inside, { LICENSE: text.trim() }))
  await ctx.services.settings.load()
  return { status: true, msg: said('license_imported') }
}

// The contract's clients call these without a trailing slash; both forms work.
const forms = (path: string) => [path, `${path}/`]

export const xpack = defineModule({
  app: 'xpack',
  texts: xpackMessages,
  settings: [licenseSettings],
  routes: [
    ...forms('/api/v1/xpack/license/detail').map((path) =>
      defineRoute({
        method: 'GET',
        path,
        requires: 'settings.change_license',
        summary: 'The license in force',
        handle: detail,
      }),
    ),
    ...forms('/api/v1/xpack/license/import').map((path) =>
      defineRoute({
        method: 'POST',
        path,
        requires: 'settings.change_license',
        summary: 'Import a license file',
        transaction: 'none',
        multipart: true,
        handle: importFile,
      }),
    ),
  ],
  seed: firstLicense,
})
