import type { Migration } from '../migration.ts'

const items = ['ping', 'gather_accounts', 'verify_account', 'change_secret', 'push_account']
const methodOf = (item: string) => (item === 'ping' ? 'redis_ping' : `${item}_redis`)

/**
 * Why: installations of 3.9.1 have the built-in platforms for Redis without methods, because there were none. Those that
 * administrators have changed stay as they are.
 */
export const migration: Migration = {
  name: '20261123235300-redis-methods',
  async up({ db }) {
    const rows = await db
      .selectFrom('assets_platform')
      .select(['id', 'automation'])
      .where('type', '=', 'redis')
      .where('internal', '=', 1)
      .execute()
    for (const { id, automation } of rows) {
      const stored = JSON.parse(String(automation)) as Record<string, unknown>
      const isUntouched =
        !stored.ansible_enabled && Object.keys(stored).every((key) => !key.endsWith('_method') || !stored[key])
      if (!isUntouched) continue
      const methods = items.flatMap((item) => [
        [`${item}_enabled`, true],
        [`${item}_method`, methodOf(item)],
      ])
      const changed = { ...stored, ansible_enabled: true, ...Object.fromEntries(methods) }
      await db
        .updateTable('assets_platform')
        .set({ automation: JSON.stringify(changed) })
        .where('id', '=', id)
        .execute()
    }
  },
}
