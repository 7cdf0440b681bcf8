import { call } from '../api/client.ts'
import { number } from '../row.ts'
import { t } from '../text.ts'
import { toast } from '../toast.ts'
import type { Acting, BatchAction } from './spec.ts'

/** Bulk enable and disable, for users who may change the rows. */
export function activation(url: string, visible: boolean): BatchAction[] {
  const set =
    (is_active: boolean) =>
    async ({ rows, reload, clear }: Acting): Promise<void> => {
      await call(url, { method: 'PATCH', body: rows.map((row) => ({ id: row.id, is_active })) })
      toast.ok(t('updatedMany', { count: number(rows.length) }))
      clear()
      reload()
    }
  return [
    { key: 'activate', label: t('activate'), visible: visible, run: set(true) },
    { key: 'disable', label: t('deactivate'), visible: visible, run: set(false) },
  ]
}
