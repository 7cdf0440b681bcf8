import { endsWith } from '../../../db/search.ts'
import type { Action } from '../../../kernel/http/route.ts'
import { countOf } from '../../../kernel/lists/query.ts'
import { scoped } from '../../../kernel/resource/repository.ts'
import { findResource } from '../../../kernel/resource/resource.ts'

/** Number of open remote desktops of an account on an asset, to warn the next user. */
export const onlineInfo: Action = {
  path: 'online-info',
  methods: ['GET'],
  requires: 'valid',
  summary: 'Number of unfinished rdp sessions of an account on an asset',
  async handle({ ctx, request }) {
    const { asset_id: asset, account } = request.query
    if (!asset || !account) return { count: null }
    const exact = account.includes('(') && account.includes(')')
    const query = scoped(ctx, findResource('terminal.session'))
      .where('t.asset_id', '=', asset)
      .where('t.is_finished', '=', false)
      .where('t.protocol', '=', 'rdp')
      .where((eb) =>
        exact ? eb('t.account', '=', account) : endsWith(ctx.dialect, eb.ref('t.account'), `(${account})`),
      )
    return { count: await countOf(query) }
  },
}
