import { messageBackends } from '@castellan/contract/choices/notifications'
import type { Context } from '../../kernel/module/context.ts'
import { chats, mailServer } from './settings.ts'

export type BackendName = keyof typeof messageBackends

export const backendNames = Object.keys(messageBackends) as BackendName[]

/** What a user is reached by. */
export interface Receiver {
  id: string
  email: string
  wecom_id: string | null
  dingtalk_id: string | null
  feishu_id: string | null
}

/** A user's address for a backend; empty when they have none. */
export function accountOf(backend: BackendName, user: Receiver): string {
  const account = {
    email: user.email,
    wecom: user.wecom_id,
    dingtalk: user.dingtalk_id,
    site_msg: user.id,
    feishu: user.feishu_id,
  }[backend]
  return account ? String(account) : ''
}

/** The notification backends that are configured. */
export function enabledBackends(ctx: Context): BackendName[] {
  const chat = chats.of(ctx)
  const enabled: Record<BackendName, boolean> = {
    email: Boolean(mailServer.of(ctx).EMAIL_HOST_USER),
    wecom: chat.AUTH_WECOM,
    dingtalk: chat.AUTH_DINGTALK,
    site_msg: true,
    feishu: chat.AUTH_FEISHU,
  }
  return backendNames.filter((name) => enabled[name])
}
