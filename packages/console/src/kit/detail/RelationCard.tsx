/** Members of an object, with add and remove. */
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { X } from 'lucide-react'
import { useState } from 'react'
import { attempt } from '../api/errors.ts'
import { audience } from '../api/metadata.ts'
import type { Source } from '../form/spec.ts'
import { RemoteSelect } from '../form/widgets/Remote.tsx'
import { type Row, wordOf } from '../row.ts'
import { inRoot } from '../session.ts'
import { t } from '../text.ts'
import { toast } from '../toast.ts'

export function RelationCard({
  title,
  source,
  members,
  queryKey,
  load,
  add,
  remove,
  disabled,
  onChanged,
}: {
  title: string
  source: Source
  /** Loaded members; otherwise `load` reads them. */
  members?: readonly Row[]
  queryKey?: readonly unknown[]
  load?: () => Promise<Row[]>
  add: (ids: string[]) => Promise<unknown>
  remove?: (id: string) => Promise<unknown>
  disabled?: boolean
  onChanged: () => void
}) {
  const [chosen, setChosen] = useState<Row[]>([])
  const [busy, setBusy] = useState(false)
  const [shown, setShown] = useState(10)
  const read = useQuery({
    queryKey: ['members', ...(queryKey ?? []), ...audience()],
    enabled: load !== undefined,
    queryFn: () => load?.() ?? Promise.resolve([]),
  })
  const list = members ?? read.data ?? []
  const locked = disabled || inRoot()
  const act = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    if (await attempt(work).finally(() => setBusy(false))) {
      toast.ok(done)
      setChosen([])
      onChanged()
      if (load) await read.refetch()
    }
  }
  return (
    <section>
      <div className="section-head">
        <h2>{title}</h2>
        {list.length > 0 && <span className="count">{list.length}</span>}
      </div>
      <div className="join gap-below">
        <RemoteSelect
          many
          title={title}
          source={source}
          value={chosen}
          disabled={locked}
          onChange={(value) => setChosen(value as Row[])}
        />
        <Button
          loading={busy}
          disabled={locked || chosen.length === 0}
          onClick={() => void act(() => add(chosen.map((row) => row.id)), t('added'))}
        >
          {t('add')}
        </Button>
      </div>
      {list.length > 0 && (
        <div className="list-plain">
          {list.slice(0, shown).map((row) => (
            <div className="row" key={row.id}>
              <span className="clip grow">{source.label ? source.label(row) : wordOf(row)}</span>
              {remove && (
                <Button
                  type="text"
                  size="small"
                  icon={<X size={14} />}
                  disabled={locked || busy}
                  aria-label={t('removeName', { name: wordOf(row) })}
                  onClick={() => void act(() => remove(row.id), t('removed'))}
                />
              )}
            </div>
          ))}
          {list.length > shown && (
            <Button type="link" size="small" className="more" onClick={() => setShown(shown + 10)}>
              {t('showMore')}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}
