/** Form layout: groups with headings, labels above fields, errors beside fields. */

import { Alert, Button, Skeleton } from 'antd'
import { ChevronDown, ChevronRight, CircleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { openDialog } from '../../ant-design/classes.ts'
import { useMedia } from '../../browser/media.ts'
import { Failed } from '../list/states.tsx'
import { t } from '../text.ts'
import type { Form } from './controller.ts'
import { Field } from './Field.tsx'
import type { GroupSpec } from './spec.ts'
import { useDrawable } from './widgets/index.tsx'

export { Field } from './Field.tsx'

type Group = GroupSpec & { names: string[] }

const errorsOf = (form: Form, group: Group): number =>
  Object.keys(form.errors).filter((key) => group.names.some((name) => key === name || key.startsWith(`${name}.`)))
    .length

const focusable = 'input:not([type=hidden]), textarea, select, button, [contenteditable=true], [tabindex="0"]'

function bringIntoView(element: Element | null, block: ScrollLogicalPosition): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ block, behavior: still ? 'auto' : 'smooth' })
}

/** Scrolls to the first error and focuses it; in the dialog if one is open. */
export function showFirstError(): void {
  requestAnimationFrame(() => {
    const dialogs = document.querySelectorAll<HTMLElement>(`${openDialog} .dialog-form`)
    const root: ParentNode = dialogs[dialogs.length - 1] ?? document
    const first = root.querySelector<HTMLElement>('.form-refusal, .field.bad')
    bringIntoView(first, 'center')
    const target = first?.matches('.form-refusal') ? first : first?.querySelector<HTMLElement>(focusable)
    // A dialog above the form, such as the one for an ended session, keeps the focus.
    const above = [...document.querySelectorAll(openDialog)].at(-1)
    if (!above || above.contains(target ?? null)) target?.focus({ preventScroll: true })
  })
}

/** Whether the groups are rendered, not their skeletons. */
function useDrawn(form: Form): boolean {
  const names = form.groups.flatMap((group) => group.names)
  const kinds = names.filter((name) => !form.fieldOf(name).component).map(form.kindOf)
  return useDrawable(kinds, form.ready)
}

/** In a dialog, groups are not landmarks of the page. */
export function FormGroups({ form, inDialog }: { form: Form; inDialog?: boolean }) {
  const drawn = useDrawn(form)
  if (form.error) return <Failed error={form.error} retry={form.retry} />
  if (!drawn) return <Skeleton active title={false} paragraph={{ rows: 8 }} />
  return (
    <>
      {form.general.length > 0 && (
        <div className="form-refusal" tabIndex={-1}>
          <Alert
            type="error"
            showIcon
            role="alert"
            title={form.general.length === 1 ? form.general[0] : t('refused')}
            description={
              form.general.length > 1 && (
                <ul>
                  {form.general.map((text) => (
                    <li key={text}>{text}</li>
                  ))}
                </ul>
              )
            }
          />
        </div>
      )}
      {form.groups.map((group) => (
        <FormGroup key={group.key} form={form} group={group} landmark={!inDialog} />
      ))}
    </>
  )
}

function FormGroup({ form, group, landmark }: { form: Form; group: Group; landmark: boolean }) {
  const wrong = errorsOf(form, group)
  const [open, setOpen] = useState(!group.folded)
  // A form in a dialog may have groups with the same names as the form below it.
  const title = useId()
  const shown = open || wrong > 0
  const mixed = new Set(group.names.map(parentOf)).size > 1
  const labels = group.names.map((name) => form.labelOf(name)).join(' · ')
  return (
    <section className="group" data-group={group.key} aria-labelledby={landmark ? title : undefined}>
      <header>
        <div>
          <h2 id={title}>{t(group.title)}</h2>
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
          {group.names.map((name, index) => (
            <Part
              key={name}
              form={form}
              name={name}
              before={group.names[index - 1]}
              mixed={mixed}
              title={index === 0 ? t(group.title) : undefined}
              explained={group.help !== undefined}
            />
          ))}
        </div>
      )}
    </section>
  )
}

