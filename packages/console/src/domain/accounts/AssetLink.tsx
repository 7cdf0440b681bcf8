import { pathOf } from '@castellan/contract/routes'
import { at, type Row, wordOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'

/** The asset of an account, as a link for users who may view assets. */
export function AssetLink({ account }: { account: Row }) {
  const id = at(account, 'asset.id')
  const name = wordOf(account.asset)
  return can('assets.view_asset') && id ? <a href={`#${pathOf('AssetDetail', String(id))}`}>{name}</a> : name
}
