/** Selected rows over all pages. In a picker, the caller stores them. */
import { useCallback, useRef, useState } from 'react'
import type { Row } from '../row.ts'
import type { ListSpec } from './spec.ts'

export function useSelection(picking: ListSpec['picking']) {
  const [ticked, setTicked] = useState<ReadonlyMap<string, Row>>(new Map())
  const selected = picking?.chosen ?? ticked
  const setSelected = picking?.onChange ?? setTicked
  // A row renders once, but its handler runs later, when more rows may be selected.
  const latest = useRef(selected)
  latest.current = selected
  const clear = useCallback(() => setSelected(new Map()), [setSelected])
  return {
    selected: [...selected.values()],
    isSelected: (row: Row) => selected.has(row.id),
    maySelect: (row: Row) => picking?.may?.(row) ?? true,
    select: (rows: readonly Row[], on: boolean) => {
      const next = new Map(selected)
      for (const row of rows) {
        if (on) next.set(row.id, row)
        else next.delete(row.id)
      }
      setSelected(next)
    },
    clear,
    /** A deleted row is not selected either. */
    drop: (gone: string) => {
      if (latest.current.has(gone)) setSelected(new Map([...latest.current].filter(([id]) => id !== gone)))
    },
  }
}
