import { Button } from 'antd'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { templateSecretsUrl } from '../../domain/accounts/address.ts'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import type { Row } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'

const SecretViewer = lazyComponent(() => import('../../domain/accounts/SecretViewer.tsx'))

export const mayViewSecret = (): boolean => can('accounts.view_accounttemplatesecret')

export const TemplateSecret = ({ template, onClose }: { template: Row; onClose: () => void }) => (
  <SecretViewer account={template} url={templateSecretsUrl} onClose={onClose} />
)

/** Opens the secret of a template. */
export function ViewTemplateSecret({ template }: { template: Row }) {
  const [open, setOpen] = useState(false)
  if (!mayViewSecret()) return null
  return (
    <>
      <Button type="primary" icon={<Eye size={16} />} onClick={() => setOpen(true)}>
        {t('secretView')}
      </Button>
      {open && <TemplateSecret template={template} onClose={() => setOpen(false)} />}
    </>
  )
}
