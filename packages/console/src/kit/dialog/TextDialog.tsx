import { Modal } from 'antd'
import type { ReactNode } from 'react'

/** A read-only dialog. */
export function TextDialog({
  title,
  width,
  children,
  onClose,
}: {
  title: string
  width?: number
  children: ReactNode
  onClose: () => void
}) {
  return (
    <Modal open title={title} width={width ?? 520} footer={null} onCancel={onClose}>
      {children}
    </Modal>
  )
}
