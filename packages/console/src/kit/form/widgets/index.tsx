/** Widgets by name. Small ones are part of the form chunk; large ones are loaded when a form has such a field. */

import { Skeleton } from 'antd'
import { type FunctionComponent, useEffect, useReducer, useRef } from 'react'
import { lazyComponent } from '../../lazy-component.tsx'
import type { WidgetName, WidgetProps } from '../spec.ts'
import { plainWidgets } from './plain.tsx'
import { Remote } from './Remote.tsx'

const files = () => import('./files.tsx')

const control = (load: () => Promise<{ default: FunctionComponent<WidgetProps> }>) =>
  lazyComponent(load, <Skeleton.Input block active />)
type Widget = FunctionComponent<WidgetProps> & Partial<Pick<ReturnType<typeof control>, 'bring' | 'isThere'>>

export const widgets: Readonly<Record<Exclude<WidgetName, 'repeat'>, Widget>> = {
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

/**
 * Whether a form can be rendered: it is ready and the code of its widgets is loaded. Rendering them one by one would
 * move the content below. Widgets that appear later wait for themselves.
 */
export function useDrawable(kinds: readonly WidgetName[], ready: boolean): boolean {
  const drawable = useRef(false)
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  const late = kinds.flatMap((kind) => {
    const widget = kind === 'repeat' ? undefined : widgets[kind]
    return widget?.bring && !widget.isThere?.() ? [widget.bring] : []
  })
  if (ready && late.length === 0) drawable.current = true
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of missing widgets shows whether anything changed.
  useEffect(() => {
    if (late.length === 0) return
    // If a widget fails to load, it shows the error, and the others can still be used.
    void Promise.allSettled(late.map((bring) => bring())).then(() => {
      if (!ready) return
      drawable.current = true
      drawAgain()
    })
  }, [ready, late.length])
  return drawable.current
}
