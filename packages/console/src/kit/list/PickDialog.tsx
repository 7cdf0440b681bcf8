/** A list in a dialog to select rows. The selection persists across pages, filters and trees. */
import { Modal } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Row } from '../row.ts'
import { t } from '../text.ts'
import { useList } from './controller.ts'
import { ListBody } from './ListBody.tsx'
import { inside, type ListSpec, type Picking } from './spec.ts'

export function PickDialog({
  title,
  verb,
  spec,
  chosen,
  may,
  atLeast = 0,
  around = (rows) => <div className="list">{rows}</div>,
  onClose,
  onPick,
}: {
  title: string
  /** Action of the button on the rows; by default they are returned to the caller. */
  verb?: string
  spec: ListSpec
  chosen?: ReadonlyMap<string, Row>
  may?: Picking['may']
  /** Minimum selection for the button. */
  atLeast?: number
  /** Renders a narrowing control, such as a tree, beside the rows. */
  around?: (rows: ReactNode) => ReactNode
  onClose: () => void
  /** If it returns a promise, the dialog stays open with a busy button until it settles. */
  onPick: (rows: Row[]) => unknown
}) {
  const [picked, setPicked] = useState<ReadonlyMap<string, Row>>(chosen ?? new Map())
  const [busy, setBusy] = useState(false)
  const done = async () => {
    setBusy(true)
    try {
      await onPick([...picked.values()])
    } finally {
      setBusy(false)
    }
  }
  const list = useList({
    ...spec,
    ...inside,
    bulk: {},
    row: { ...spec.row, link: () => undefined },
    picking: { chosen: picked, onChange: setPicked, may },
  })
  return (
    <Modal
      open
      className="pick-dialog"
      width="min(1200px, max(80vw, 640px))"
      title={title}
      mask={{ closable: false }}
      okText={verb ?? t('chooseCount', { count: picked.size })}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: picked.size < atLeast, loading: busy }}
      onCancel={onClose}
      onOk={() => void done()}
    >
      {around(<ListBody list={list} open={() => {}} />)}
    </Modal>
  )
}
