/** Explains why a user may do something on an asset, or which changes would allow it. */

import { type PermAction, permActionLabels } from '@castellan/contract/choices/perms'
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Drawer, Input, Skeleton } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router'
import { useNarrow } from '../../browser/media.ts'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { RemoteSelect } from '../../kit/form/widgets/Remote.tsx'
import { Failed } from '../../kit/list/states.tsx'
import type { Row } from '../../kit/row.ts'
import { Select } from '../../kit/Select.tsx'
import { Status } from '../../kit/status.tsx'
import { language, t } from '../../kit/text.ts'
import { assetSource, userSource } from '../acls/rule-attributes.ts'

interface Named {
  id: string
  name: string
}
interface Reason {
  value: string
  label: string
}
interface Answer {
  allowed: boolean
  blockers: Reason[]
  rules: (Named & { gives: boolean; through: { user: Named[]; asset: Named[] }; actions: Reason[] })[]
  changes: { permission: Named; missing: Reason[] }[]
}

const page = pathOf('AssetPermissionList')
const rule = ({ id, name }: Named) => <Link to={`${page}/${id}`}>{name}</Link>
const names = (list: readonly Named[]) => list.map(({ name }) => name).join(', ')

function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="access-field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}

/** @param user @param asset the preselected side; the user chooses the other one */
export function AccessDrawer({ user, asset, onClose }: { user?: Row; asset?: Row; onClose: () => void }) {
  const narrow = useNarrow()
  const [who, setWho] = useState<Row | null>(user ?? null)
  const [what, setWhat] = useState<Row | null>(asset ?? null)
  const [account, setAccount] = useState('')
  const [action, setAction] = useState<PermAction>('connect')
  const query = { user: who?.id, asset: what?.id, account, action }
  const asked = useQuery<Answer>({
    queryKey: ['why', JSON.stringify(query), ...audience()],
    enabled: Boolean(who && what),
    placeholderData: (old) => old,
    queryFn: ({ signal }) => call<Answer>('/api/v1/perms/why/', { query, quiet: true, signal }),
  })
  return (
    <Drawer open title={t('accessTitle')} size={narrow ? '100%' : 480} onClose={onClose}>
      <Field label={t('accessPerson')}>
        {(id) => (
          <RemoteSelect
            id={id}
            many={false}
            source={userSource}
            value={who}
            disabled={user !== undefined}
            onChange={(value) => setWho(value as Row | null)}
          />
        )}
      </Field>
      <Field label={t('accessAsset')}>
        {(id) => (
          <RemoteSelect
            id={id}
            many={false}
            source={assetSource}
            value={what}
            disabled={asset !== undefined}
            onChange={(value) => setWhat(value as Row | null)}
          />
        )}
      </Field>
      <div className="columns-2">
        <Field label={t('account')}>
          {(id) => (
            <Input
              id={id}
              allowClear
              placeholder={t('accessAnyAccount')}
              onBlur={(event) => setAccount(event.target.value.trim())}
              onPressEnter={(event) => setAccount(event.currentTarget.value.trim())}
              onClear={() => setAccount('')}
            />
          )}
        </Field>
        <Field label={t('accessAction')}>
          {(id) => (
            <Select
              id={id}
              value={action}
              onChange={setAction}
              options={Object.entries(permActionLabels).map(([value, label]) => ({
                value: value as PermAction,
                label: label[language],
              }))}
            />
          )}
        </Field>
      </div>
      {!who || !what ? (
        <p className="muted">{t('accessAsk')}</p>
      ) : asked.error ? (
        <Failed error={asked.error} retry={() => void asked.refetch()} />
      ) : asked.data ? (
        <Why answer={asked.data} />
      ) : (
        <Skeleton active />
      )}
    </Drawer>
  )
}

function Why({ answer }: { answer: Answer }) {
  const { allowed, blockers, rules, changes } = answer
  return (
    <div className="access-answer" aria-live="polite">
      <p className="lead">
        <Status is={allowed ? 'ok' : 'danger'}>{t(allowed ? 'accessAllowed' : 'accessRefused')}</Status>
      </p>
      {blockers.map(({ value, label }) => (
        <p key={value}>
          <Status is="danger">{label}</Status>
        </p>
      ))}
      {rules.length > 0 && (
        <section>
          <h3>{t('accessRules')}</h3>
          <ul>
            {rules.map((one) => (
              <li key={one.id} className={one.gives ? undefined : 'muted'}>
                {rule(one)}
                <small>{t('accessThrough', { user: names(one.through.user), asset: names(one.through.asset) })}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
      {changes.length > 0 && (
        <section>
          <h3>{t('accessChanges')}</h3>
          <ul>
            {changes.map(({ permission, missing }) => (
              <li key={permission.id}>
                {rule(permission)}
                <small>{missing.map(({ label }) => label).join(' ')}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
      {!allowed && rules.length === 0 && changes.length === 0 && <p className="muted">{t('accessNoRule')}</p>}
    </div>
  )
}
