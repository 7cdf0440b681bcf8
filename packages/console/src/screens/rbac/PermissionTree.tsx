import { Button, Skeleton } from 'antd'
import { useMemo, useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { Failed } from '../../kit/list/states.tsx'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { leavesOf } from './permission-tree.ts'
import { RightsTree } from './RightsTree.tsx'
import { asSent, roleUrl, useRights } from './rights.ts'
import type { Scope } from './roles.tsx'

/** Permissions of a role, on its page. */
export function PermissionTree({ id, scope, builtin }: { id: string; scope: Scope; builtin: boolean }) {
  const { query, rights, held } = useRights(scope, id)
  const leaves = useMemo(() => leavesOf(rights), [rights])
  const [changed, setChanged] = useState<ReadonlySet<string>>()
  const ticked = changed ?? held
  const [saving, setSaving] = useState(false)
  const locked = builtin || !can(`rbac.change_${scope}role`)
  if (query.isPending) return <Skeleton active title={false} paragraph={{ rows: 10 }} />
  if (query.error) return <Failed error={query.error} retry={() => void query.refetch()} />

  const save = async () => {
    setSaving(true)
    const send = () => call(roleUrl(scope, id), { method: 'PATCH', body: { permissions: asSent(ticked) } })
    if (await attempt(send)) {
      toast.ok(t('saved'))
      await query.refetch()
      setChanged(undefined)
    }
    setSaving(false)
  }
  return (
    <section className="rights">
      <div className="section-head">
        <h2>{t('rights')}</h2>
        <span className="count">
          {ticked.size}/{leaves.length}
        </span>
        <div className="grow" />
        {!locked && (
          <Button type="primary" disabled={!changed} loading={saving} onClick={() => void save()}>
            {t('rightsSave')}
          </Button>
        )}
      </div>
      {builtin && <p className="muted small">{t('rightsBuiltin')}</p>}
      <RightsTree rights={rights} ticked={ticked} locked={locked} height={560} onTick={setChanged} />
    </section>
  )
}
