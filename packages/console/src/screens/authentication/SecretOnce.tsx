import { Alert, Button, Modal } from 'antd'
import { Copy } from 'lucide-react'
import { copyText } from '../../kit/copy.ts'
import { t } from '../../kit/text.ts'

/** A new secret, which cannot be shown again. */
export function SecretOnce({
  title,
  warning,
  values,
  onClose,
}: {
  title: string
  warning: string
  /** What is shown, by label. */
  values: Readonly<Record<string, string>>
  onClose: () => void
}) {
  return (
    <Modal open width={640} mask={{ closable: false }} title={title} onCancel={onClose} footer={null}>
      <Alert type="warning" showIcon title={warning} className="gap-below" />
      {Object.entries(values).map(([label, value]) => (
        <div className="field" key={label}>
          <b>{label}</b>
          <div className="secret-line">
            <code className="mono">{value}</code>
            <Button icon={<Copy size={14} />} aria-label={t('copy')} onClick={() => void copyText(value)} />
          </div>
        </div>
      ))}
    </Modal>
  )
}
