/** A form in a dialog. Closing it with unsaved changes asks for confirmation. */
import { Button, Modal } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { beginIn } from '../../browser/first-field.ts'
import { dialogWidth } from '../dialog/width.ts'
import { LeaveDialog } from '../LeaveGuard.tsx'
import type { Row } from '../row.ts'
import { t } from '../text.ts'
import { toast } from '../toast.ts'
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
  /** Return false to leave the dialog open, for example to show results. */
  onSaved?: (saved: Row) => unknown
}) {
  const form = useForm(spec, { id, query: query ?? new URLSearchParams() })
  const [leaving, setLeaving] = useState(false)
  const formId = useId()
  const [opened, setOpened] = useState(false)
  const place = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // When the dialog opened, its fields were not rendered yet.
    if (opened && form.ready && place.current?.parentElement) beginIn(place.current.parentElement)
  }, [opened, form.ready])
  const save = async () => {
    const saved = await form.save()
    if (!saved) return showFirstError()
    // Changes within an outer form are not saved yet.
    if (!spec.local) toast.ok(id ? t('saved') : t('created'))
    if (onSaved?.(saved) !== false) onClose()
    return undefined
  }
  const Buttons = spec.layout?.buttons
  const close = () => (form.dirty ? setLeaving(true) : onClose())
  return (
    <>
      <Modal
        open
        width={dialogWidth}
        title={title}
        mask={{ closable: false }}
        onCancel={close}
        afterOpenChange={setOpened}
        footer={[
          Buttons && form.ready && (
            <span key="buttons" className="dialog-buttons">
              <Buttons values={form.values} body={form.body} refused={form.refused} />
            </span>
          ),
          <Button key="cancel" onClick={close}>
            {t('cancel')}
          </Button>,
          <Button
            key="save"
            type="primary"
            htmlType="submit"
            form={formId}
            loading={form.saving}
            disabled={!form.ready}
          >
            {spec.submit?.verb ? t(spec.submit?.verb) : id ? t('save') : t('create')}
          </Button>,
        ]}
      >
        <form
          id={formId}
          ref={place}
          className="dialog-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            // In React's tree, a dialog's form is inside the page's form, although not in the DOM.
            event.stopPropagation()
            if (!form.saving) void save()
          }}
        >
          <FormGroups form={form} inDialog />
        </form>
      </Modal>
      <LeaveDialog open={leaving} onLeave={onClose} onStay={() => setLeaving(false)} />
    </>
  )
}
