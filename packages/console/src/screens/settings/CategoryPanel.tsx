/** The form of one category: stored values with their reset, settings without effect with the reason. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useState } from 'react'
import { call, withQuery } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { audience, type Fields, metadataOf, readableName } from '../../kit/api/metadata.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { FormPanel } from '../../kit/form/FormPanel.tsx'
import type { FieldSpec, FieldSpecs, FormSpec } from '../../kit/form/spec.ts'
import type { Row } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { type CategoryForm, settingUrl } from './category.ts'

/** As `/api/v1/settings/setting/state/` answers. */
interface State {
  stored: Readonly<Record<string, unknown>>
  unavailable: Readonly<Record<string, string>>
  secrets: readonly string[]
}

const noState: State = { stored: {}, unavailable: {}, secrets: [] }

/** Names of the top-level settings of a form, without fields of the screen's own. */
const namesOf = ({ groups, fields }: CategoryForm): string[] => [
  ...new Set(
    groups
      .flatMap((group) => group.fields)
      .filter((name) => !fields?.[name]?.sending?.local)
      .map((name) => name.split('.')[0] ?? name),
  ),
]

/** The value after a reset, short enough for a tooltip. */
function shortValue(value: unknown): string {
  if (value === null || value === '') return t('settingEmpty')
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function useCategory(form: CategoryForm, afterReset: () => void) {
  const client = useQueryClient()
  const address = withQuery('/api/v1/settings/setting/state/', { category: form.category })
  const state = useQuery({
    queryKey: ['setting-state', address, ...audience()],
    queryFn: () => call<State>(address, { quiet: true }),
    staleTime: 0,
  })
  const metadata = useQuery(metadataOf(settingUrl(form.category)))
  const fields: Fields = metadata.data?.actions?.[form.method ?? 'PATCH'] ?? {}
  const reset = (name: string) =>
    attempt(async () => {
      const url = withQuery('/api/v1/settings/setting/reset/', { category: form.category })
      await call<Row>(url, { method: 'POST', body: { names: [name] } })
      toast.ok(t('settingReset', { name: fields[name]?.label ?? readableName(name) }))
      await client.invalidateQueries({ queryKey: ['setting-state'] })
      afterReset()
    })
  const { stored, unavailable, secrets } = state.data ?? noState
  const names = namesOf(form)
  const reasons = new Set(names.map((name) => unavailable[name]))
  const [reason] = reasons
  const isAlone = reasons.size === 1
  const specs: Record<string, FieldSpec | undefined> = { ...form.fields }
  for (const name of names) {
    const given = specs[name] ?? {}
    const label = fields[name]?.label ?? readableName(name)
    const why = unavailable[name]
    specs[name] = {
      ...given,
      ...(name in stored && {
        action: {
          label: t('settingResetVerb'),
          title: t('settingResetTo', { name: label, value: shortValue(stored[name]) }),
          run: () => void reset(name),
        },
      }),
      ...(secrets.includes(name) && { texts: { ...given.texts, placeholder: t('settingSecretKept') } }),
      ...(why && {
        // One reason for the whole page stands above it.
        texts: { ...given.texts, help: isAlone ? false : { said: why } },
        state: { ...given.state, disabled: true },
        validation: { required: false },
        sending: { ...given.sending, local: true },
      }),
    }
  }
  const spec: FormSpec = {
    url: settingUrl(form.category),
    single: true,
    noun: 'settingsNoun',
    submit: { method: form.method ?? 'PATCH', ...(form.clean && { clean: (body) => form.clean?.(body) ?? body }) },
    groups: form.groups,
    fields: specs as FieldSpecs,
    ...(form.buttons && { layout: { buttons: form.buttons } }),
  }
  /** The one reason why nothing of the category has an effect. */
  const nothingWorks = isAlone ? reason : undefined
  return { spec, nothingWorks, ready: !state.isPending }
}

export function CategoryPanel({ form }: { form: CategoryForm }) {
  const [resets, setResets] = useState(0)
  const { spec, nothingWorks, ready } = useCategory(form, () => setResets((count) => count + 1))
  if (!ready) return null
  const lock = nothingWorks ?? (can(form.changedBy) ? undefined : t('settingReadOnly'))
  return (
    <>
      {lock && <Alert type="info" showIcon title={lock} />}
      <FormPanel key={resets} spec={spec} locked={lock !== undefined} />
    </>
  )
}

export function CategoryDialog({ form, title, onClose }: { form: CategoryForm; title: string; onClose: () => void }) {
  const [resets, setResets] = useState(0)
  const { spec, ready } = useCategory(form, () => setResets((count) => count + 1))
  if (!ready) return null
  return (
    <FormDialog
      key={resets}
      spec={{ ...spec, submit: { ...spec.submit, verb: 'save' } }}
      id={form.category}
      title={title}
      onClose={onClose}
    />
  )
}
