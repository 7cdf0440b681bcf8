/** The four routes of a resource out of one line; each part is fetched when it is opened. */
import type { ComponentType } from 'react'
import type { Feature, View } from './feature.ts'
import { code } from './session.ts'
import type { TextKey } from './text.ts'

type Loader<T> = () => Promise<T>

const page = async <T>(
  spec: Loader<T>,
  skin: Loader<(spec: T) => ComponentType>,
): Promise<{ default: ComponentType }> => {
  const [declared, make] = await Promise.all([spec(), skin()])
  return { default: make(declared) }
}

/** A list screen. */
export const list = (spec: Loader<import('./list/spec.ts').ListSpec>) => () =>
  page(spec, async () => (await import('./pages/list.tsx')).listPage)
/** A form screen. */
export const form = (spec: Loader<import('./form/spec.ts').FormSpec>) => () =>
  page(spec, async () => (await import('./pages/form.tsx')).formPage)
/** A detail screen. */
export const detail = (spec: Loader<import('./detail/DetailPage.tsx').DetailSpec>) => () =>
  page(spec, async () => (await import('./pages/detail.tsx')).detailPage)

export interface ResourceRoutes {
  path: string
  /** `User`: routes are UserList, UserCreate, UserUpdate, UserDetail. */
  name: string
  view: View
  /** `users.user` */
  resource: string
  /** Permission of the list when it is not `view`. */
  permission?: string
  menu?: string
  lit?: string
  licence?: boolean
  organisation?: Feature['organisation']
  titles: { list?: TextKey; create?: TextKey; update?: TextKey; detail?: TextKey }
  load: { list?: Feature['load']; form?: Feature['load']; detail?: Feature['load'] }
}

/** Routes of a resource; a part that is not given has no route. */
export function routes({
  path,
  name,
  view,
  resource,
  permission,
  menu,
  lit,
  licence,
  organisation,
  titles,
  load,
}: ResourceRoutes): Feature[] {
  const shared = { view, licence, organisation, lit }
  const out: Feature[] = []
  if (load.list && titles.list) {
    out.push({
      ...shared,
      path,
      name: `${name}List`,
      title: titles.list,
      permission: permission ?? code(resource, 'view'),
      menu,
      load: load.list,
    })
  }
  if (load.form && titles.create) {
    out.push({
      ...shared,
      path: `${path}/create`,
      name: `${name}Create`,
      title: titles.create,
      permission: code(resource, 'add'),
      load: load.form,
    })
  }
  if (load.form && titles.update) {
    out.push({
      ...shared,
      path: `${path}/:id/update`,
      name: `${name}Update`,
      title: titles.update,
      permission: code(resource, 'change'),
      load: load.form,
    })
  }
  if (load.detail && titles.detail) {
    out.push({
      ...shared,
      path: `${path}/:id`,
      name: `${name}Detail`,
      title: titles.detail,
      permission: permission ?? code(resource, 'view'),
      load: load.detail,
    })
  }
  return out
}
