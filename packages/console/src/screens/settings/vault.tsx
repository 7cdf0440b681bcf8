/** The form of the external vault, with its test and the synchronization of what it holds. */
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import type { FieldSpec, FormButtonsProps, Values } from '../../kit/form/spec.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'
import { type CategoryForm, secretField } from './category.ts'
import { TestButton } from './TestButton.tsx'

const base = '/api/v1/settings/vault/'

/** Moves all secrets to where the saved settings say: after the vault was switched on, or off. */
function SyncButton() {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await attempt(async () => {
      const { task } = await call<{ task: string }>(`${base}sync/`, { method: 'POST' })
      openTaskLog(task)
    })
    setBusy(false)
  }
  return (
    <Button loading={busy} onClick={() => void run()}>
      {t('settingVaultSync')}
    </Button>
  )
}

const Buttons = (props: FormButtonsProps) => (
  <>
    <TestButton {...props} url={`${base}testing/`} />
    <SyncButton />
  </>
)

/** Hidden until the vault is used. One that was set up stays reachable: secrets are moved back from it. */
const ofVault: FieldSpec = {
  state: { hidden: ({ VAULT_ENABLED }: Values, { loaded }) => !(VAULT_ENABLED || loaded?.VAULT_HCP_HOST) },
}

export const vault: CategoryForm = {
  category: 'vault',
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['VAULT_ENABLED'] },
    {
      key: 'server',
      title: 'settingVaultServer',
      fields: ['VAULT_HCP_HOST', 'VAULT_HCP_CA_CERT', 'VAULT_HCP_NAMESPACE', 'VAULT_HCP_MOUNT_POINT'],
    },
    {
      key: 'signIn',
      title: 'settingVaultSignIn',
      fields: ['VAULT_HCP_TOKEN', 'VAULT_HCP_ROLE_ID', 'VAULT_HCP_SECRET_ID'],
    },
  ],
  fields: {
    VAULT_HCP_HOST: ofVault,
    VAULT_HCP_CA_CERT: { ...ofVault, widget: 'file-text' },
    VAULT_HCP_NAMESPACE: ofVault,
    VAULT_HCP_MOUNT_POINT: ofVault,
    VAULT_HCP_TOKEN: { ...ofVault, ...secretField },
    VAULT_HCP_ROLE_ID: ofVault,
    VAULT_HCP_SECRET_ID: { ...ofVault, ...secretField },
  },
  buttons: Buttons,
}
