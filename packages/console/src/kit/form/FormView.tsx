/** A form: groups under headings, labels above fields, what is wrong beside the field. */
import { Button, Skeleton } from 'antd'
import { ChevronDown, ChevronRight, CircleAlert } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useId, useState } from 'react'
import { Failed } from '../list/states.tsx'
import { useMedia } from '../media.ts'
import { t } from '../text.ts'
import type { Form } from './controller.ts'
import type { GroupSpec } from './spec.ts'
import { widgetFor } from './values.ts'
import { widgets } from './widgets/index.tsx'

type Group = GroupSpec & { names: string[] }

const errorsOf = (form: Form, group: Group): number =>
  Object.keys(form.errors).filter((key) => group.names.some((name) => key === name || key.startsWith(`${name}.`)))
    .length

/** Scrolls to the first field that needs attention. */
export function showFirstError(): void {
  requestAnimationFrame(() => {
    const first = document.querySelector<HTMLElement>('.field.bad')
    first?.scrollIntoView({ block: 'center', behavior: 'smooth' })
    first?.querySelector<HTMLElement>('input, textarea, [tabindex]')?.focus({ preventScroll: true })
  })
}

export function FormGroups({ form }: { form: Form }) {
  if (form.error) return <Failed error={form.error} retry={form.retry} />
  if (!form.ready) return <Skeleton active title={false} paragraph={{ rows: 8 }} />
  return (
    <>
      {form.groups.map((group) => (
        <FormGroup key={group.key} form={form} group={group} />
      ))}
    </>
  )
}

function FormGroup({ form, group }: { form: Form; group: Group }) {
  const wrong = errorsOf(form, group)
  const [open, setOpen] = useState(!group.folded)
  const shown = open || wrong > 0
  const labels = group.names.map((name) => labelOf(form, name)).join(' · ')
  return (
    <section className="group" id={`group-${group.key}`}>
      <header>
        <div>
          <h2>{t(group.title)}</h2>
          {group.help && <p>{t(group.help)}</p>}
        </div>
      </header>
      {group.folded && (
        <button type="button" className="fold" onClick={() => setOpen(!shown)} aria-expanded={shown}>
          {shown ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
          <span className="clip">{labels}</span>
        </button>
      )}
      {shown && (
        <div className="cols-2">
          {group.names.map((name) => (
            <Field key={name} form={form} name={name} />
          ))}
        </div>
      )}
    </section>
  )
}

const labelOf = (form: Form, name: string): string => {
  const own = form.fieldOf(name).label
  return own ? t(own) : (form.infoOf(name).label ?? name)
}

function errorAt(form: Form, name: string): string | undefined {
  const own = form.errors[name]
  if (own) return own
  const below = Object.entries(form.errors).filter(([key]) => key.startsWith(`${name}.`))
  return below.length > 0 ? [...new Set(below.map(([, text]) => text))].join('; ') : undefined
}

export function Field({ form, name }: { form: Form; name: string }): ReactNode {
  const id = useId()
  const field = form.fieldOf(name)
  const info = form.infoOf(name)
  const kind = field.widget ?? (field.source ? 'remote' : widgetFor(name, info))
  const Widget = field.component ?? widgets[kind ?? 'text']
  const error = errorAt(form, name)
  const disabled =
    typeof field.disabled === 'function' ? field.disabled(form.values, form.context) : Boolean(field.disabled)
  const help = field.help ? t(field.help) : info.help_text
  const inline = kind === 'switch' || kind === 'checkbox'
  return (
    <fieldset
      className={['field', field.half ? 'half' : 'full', error ? 'bad' : '', inline ? 'inline' : ''].join(' ')}
      onBlur={() => form.blur(name)}
    >
      <label htmlFor={id}>
        {form.required(name) && (
          <span className="required" aria-hidden>
            *{' '}
          </span>
        )}
        {labelOf(form, name)}
      </label>
      <Suspense fallback={<Skeleton.Input block active />}>
        <Widget
          id={id}
          value={
            form.values &&
            name
              .split('.')
              .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], form.values)
          }
          onChange={(value) => form.change(name, value)}
          field={field.source ? { ...field, source: form.sourceOf(name) } : field}
          info={info}
          invalid={error !== undefined}
          disabled={disabled || Boolean(info.read_only)}
          values={form.values}
          context={form.context}
        />
      </Suspense>
      {error ? (
        <small className="is-danger" role="alert">
          {error}
        </small>
      ) : (
        help && <small className="muted">{help}</small>
      )}
    </fieldset>
  )
}

/** Names of the groups, the one in view lit, those with errors marked; only beside long forms. */
export function Contents({ form }: { form: Form }) {
  const wide = useMedia('(min-width: 1200px)')
  const [lit, setLit] = useState(form.groups[0]?.key)
  const keys = form.groups.map((group) => group.key).join()
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const first = entries.find((entry) => entry.isIntersecting)
        if (first) setLit(first.target.id.slice('group-'.length))
      },
      { rootMargin: '-10% 0px -70% 0px' },
    )
    for (const key of keys.split(',')) {
      const element = document.getElementById(`group-${key}`)
      if (element) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [keys])
  if (!wide || form.groups.length < 3) return null
  return (
    <nav className="toc" aria-label={t('contents')}>
      {form.groups.map((group) => (
        <button
          type="button"
          key={group.key}
          className={group.key === lit ? 'on' : ''}
          onClick={() =>
            document.getElementById(`group-${group.key}`)?.scrollIntoView({ behavior: 'smooth', block: 'start' })
          }
        >
          {t(group.title)}
          {errorsOf(form, group) > 0 && <CircleAlert size={14} className="is-danger" />}
        </button>
      ))}
    </nav>
  )
}

/** Always in view: the actions, and how many fields need attention. */
export function FormFoot({
  form,
  verb,
  another,
  onSave,
}: {
  form: Form
  verb: string
  another?: boolean
  onSave: (again: boolean) => void
}) {
  const wrong = Object.keys(form.errors).length
  return (
    <footer className="form-foot">
      <Button
        type="primary"
        htmlType="submit"
        loading={form.saving}
        disabled={!form.ready}
        onClick={() => onSave(false)}
      >
        {verb}
      </Button>
      {another && (
        <Button disabled={form.saving || !form.ready} onClick={() => onSave(true)}>
          {t('saveAndAnother')}
        </Button>
      )}
      <Button type="text" disabled={!form.dirty || form.saving} onClick={form.reset}>
        {t('reset')}
      </Button>
      <div className="grow" />
      {wrong > 0 ? (
        <span className="status is-danger">
          <CircleAlert size={14} />
          {wrong === 1 ? t('fieldNeedsAttention') : t('fieldsNeedAttention', { count: wrong })}
        </span>
      ) : (
        form.dirty && <span className="muted small">{t('unsaved')}</span>
      )}
    </footer>
  )
}
