import { useStatementCounts } from '../../kit/api/statement-counts.ts'
import { Badge } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'

const toneOf = (statements: number) => (statements > 10 ? 'danger' : statements > 5 ? 'warning' : 'ok')

/** Database statement counts of recent responses; empty unless the server reports them (log level `debug`). */
export function StatementCounts() {
  const counts = useStatementCounts()
  if (counts.length === 0) return null
  return (
    <section className="statement-counts" aria-label={t('statementCounts')}>
      <span className="muted">{t('statementCounts')}</span>
      {counts.map(({ address, statements }) => (
        <Badge key={address} is={toneOf(statements)}>
          <span className="mono">{address}</span> {statements}
        </Badge>
      ))}
    </section>
  )
}
