import { messageBackends } from '@castellan/contract/choices/notifications'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'

export type BackendName = keyof typeof messageBackends

export const backendNames = Object.keys(messageBackends) as BackendName[]

/** Under what a person is known to a backend; empty when they are not. */
export function accountOf(backend: BackendName, user: AnyRow): string {
  const account = {
    email: user.email,
    wecom: user.wecom_id,
    dingtalk: user.dingtalk_id,
    site_msg: user.id,
    feishu: user.feishu_id,
  }[backend]
  return account ? String(account) : ''
}

/** The ways an installation can reach people by, as it is set up. */
export function enabledBackends(ctx: Context): BackendName[] {
  const { settings } = ctx.services
  const enabled: Record<BackendName, boolean> = {
    email: settings.text('EMAIL_HOST_USER') !== '',
    wecom: settings.bool('AUTH_WECOM'),
    dingtalk: settings.bool('AUTH_DINGTALK'),
    site_msg: true,
    feishu: settings.bool('AUTH_FEISHU'),
  }
  return backendNames.filter((name) => enabled[name])
}
