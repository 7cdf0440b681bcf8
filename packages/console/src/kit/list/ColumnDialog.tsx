import { Button, Checkbox, Modal, Segmented } from 'antd'
import { useId, useState } from 'react'
import { dialogWidth } from '../dialog/width.ts'
import { type TextKey, t } from '../text.ts'
import type { List } from './controller.ts'
import { chooseDensity, type Density, densities, useDensity } from './density.ts'

const words = { normal: 'rowsNormal', compact: 'rowsCompact' } as const satisfies Record<Density, TextKey>

/** Row height of all tables; takes effect immediately. */
function RowHeight() {
  const id = useId()
  return (
    <div className="field inline gap-above">
      <b id={id}>{t('rowHeight')}</b>
      <Segmented
        aria-labelledby={id}
        value={useDensity()}
        onChange={chooseDensity}
        options={densities.map((value) => ({ value, label: t(words[value]) }))}
      />
    </div>
  )
}

/** Visible columns of a table. Fixed columns are checked and locked. */
export default function ColumnDialog({ list, onClose }: { list: List; onClose: () => void }) {
  const fixed = new Set([...(list.spec.columns.fixed ?? []), list.spec.row.nameColumn ?? 'name'])
  const [names, setNames] = useState(() => new Set(list.shown.map((column) => column.name)))
  const toggle = (name: string, on: boolean) => {
    const next = new Set(names)
    if (on) next.add(name)
    else next.delete(name)
    setNames(next)
  }
  return (
    <Modal
      open
      width={dialogWidth}
      title={t('columnsTitle')}
      onCancel={onClose}
      footer={[
        <Button
          key="default"
          onClick={() => {
            list.choose(undefined)
            onClose()
          }}
        >
          {t('columnsDefault')}
        </Button>,
        <Button
          key="ok"
          type="primary"
          onClick={() => {
            list.choose(list.columns.map((column) => column.name).filter((name) => names.has(name) || fixed.has(name)))
            onClose()
          }}
        >
          {t('columnsApply')}
        </Button>,
      ]}
    >
      <p className="muted">{t('columnsText')}</p>
      <div className="columns-3">
        {list.columns.map((column) => (
          <Checkbox
            key={column.name}
            checked={names.has(column.name) || fixed.has(column.name)}
            disabled={fixed.has(column.name)}
            onChange={(event) => toggle(column.name, event.target.checked)}
          >
            {column.label}
          </Checkbox>
        ))}
        {list.widths.acts > 0 && (
          <Checkbox checked disabled>
            {t('actions')}
          </Checkbox>
        )}
      </div>
      <RowHeight />
    </Modal>
  )
}
