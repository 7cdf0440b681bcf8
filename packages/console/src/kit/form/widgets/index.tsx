/** Widgets by name. The plain ones come with the form, the large ones when a form has such a field. */

import { Skeleton } from 'antd'
import type { FunctionComponent } from 'react'
import { part } from '../../part.tsx'
import type { WidgetName, WidgetProps } from '../spec.ts'
import { plainWidgets } from './plain.tsx'
import { Remote } from './Remote.tsx'

const files = () => import('./files.tsx')

const control = (load: () => Promise<{ default: FunctionComponent<WidgetProps> }>) =>
  part(load, <Skeleton.Input block active />)

export const widgets: Readonly<Record<Exclude<WidgetName, 'repeat'>, FunctionComponent<WidgetProps>>> = {
  ...plainWidgets,
  remote: Remote,
  tree: control(() => import('./TreeChoices.tsx')),
  datetime: control(() => import('./DateTime.tsx')),
  date: control(() => import('./DateTime.tsx')),
  json: control(() => import('./Json.tsx')),
  code: control(() => import('./Code.tsx')),
  markdown: control(() => import('./Markdown.tsx')),
  cron: control(() => import('./Cron.tsx')),
  week: control(() => import('./WeekGrid.tsx')),
  lines: control(() => import('./Lines.tsx')),
  attributes: control(() => import('./Attributes.tsx')),
  transfer: control(() => import('./Transfer.tsx')),
  'key-file': control(async () => ({ default: (await files()).KeyFile })),
  image: control(async () => ({ default: (await files()).ImageFile })),
  'update-secret': control(async () => ({ default: (await files()).UpdateSecret })),
  'password-rules': control(() => import('./PasswordRules.tsx')),
  protocols: control(() => import('./Protocols.tsx')),
  rule: control(() => import('./Rule.tsx')),
  'account-names': control(() => import('./AccountNames.tsx')),
  'all-or-some': control(() => import('./AllOrSome.tsx')),
}
