/** A page that is a form. Leaving with unsaved changes asks first. */
import { Modal } from 'antd'
import { useRef } from 'react'
import { useBlocker, useNavigate, useParams, useSearchParams } from 'react-router'
import { flash } from '../flash.ts'
import { placeOf } from '../list/place.ts'
import { PageHead, useFeature, useTitle } from '../page.tsx'
import { wordOf } from '../row.ts'
import { t } from '../text.ts'
import { useForm } from './controller.ts'
import { Contents, FormFoot, FormGroups, showFirstError } from './FormView.tsx'
import type { FormSpec } from './spec.ts'

export function FormPage({ spec }: { spec: FormSpec }) {
  const feature = useFeature()
  const go = useNavigate()
  const { id } = useParams()
  const [query] = useSearchParams()
  const cloneFrom = query.get('clone_from') ?? undefined
  const form = useForm(spec, { id, cloneFrom, query })
  const leaving = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      form.dirty && !leaving.current && currentLocation.pathname !== nextLocation.pathname,
  )
  const name =
    form.context.loaded && id ? wordOf(form.context.loaded.name ?? form.context.loaded.display_name) : undefined
  useTitle(name && t('updateName', { name }))

  const save = async (again: boolean) => {
    const saved = await form.save()
    if (!saved) return showFirstError()
    flash.ok(
      t(id ? 'savedName' : 'createdName', {
        name: wordOf(saved.name ?? saved.display_name ?? saved.username) || t(spec.noun),
      }),
    )
    spec.onSaved?.(saved)
    if (again) return form.settle()
    leaving.current = true
    // A change leads back to the list as it was left, a new row to the head of all.
    const list = id && spec.path ? placeOf(spec.path, true) : spec.path
    const to = spec.after ? spec.after(saved, form.context) : list
    if (to) go(to, { state: { order: '-date_updated' } })
    leaving.current = false
    return undefined
  }
  return (
    <form
      className="form-shell"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
      }}
    >
      <div className="form-top">
        <PageHead title={name ? t('updateName', { name }) : t(spec.title ?? feature.title)} back={spec.path} />
        {spec.above}
      </div>
      <div className={spec.beside ? 'page form-page with-beside' : 'page form-page'}>
        <div>
          <FormGroups form={form} />
        </div>
        {spec.beside ? (
          form.ready && <spec.beside values={form.values} context={form.context} />
        ) : (
          <Contents form={form} />
        )}
      </div>
      <FormFoot
        form={form}
        verb={spec.verb ? t(spec.verb) : id || spec.single ? t('save') : t('create')}
        another={!id && !spec.single && (spec.another ?? true)}
        onSave={(again) => void save(again)}
      />
      <Modal
        open={blocker.state === 'blocked'}
        title={t('leaveTitle')}
        okText={t('leaveVerb')}
        okButtonProps={{ danger: true }}
        cancelText={t('leaveStay')}
        onOk={() => blocker.proceed?.()}
        onCancel={() => blocker.reset?.()}
      >
        {t('leaveText')}
      </Modal>
    </form>
  )
}
