/** Setting up accounts on their assets now, with the parameters of the methods that do it. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import type { FieldSpec, Values } from '../../kit/form/spec.ts'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { at, type Row } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { MethodParams } from '../assets/MethodParams.tsx'
import { type MethodWithParams, methodsMetadata, type ParamsOfMethods, withParams } from '../assets/method-params.ts'
import { accountsUrl } from './address.ts'

const ParamsDialog = lazyComponent(async () => ({
  default: (await import('../assets/MethodParams.tsx')).ParamsDialog,
}))

export const mayPush = (): boolean => can('accounts.push_account') && !inRoot()

/** Whether the platform of an account's asset has an enabled method that sets up accounts. */
export const isPushable = (row: Row): boolean =>
  at(row, 'asset.auto_config.ansible_enabled') === true && at(row, 'asset.auto_config.push_account_enabled') === true

/** How accounts are set up on the assets of a platform. */
export interface PushMethod {
  method: string
  takesKeys: boolean
}

/** The part of a platform that says how accounts are set up. */
export interface PushingPlatform {
  type: { value: string }
  automation?: { ansible_enabled?: boolean; push_account_enabled?: boolean; push_account_method?: string | null }
}

/** The enabled method of a platform that sets up accounts; undefined if it has none. */
export function pushMethodOf({ type, automation }: PushingPlatform): PushMethod | undefined {
  const method = automation?.ansible_enabled && automation.push_account_enabled && automation.push_account_method
  return method ? { method, takesKeys: type.value !== 'windows' } : undefined
}

/** Fields of an account's form that set the account up on its asset as soon as it is saved. */
export function pushFields(push: PushMethod | undefined) {
  const isPushed = ({ secret_type }: Values) =>
    push !== undefined && mayPush() && (push.takesKeys || secret_type !== 'ssh_key')
  return {
    push_now: { texts: { help: 'pushNowHelp' }, state: { hidden: (values) => !isPushed(values) } },
    params: {
      component: MethodParams,
      label: 'methodParams',
      with: { method: push?.method },
      state: { hidden: (values) => !push?.method || values.push_now !== true || !isPushed(values) },
    },
  } satisfies Record<string, FieldSpec>
}

const methodOf = (row: Row): string => String(at(row, 'asset.auto_config.push_account_method') ?? '')

async function push(rows: readonly Row[], params: ParamsOfMethods | undefined, onEnd: () => void): Promise<void> {
  const { task } = await call<{ task: string }>(`${accountsUrl}tasks/`, {
    method: 'POST',
    body: { action: 'push', accounts: rows.map(({ id }) => id), ...(params ? { params } : {}) },
  })
  openTaskLog(task, { onEnd })
}

interface Asked {
  rows: readonly Row[]
  methods: readonly MethodWithParams[]
  onEnd: () => void
}

/** Pushes accounts, after asking for parameters if their methods have some: in `dialog`, which the caller renders. */
export function usePush() {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const ask = async (rows: readonly Row[], onEnd: () => void) => {
    const methods = withParams(rows.map(methodOf), await client.fetchQuery(methodsMetadata()))
    if (methods.length === 0) return push(rows, undefined, onEnd)
    setAsked({ rows, methods, onEnd })
  }
  const dialog = asked && (
    <ParamsDialog
      methods={asked.methods}
      verb="accountPushVerb"
      onClose={() => setAsked(undefined)}
      onSaved={(params: ParamsOfMethods) => void attempt(() => push(asked.rows, params, asked.onEnd))}
    />
  )
  return { ask, dialog }
}
