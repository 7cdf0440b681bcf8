/** The form of the directory, with its tests, import and synchronization. */
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import type { FormButtonsProps } from '../../kit/form/spec.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { CategoryDialog } from './CategoryPanel.tsx'
import { type CategoryForm, secretField } from './category.ts'
import { DirectoryUsers } from './DirectoryUsers.tsx'

const base = '/api/v1/settings/ldap/'

/** A result whose status is inside of the answer, as long tests have it. */
interface Result {
  resp?: { data: string | Readonly<Record<string, unknown>>; status: number }
}

function ConnectionTest({ body, refused }: FormButtonsProps) {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      const entered = { AUTH_LDAP_BIND_PASSWORD: '', ...(await body()) }
      const { resp } = await call<Result>(`${base}testing/config/?refresh=1`, {
        method: 'POST',
        body: entered,
        quiet: true,
      })
      const said = resp?.data ?? ''
      if (typeof said !== 'string') {
        const { error, ...fields } = said
        refused(new ApiError(400, fields, String(error)))
      } else if (resp?.status === 200) toast.ok(said)
      else toast.error(said)
    } catch (error) {
      refused(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button loading={busy} onClick={() => void run()}>
      {t('settingLdapTest')}
    </Button>
  )
}

const loginFields = {
  username: { type: 'string', required: true, max_length: 1024 },
  password: { type: 'string', required: true, max_length: 2014, write_only: true },
}

function LoginTest() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('settingLdapLogin')}</Button>
      {open && (
        <FormDialog
          title={t('settingLdapLogin')}
          spec={{
            url: `${base}testing/login/`,
            noun: 'settingLdap',
            submit: {
              verb: 'test',
              onError: (error) => {
                if (error.status !== 400 || typeof error.body !== 'string') return false
                toast.error(error.body)
                return true
              },
            },
            groups: [{ key: 'login', title: 'settingLdapLogin', fields: ['username', 'password'] }],
            fields: {
              username: { label: 'username' },
              password: { label: 'password', widget: 'password', sending: { secret: true } },
            },
            local: {
              fields: loginFields,
              save: async (body) => {
                const said = await call<string>(`${base}testing/login/`, { method: 'POST', body, quiet: true })
                toast.ok(said)
                return { id: '' }
              },
            },
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

const synchronization: CategoryForm = {
  category: 'ldap',
  groups: [
    {
      key: 'sync',
      title: 'settingLdapSync',
      fields: [
        'AUTH_LDAP_SYNC_ORG_IDS',
        'AUTH_LDAP_SYNC_IS_PERIODIC',
        'AUTH_LDAP_SYNC_CRONTAB',
        'AUTH_LDAP_SYNC_INTERVAL',
      ],
    },
  ],
  fields: {
    AUTH_LDAP_SYNC_ORG_IDS: { widget: 'remote', source: { url: '/api/v1/orgs/orgs/', plain: true } },
    AUTH_LDAP_SYNC_CRONTAB: { widget: 'cron' },
  },
}

function Buttons(props: FormButtonsProps) {
  const [opened, setOpened] = useState<'import' | 'sync'>()
  const close = () => setOpened(undefined)
  return (
    <>
      <ConnectionTest {...props} />
      <LoginTest />
      <Button onClick={() => setOpened('import')}>{t('settingLdapImport')}</Button>
      <Button onClick={() => setOpened('sync')}>{t('settingLdapSync')}</Button>
      {opened === 'import' && <DirectoryUsers onClose={close} />}
      {opened === 'sync' && <CategoryDialog form={synchronization} title={t('settingLdapSync')} onClose={close} />}
    </>
  )
}

export const ldap: CategoryForm = {
  category: 'ldap',
  groups: [
    {
      key: 'basic',
      title: 'groupBasic',
      fields: ['AUTH_LDAP', 'AUTH_LDAP_SERVER_URI', 'AUTH_LDAP_BIND_DN', 'AUTH_LDAP_BIND_PASSWORD'],
    },
    {
      key: 'user',
      title: 'users',
      fields: ['AUTH_LDAP_SEARCH_OU', 'AUTH_LDAP_SEARCH_FILTER', 'AUTH_LDAP_USER_ATTR_MAP'],
    },
    { key: 'other', title: 'groupOther', fields: ['AUTH_LDAP_CONNECT_TIMEOUT', 'AUTH_LDAP_SEARCH_PAGED_SIZE'] },
  ],
  fields: {
    AUTH_LDAP_BIND_DN: { validation: { required: true } },
    AUTH_LDAP_BIND_PASSWORD: secretField,
    AUTH_LDAP_SEARCH_OU: { validation: { required: true } },
  },
  buttons: Buttons,
}
