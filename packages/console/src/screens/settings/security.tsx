import { Button, Modal } from 'antd'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import type { FieldSpec, WidgetProps } from '../../kit/form/spec.ts'
import { ListView } from '../../kit/list/ListView.tsx'
import { type Acting, inside } from '../../kit/list/spec.ts'
import { wordOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { SettingsPage } from './SettingsPage.tsx'

async function unblock({ rows, reload, clear }: Acting): Promise<void> {
  const ips = rows.map((row) => wordOf(row.ip))
  await call('/api/v1/settings/security/unlock-ip/', { method: 'POST', body: { ips } })
  clear()
  reload()
}

function BlockedAddresses({ onClose }: { onClose: () => void }) {
  return (
    <Modal open width={720} title={t('settingBlocked')} footer={null} onCancel={onClose}>
      <ListView
        spec={{
          ...inside,
          id: 'BlockedIPs',
          url: '/api/v1/settings/security/block-ip/',
          resource: 'settings.setting',
          noun: 'settingAddress',
          texts: { empty: 'settingBlockedEmpty' },
          columns: { shown: ['ip'], fixed: ['ip'] },
          actions: {
            ...inside.actions,
            row: [
              {
                key: 'unblock',
                label: t('unblock'),
                primary: true,
                run: (row, acting) => unblock({ ...acting, rows: [row] }),
              },
            ],
          },
          bulk: { actions: [{ key: 'unblock', label: t('unblock'), run: unblock }] },
        }}
      />
    </Modal>
  )
}

const blockedField: FieldSpec = {
  label: 'settingBlocked',
  info: { type: 'string' },
  sending: { local: true },
  component: function Blocked({ disabled }: WidgetProps) {
    const [open, setOpen] = useState(false)
    return (
      <>
        <div>
          <Button disabled={disabled} onClick={() => setOpen(true)}>
            {t('settingBlockedOpen')}
          </Button>
        </div>
        {open && <BlockedAddresses onClose={() => setOpen(false)} />}
      </>
    )
  },
}

/** Protections of the sign-in page that exclude each other: switching one on switches the others off. */
const exclusive = [
  'SECURITY_LOGIN_CAPTCHA_ENABLED',
  'SECURITY_LOGIN_CHALLENGE_ENABLED',
  'SECURITY_MFA_IN_LOGIN_PAGE',
] as const
const alone = (name: (typeof exclusive)[number]): FieldSpec => ({
  follow: (on) =>
    on ? Object.fromEntries(exclusive.filter((other) => other !== name).map((other) => [other, false])) : {},
})

export default function Security() {
  const permission = 'settings.change_security'
  return (
    <SettingsPage
      tabs={[
        {
          key: 'SecurityAuth',
          title: 'settingSignIn',
          permission,
          form: {
            category: 'security_auth',
            groups: [
              {
                key: 'basic',
                title: 'groupBasic',
                fields: [
                  'SECURITY_LOGIN_CAPTCHA_ENABLED',
                  'SECURITY_LOGIN_CHALLENGE_ENABLED',
                  'SECURITY_UNCOMMON_USERS_TTL',
                  'SECURITY_CHECK_DIFFERENT_CITY_LOGIN',
                ],
              },
              {
                key: 'mfa',
                title: 'settingMfa',
                fields: [
                  'SECURITY_MFA_AUTH',
                  'SECURITY_MFA_IN_LOGIN_PAGE',
                  'SECURITY_MFA_AUTH_ENABLED_FOR_THIRD_PARTY',
                  'SECURITY_MFA_VERIFY_TTL',
                  'OTP_ISSUER_NAME',
                  'OTP_VALID_WINDOW',
                  'VERIFY_CODE_TTL',
                ],
              },
            ],
            fields: {
              SECURITY_LOGIN_CAPTCHA_ENABLED: alone('SECURITY_LOGIN_CAPTCHA_ENABLED'),
              SECURITY_LOGIN_CHALLENGE_ENABLED: alone('SECURITY_LOGIN_CHALLENGE_ENABLED'),
              SECURITY_MFA_IN_LOGIN_PAGE: {
                ...alone('SECURITY_MFA_IN_LOGIN_PAGE'),
                state: { enableWhen: { SECURITY_MFA_AUTH: 1 } },
              },
            },
          },
        },
        {
          key: 'SecurityLoginLimit',
          title: 'settingLimits',
          permission,
          form: {
            category: 'security_login_limit',
            groups: [
              {
                key: 'user',
                title: 'settingLimitsUser',
                fields: ['SECURITY_LOGIN_LIMIT_COUNT', 'SECURITY_LOGIN_LIMIT_TIME'],
              },
              {
                key: 'address',
                title: 'settingLimitsAddress',
                fields: [
                  'SECURITY_LOGIN_IP_LIMIT_COUNT',
                  'SECURITY_LOGIN_IP_LIMIT_TIME',
                  'SECURITY_LOGIN_IP_WHITE_LIST',
                  'SECURITY_LOGIN_IP_BLACK_LIST',
                  'SECURITY_VIEW_BLOCKED_IPS',
                ],
              },
              {
                key: 'other',
                title: 'groupOther',
                fields: [
                  'USER_LOGIN_SINGLE_MACHINE_ENABLED',
                  'ONLY_ALLOW_EXIST_USER_AUTH',
                  'ONLY_ALLOW_AUTH_FROM_SOURCE',
                ],
              },
            ],
            fields: { SECURITY_VIEW_BLOCKED_IPS: blockedField },
          },
        },
        {
          key: 'SecurityPassword',
          title: 'password',
          permission,
          form: {
            category: 'security_password',
            groups: [
              {
                key: 'basic',
                title: 'groupBasic',
                fields: ['SECURITY_PASSWORD_EXPIRATION_TIME', 'OLD_PASSWORD_HISTORY_LIMIT_COUNT'],
              },
              {
                key: 'rules',
                title: 'settingPasswordRules',
                fields: [
                  'SECURITY_PASSWORD_MIN_LENGTH',
                  'SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH',
                  'SECURITY_PASSWORD_UPPER_CASE',
                  'SECURITY_PASSWORD_LOWER_CASE',
                  'SECURITY_PASSWORD_NUMBER',
                  'SECURITY_PASSWORD_SPECIAL_CHAR',
                ],
              },
            ],
          },
        },
        {
          key: 'SecuritySession',
          title: 'sessions',
          permission,
          form: {
            category: 'security_session',
            groups: [
              {
                key: 'basic',
                title: 'groupBasic',
                fields: [
                  'SECURITY_WATERMARK_ENABLED',
                  'SECURITY_SESSION_SHARE',
                  'SECURITY_MAX_IDLE_TIME',
                  'SECURITY_MAX_SESSION_TIME',
                ],
              },
            ],
          },
        },
      ]}
    />
  )
}
