/** Actions on accounts, in their lists and on their pages. */
import { call } from '../../kit/api/client.ts'
import { confirm } from '../../kit/confirm.ts'
import type { Acting } from '../../kit/list/spec.ts'
import { at, number, type Row, wordOf } from '../../kit/row.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { accountsUrl } from './address.ts'

/** Whether the platform of an account's asset has an enabled method that signs in. */
export const isTestable = (row: Row): boolean =>
  at(row, 'asset.auto_config.ansible_enabled') === true && at(row, 'asset.auto_config.ping_enabled') === true

/** Verifies accounts in the background. */
export async function verify(ids: readonly string[], onEnd: () => void): Promise<void> {
  const { task } = await call<{ task: string }>(`${accountsUrl}tasks/`, {
    method: 'POST',
    body: { action: 'verify', accounts: ids },
  })
  openTaskLog(task, { onEnd })
}

/** Clears the secrets of accounts after a confirmation. */
export const clearSecrets = ({ rows, reload, clear }: Pick<Acting, 'rows' | 'reload'> & Partial<Acting>) =>
  confirm({
    title: t('secretClear'),
    text: t('secretClearText', { count: number(rows.length) }),
    verb: t('secretClear'),
    danger: true,
    run: async () => {
      await call(`${accountsUrl}clear-secret/`, { method: 'PATCH', body: { account_ids: rows.map((row) => row.id) } })
      toast.ok(t('done'))
      clear?.()
      reload()
    },
  })

/** Removes an account from its asset after a confirmation. It stays in the list of accounts. */
export const removeFromAsset = (row: Row, onEnd: () => void) =>
  confirm({
    title: t('accountRemove'),
    text: t('accountRemoveText', { name: wordOf(row.username), asset: wordOf(row.asset) }),
    verb: t('accountRemove'),
    danger: true,
    run: async () => {
      const { task } = await call<{ task: string }>(`${accountsUrl}tasks/`, {
        method: 'POST',
        body: { action: 'remove', accounts: [row.id] },
      })
      openTaskLog(task, { onEnd })
    },
  })
