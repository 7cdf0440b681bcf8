/** Changes the selected fields of all selected rows. */
import { Button, Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { ApiError, Cancelled, errorText, fieldErrors } from '../api/errors.ts'
import { dialogWidth } from '../dialog/width.ts'
import { useForm } from '../form/controller.ts'
import { Field } from '../form/FormView.tsx'
import type { FieldSpec, FormSpec } from '../form/spec.ts'
import { isEmpty, nothingOf, toWire } from '../form/values.ts'
import { number } from '../row.ts'
import { nounFor, t } from '../text.ts'
import { toast } from '../toast.ts'
import type { List } from './controller.ts'

export default function BatchDialog({ list, onClose }: { list: List; onClose: () => void }) {
  const { fields: names = [], fieldSpecs } = list.spec.bulk
  // Required fields are always selected.
  const locked = names.filter((name) => fieldSpecs?.[name]?.validation?.required === true)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(locked))
  const [saving, setSaving] = useState(false)
  const spec: FormSpec = {
    url: list.spec.url,
    submit: { method: 'PATCH' },
    noun: list.spec.noun,
    groups: [{ key: 'batch', title: list.spec.noun, fields: names }],
    fields: Object.fromEntries(
      names.map((name): [string, FieldSpec] => {
        const field = fieldSpecs?.[name]
        return [name, { ...field, validation: { ...field?.validation, required: false } }]
      }),
    ),
    initial: () => ({}),
  }
  const form = useForm(spec, { query: new URLSearchParams() })
  const save = async () => {
    setSaving(true)
    const change = Object.fromEntries(
      [...ticked].map((name) => [
        name,
        toWire(
          form.values[name] ?? nothingOf(form.infoOf(name)),
          form.fieldOf(name),
          form.infoOf(name),
          form.sourceOf(name),
        ),
      ]),
    )
    try {
      await call(list.spec.url, {
        method: 'PATCH',
        body: list.selected.map((row) => ({ ...change, id: row.id })),
        quiet: true,
      })
      toast.ok(t('updatedMany', { count: number(list.selected.length) }))
      list.clear()
      list.reload()
      onClose()
    } catch (error) {
      if (error instanceof Cancelled) return
      if (!(error instanceof ApiError)) throw error
      const rows = Array.isArray(error.body) ? error.body : [error.body]
      const found: Record<string, string> = Object.assign({}, ...rows.map((row) => fieldErrors(row)))
      form.refused(new ApiError(400, found, error.message))
      const labelled = Object.entries(found).map(([name, text]) => `${form.labelOf(name)}: ${text}`)
      const texts = [...labelled, ...rows.map(errorText)].filter(Boolean)
      toast.error([...new Set(texts)].join('; ') || error.message)
    } finally {
      setSaving(false)
    }
  }
  const empty = [...ticked].every((name) => isEmpty(form.values[name]) && form.infoOf(name).type !== 'boolean')
  return (
    <Modal
      open
      width={dialogWidth}
      title={t('batchTitle', {
        count: number(list.selected.length),
        noun: nounFor(list.spec.noun, list.selected.length),
      })}
      onCancel={onClose}
      footer={
        <Button type="primary" loading={saving} disabled={ticked.size === 0} onClick={() => void save()}>
          {t('batchVerb', { count: number(list.selected.length) })}
        </Button>
      }
    >
      <p className="muted gap-below">{t('batchText')}</p>
      <div className="batch-fields">
        {names.map((name) => (
          <Checkbox
            key={name}
            checked={ticked.has(name)}
            disabled={locked.includes(name)}
            onChange={(event) => {
              const next = new Set(ticked)
              if (event.target.checked) next.add(name)
              else next.delete(name)
              setTicked(next)
            }}
          >
            {form.labelOf(name)}
          </Checkbox>
        ))}
      </div>
      {form.ready && [...ticked].map((name) => <Field key={name} form={form} name={name} />)}
      {ticked.size > 0 && empty && <p className="is-warning small">{t('batchEmpty')}</p>}
    </Modal>
  )
}
