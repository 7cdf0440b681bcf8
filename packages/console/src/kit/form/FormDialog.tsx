/** A form in a dialog: a step to finish before going on. */
import { Button, Modal } from 'antd'
import { flash } from '../flash.ts'
import type { Row } from '../row.ts'
import { t } from '../text.ts'
import { useForm } from './controller.ts'
import { FormGroups, showFirstError } from './FormView.tsx'
import type { FormSpec } from './spec.ts'

export function FormDialog({
  spec,
  id,
  title,
  query,
  onClose,
  onSaved,
}: {
  spec: FormSpec
  id?: string
  title: string
  query?: URLSearchParams
  onClose: () => void
  onSaved?: (saved: Row) => void
}) {
  const form = useForm(spec, { id, query: query ?? new URLSearchParams() })
  const save = async () => {
    const saved = await form.save()
    if (!saved) return showFirstError()
    flash.ok(id ? t('saved') : t('created'))
    onSaved?.(saved)
    onClose()
    return undefined
  }
  return (
    <Modal
      open
      width={720}
      title={title}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t('cancel')}
        </Button>,
        <Button key="save" type="primary" loading={form.saving} disabled={!form.ready} onClick={() => void save()}>
          {spec.verb ? t(spec.verb) : id ? t('save') : t('create')}
        </Button>,
      ]}
    >
      <form
        className="dialog-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <FormGroups form={form} />
      </form>
    </Modal>
  )
}
