/** A list: its body, and the dialogs it opens. */
import { lazy, type ReactNode, useEffect, useState } from 'react'
import { Late } from '../Late.tsx'
import { type List, useList } from './controller.ts'
import { actingOn, ListBody, type Opened } from './ListBody.tsx'
import type { ListSpec } from './spec.ts'

const ColumnDialog = lazy(() => import('./ColumnDialog.tsx'))
const ExportDialog = lazy(() => import('./ExportDialog.tsx'))
const ImportDialog = lazy(() => import('./ImportDialog.tsx'))
const BatchDialog = lazy(() => import('./BatchDialog.tsx'))

/** `head` gets the list, so that a page can put its total beside the title; a title further up is told by `onTotal`. */
export function ListView({
  spec,
  anywhere,
  head,
  onTotal,
}: {
  spec: ListSpec
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
  return (
    <>
      {head?.(list)}
      <ListBody list={list} open={setOpened} />
      <Late onFail={close}>
        {opened === 'columns' && <ColumnDialog list={list} onClose={close} />}
        {opened === 'export' && <ExportDialog list={list} onClose={close} />}
        {opened === 'import' && <ImportDialog list={list} onClose={close} />}
        {opened === 'batch' &&
          (spec.batchForm ? (
            <spec.batchForm {...actingOn(list)} onClose={close} />
          ) : (
            <BatchDialog list={list} onClose={close} />
          ))}
      </Late>
    </>
  )
}
