/** A form page. Leaving with unsaved changes asks for confirmation. */
import { rootOrgId } from '@castellan/contract/ids'
import { useContext } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { placeOf } from '../list/place.ts'
import { CloseContext, PageHead, useScreen, useTitle } from '../page.tsx'
import { type Row, wordOf } from '../row.ts'
import { isForAnyOrganization } from '../screen.ts'
import { can, code, inRoot } from '../session.ts'
import { t } from '../text.ts'
import { toast } from '../toast.ts'
import { forgetUnsaved } from '../unsaved.ts'
import { ChooseOrganization } from './ChooseOrganization.tsx'
import { useForm } from './controller.ts'
import { Contents, FormFoot, FormGroups, showFirstError } from './FormView.tsx'
import type { FormSpec } from './spec.ts'

/** Page of the saved object, for users who may view it. */
function detailOf(spec: FormSpec, saved: Row): string | undefined {
  if (spec.saved?.detail === false || !spec.resource || !saved.id || !can(code(spec.resource, 'view'))) return undefined
  return spec.saved?.detail ? spec.saved.detail(saved) : spec.path && `${spec.path}/${saved.id}`
}

/**
 * Objects are created and changed in one organization, not in the root organization, except on screens with a fixed
 * organization and for the user's own profile.
 */
export function FormPage({ spec }: { spec: FormSpec }) {
  const screen = useScreen()
  const { id } = useParams()
  const [query] = useSearchParams()
  // The address may contain the organization of its requests.
  const everywhere = query.has('oid') ? query.get('oid') === rootOrgId : inRoot()
  if (everywhere && !spec.single && !isForAnyOrganization(screen))
    return <ChooseOrganization title={t(spec.title ?? screen.title)} back={spec.path} changing={id !== undefined} />
  return <Page spec={spec} />
}

function Page({ spec }: { spec: FormSpec }) {
  const screen = useScreen()
  const go = useNavigate()
  const { id } = useParams()
  const [query] = useSearchParams()
  const cloneFrom = query.get('clone_from') ?? undefined
  const closeTab = useContext(CloseContext)
  const Beside = spec.layout?.beside
  const form = useForm(spec, { id, cloneFrom, query })
  const name =
    form.context.loaded && id ? wordOf(form.context.loaded.name ?? form.context.loaded.display_name) : undefined
  useTitle(name && t('updateName', { name }))

  const save = async (again: boolean) => {
    const saved = await form.save()
    if (!saved) return showFirstError()
    const savedName = wordOf(saved.display_name ?? saved.name ?? saved.username) || t(spec.noun)
    const page = detailOf(spec, saved)
    toast.saved(
      t(id || spec.single ? 'savedName' : again ? 'createdNameMore' : 'createdName', { name: savedName }),
      page ? { text: savedName, to: page } : undefined,
    )
    spec.saved?.run?.(saved)
    if (again) return undefined
    forgetUnsaved()
    // After an update, the list keeps its page; after a creation, it starts at the first page.
    const list = id && spec.path ? placeOf(spec.path, true) : spec.path
    const to = spec.saved?.to ? spec.saved.to(saved, form.context) : list
    if (to) {
      // The entered values are saved. Otherwise an empty form would stay in the tab.
      closeTab()
      go(to, { state: { order: '-date_updated' } })
    }
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
        <PageHead title={name ? t('updateName', { name }) : t(spec.title ?? screen.title)} back={spec.path} />
        {spec.layout?.above}
      </div>
      <div className={Beside ? 'page form-page with-beside' : 'page form-page'}>
        <div>
          <FormGroups form={form} />
        </div>
        {Beside ? form.ready && <Beside values={form.values} context={form.context} /> : <Contents form={form} />}
      </div>
      <FormFoot
        form={form}
        verb={spec.submit?.verb ? t(spec.submit.verb) : id || spec.single ? t('save') : t('create')}
        another={!id && !spec.single && (spec.submit?.another ?? true)}
        onSave={(again) => void save(again)}
      />
    </form>
  )
}
