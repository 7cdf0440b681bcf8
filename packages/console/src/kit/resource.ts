/** Pages from declarations. Declaration and view code are loaded together when the page opens. */
import type { ScreenModule } from './screen.ts'

type Loader<T> = () => Promise<T>

const page = async <T>(spec: Loader<T>, skin: Loader<(spec: T) => ScreenModule>): Promise<ScreenModule> => {
  const [declared, make] = await Promise.all([spec(), skin()])
  return make(declared)
}

export const list = (spec: Loader<import('./list/spec.ts').ListSpec>) => () =>
  page(spec, async () => (await import('./pages/list.tsx')).listPage)
export const form = (spec: Loader<import('./form/spec.ts').FormSpec>) => () =>
  page(spec, async () => (await import('./pages/form.tsx')).formPage)
export const detail = (spec: Loader<import('./detail/DetailPage.tsx').DetailSpec>) => () =>
  page(spec, async () => (await import('./pages/detail.tsx')).detailPage)