const parentOf = (name: string | undefined): string => name?.split('.').slice(0, -1).join('.') ?? ''

/** A field. The first field of a nested object is labeled with the object, unless the group already is. */
function Part({
  form,
  name,
  before,
  mixed,
  title,
  explained,
}: {
  form: Form
  name: string
  before?: string
  /** The group also has fields of other objects. */
  mixed: boolean
  /** Title of the group, for the first field below it. */
  title?: string
  /** The group has a help text below its title. */
  explained: boolean
}): ReactNode {
  const parent = parentOf(name)
  const heads = mixed && parent !== '' && parent !== parentOf(before)
  return (
    <>
      {heads && <h3 className="sub-head">{form.labelOf(parent)}</h3>}
      <Field form={form} name={name} title={title} explained={explained} />
    </>
  )
}

const sectionOf = (key: string) => document.querySelector(`#content [data-group="${key}"]`)

/** Group names with the visible one highlighted and those with errors marked; only beside long forms. */
export function Contents({ form }: { form: Form }) {
  const wide = useMedia('(min-width: 1200px)')
  const [inView, setInView] = useState<string>()
  const lit = inView ?? form.groups[0]?.key
  const keys = form.groups.map((group) => group.key).join()
  const drawn = useDrawn(form)
  useEffect(() => {
    // Until then, a skeleton replaces the groups.
    if (!drawn) return undefined
    const seen = new Set<string>()
    const observer = new IntersectionObserver(
      (entries) => {
        // Only changes are announced.
        for (const { target, isIntersecting } of entries) {
          const key = (target as HTMLElement).dataset.group ?? ''
          if (isIntersecting) seen.add(key)
          else seen.delete(key)
        }
        const first = keys.split(',').find((key) => seen.has(key))
        if (first) setInView(first)
      },
      { rootMargin: '-10% 0px -70% 0px' },
    )
    for (const key of keys.split(',')) {
      const element = sectionOf(key)
      if (element) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [keys, drawn])
  if (!wide || form.groups.length < 3) return null
  return (
    <nav className="toc" aria-label={t('contents')}>
      {form.groups.map((group) => (
        <button
          type="button"
          key={group.key}
          className={group.key === lit ? 'on' : ''}
          onClick={() => bringIntoView(sectionOf(group.key), 'start')}
        >
          {t(group.title)}
          {errorsOf(form, group) > 0 && <CircleAlert size={14} className="is-danger" />}
        </button>
      ))}
    </nav>
  )
}

/** Always visible: actions and the number of fields with errors. */
export function FormFoot({
  form,
  verb,
  another,
  children,
  onSave,
}: {
  form: Form
  verb: string
  another?: boolean
  /** Further buttons. */
  children?: ReactNode
  onSave: (again: boolean) => void
}) {
  // Errors without a field are shown above the form.
  const wrong = Object.keys(form.errors).filter((name) => name !== '').length
  return (
    <footer className="form-foot">
      <Button
        type="primary"
        htmlType="submit"
        loading={form.saving}
        disabled={!form.ready}
        aria-label={verb}
        onClick={() => onSave(false)}
      >
        {verb}
      </Button>
      {another && (
        <Button disabled={form.saving || !form.ready} onClick={() => onSave(true)}>
          {t('saveAndAnother')}
        </Button>
      )}
      {children}
      <Button type="text" disabled={!form.dirty || form.saving} onClick={form.reset}>
        {t('reset')}
      </Button>
      <div className="grow" />
      {wrong > 0 ? (
        <span className="status is-danger">
          <CircleAlert size={14} />
          {t('fieldsNeedAttention', { count: wrong })}
        </span>
      ) : (
        form.dirty && <span className="muted small">{t('unsaved')}</span>
      )}
    </footer>
  )
}
