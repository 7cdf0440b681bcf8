import { pathOf } from '@castellan/contract/routes'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { SecretOnce } from './SecretOnce.tsx'

const url = '/api/v1/authentication/temp-tokens/'

/** Passwords that work once, within minutes. */
export default function TempPasswords() {
  const [made, setMade] = useState<{ username: string; secret: string; reload: () => void }>()
  const spec: ListSpec<WireRow<typeof url>> = {
    id: 'TempPassword',
    url,
    path: pathOf('TempPassword'),
    resource: 'authentication.temptoken',
    noun: 'tempPassword',
    texts: { empty: 'tempPasswordsEmpty', help: 'tempPasswordsHelp' },
    row: { nameColumn: 'username', link: () => undefined },
    card: { time: 'date_expired' },
    columns: {
      shown: ['username', 'is_valid', 'date_verified', 'date_expired'],
      fixed: ['username'],
      exclude: ['secret'],
      cells: { is_valid: { falseWord: t('tempPasswordOver'), width: 110 } },
    },
    actions: {
      create: {
        label: 'tempPasswordCreate',
        visible: can('authentication.add_temptoken'),
        run: async ({ reload }) =>
          setMade({
            ...(await call<{ username: string; secret: string }>(url, { method: 'POST', body: {} })),
            reload,
          }),
      },
      clone: false,
      row: [
        {
          key: 'expire',
          label: t('expireNow'),
          visible: (row) => Boolean(row.is_valid) && can('authentication.change_temptoken'),
          run: async (row, acting) => {
            await call(`${url}${row.id}/expire/`, { method: 'PATCH' })
            acting.reload()
          },
        },
      ],
    },
    bulk: false,
    files: { import: false, export: false },
  }
  return (
    <>
      <ListPage spec={spec} />
      {made && (
        <SecretOnce
          title={t('tempPasswordMade')}
          warning={t('tempPasswordOnce')}
          values={{ [t('username')]: made.username, [t('tempPassword')]: made.secret }}
          onClose={() => {
            made.reload()
            setMade(undefined)
          }}
        />
      )}
    </>
  )
}
