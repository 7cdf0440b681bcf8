/** Current matches of a rule, read-only. */
import { useQuery } from '@tanstack/react-query'
import { Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { audience } from '../../api/metadata.ts'
import { Pager } from '../../Pager.tsx'
import { number, type Page, wordOf } from '../../row.ts'
import { t } from '../../text.ts'
import type { Attribute } from './rule.ts'

const pageSize = 10

export function RuleMatches({
  url,
  rule,
  columns,
  onClose,
}: {
  url: string
  rule: string
  columns: readonly Attribute[]
  onClose: () => void
}) {
  const [page, setPage] = useState(1)
  // Select options have few fields; the columns here need all.
  const list = url.split('?')[0] ?? url
  const found = useQuery({
    queryKey: ['rule-matches', list, rule, page, ...audience()],
    placeholderData: (old) => old,
    queryFn: () =>
      call<Page>(list, { query: { attr_rules: rule, limit: pageSize, offset: (page - 1) * pageSize }, quiet: true }),
  })
  return (
    <Modal
      open
      width={720}
      title={t('ruleMatches', { count: number(found.data?.count ?? 0) })}
      footer={null}
      onCancel={onClose}
    >
      {found.isPending && <Skeleton active paragraph={{ rows: 5 }} />}
      {found.error && <p className="is-danger">{found.error.message}</p>}
      {found.data && (
        <>
          <div className="table-scroll">
            <table className="attribute-table">
              <thead>
                <tr>
                  {columns.map((column) => (
                    <th key={column.name} data-column={column.name}>
                      {t(column.label)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {found.data.results.map((row) => (
                  <tr key={row.id}>
                    {columns.map((column) => (
                      <td key={column.name}>{wordOf(row[column.name]) || '–'}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {found.data.results.length === 0 && <p className="muted">{t('nothingFound')}</p>}
          {found.data.count > pageSize && (
            <div className="at-end">
              <Pager page={page} size={pageSize} total={found.data.count} onChange={setPage} />
            </div>
          )}
        </>
      )}
    </Modal>
  )
}
