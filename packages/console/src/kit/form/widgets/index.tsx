/** Widgets by name. The plain ones come with the form, the large ones when a form has such a field. */
import { type ComponentType, lazy } from 'react'
import type { WidgetName, WidgetProps } from '../spec.ts'
import { plainWidgets } from './plain.tsx'
import { Remote } from './Remote.tsx'

const files = () => import('./files.tsx')

export const widgets: Readonly<Record<Exclude<WidgetName, 'repeat'>, ComponentType<WidgetProps>>> = {
  ...plainWidgets,
  remote: Remote,
  tree: lazy(() => import('./TreeChoices.tsx')),
  datetime: lazy(() => import('./DateTime.tsx')),
  date: lazy(() => import('./DateTime.tsx')),
  json: lazy(() => import('./Json.tsx')),
  code: lazy(() => import('./Code.tsx')),
  markdown: lazy(() => import('./Markdown.tsx')),
  cron: lazy(() => import('./Cron.tsx')),
  week: lazy(() => import('./WeekGrid.tsx')),
  lines: lazy(() => import('./Lines.tsx')),
  attributes: lazy(() => import('./Attributes.tsx')),
  transfer: lazy(() => import('./Transfer.tsx')),
  'key-file': lazy(async () => ({ default: (await files()).KeyFile })),
  image: lazy(async () => ({ default: (await files()).ImageFile })),
  'update-secret': lazy(async () => ({ default: (await files()).UpdateSecret })),
  'password-rules': lazy(() => import('./PasswordRules.tsx')),
  protocols: lazy(() => import('./Protocols.tsx')),
  rule: lazy(() => import('./Rule.tsx')),
  'account-names': lazy(() => import('./AccountNames.tsx')),
  'all-or-some': lazy(() => import('./AllOrSome.tsx')),
}
