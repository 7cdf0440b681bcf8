/** A list with its dialogs. */
import { type ReactNode, useEffect, useState } from 'react'
import { lazyComponent } from '../lazy-component.tsx'
import type { Row } from '../row.ts'
import { type List, useList } from './controller.ts'
import { Help } from './Help.tsx'
import { actingOn, ListBody, type Opened } from './ListBody.tsx'
import type { ListSpec } from './spec.ts'

const ColumnDialog = lazyComponent(() => import('./ColumnDialog.tsx'))
const ExportDialog = lazyComponent(() => import('./ExportDialog.tsx'))
const ImportDialog = lazyComponent(() => import('./ImportDialog.tsx'))
const BatchDialog = lazyComponent(() => import('./BatchDialog.tsx'))

/**
 * `head` receives the list, so that a page can show its total beside the title. Titles further up use `onTotal`. A list
 * that is declared in place names the type of its rows: `<ListView<WireRow<typeof url>> spec={{ … }} />`.
 */
export function ListView<R extends Row = Row>({
  spec,
  anywhere,
  head,
  onTotal,
}: {
  spec: ListSpec<NoInfer<R>>
  anywhere?: boolean
  head?: (list: List) => ReactNode
  onTotal?: (total: number) => void
}) {
  const list = useList(spec, anywhere)
  useEffect(() => {
    if (!list.loading) onTotal?.(list.total)
  }, [list.loading, list.total, onTotal])
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const BulkForm = list.spec.bulk.form
  return (
    <>
      {head?.(list)}
      {spec.texts?.help && <Help of={spec.texts.help} key={spec.texts.help} />}
      <ListBody list={list} open={setOpened} />
      {opened === 'columns' && <ColumnDialog list={list} onClose={close} />}
      {opened === 'export' && <ExportDialog list={list} onClose={close} />}
      {opened === 'exportSelected' && <ExportDialog list={list} begin="selected" onClose={close} />}
      {opened === 'import' && <ImportDialog list={list} onClose={close} />}
      {opened === 'batch' &&
        (BulkForm ? <BulkForm {...actingOn(list)} onClose={close} /> : <BatchDialog list={list} onClose={close} />)}
    </>
  )
}
