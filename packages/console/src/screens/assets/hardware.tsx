/** Facts that were collected from a host: a summary for lists, all of them for its page. */
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Popover } from 'antd'
import { metadataOf } from '../../kit/api/metadata.ts'
import { Facts } from '../../kit/detail/Facts.tsx'
import { at, type Row, wordOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { collectionOf } from './categories.ts'

/** In the order of forms. */
export const factNames = [
  'vendor',
  'model',
  'sn',
  'cpu_model',
  'cpu_count',
  'cpu_cores',
  'cpu_vcpus',
  'memory',
  'disk_total',
  'distribution',
  'distribution_version',
  'arch',
] as const

const numberIn = (value: unknown): number => Number.parseFloat(wordOf(value)) || 0

/** "4 cores, 7.75 GB, 40 GB"; undefined without the number of processors. */
function summaryOf(row: Row): string | undefined {
  const fact = (name: (typeof factNames)[number]) => at(row, `gathered_info.${name}`)
  if (!fact('cpu_count')) return undefined
  const cores = numberIn(fact('cpu_vcpus')) || numberIn(fact('cpu_cores')) * numberIn(fact('cpu_count'))
  return t('hardwareSummary', {
    cores,
    memory: numberIn(fact('memory')).toFixed(2),
    disk: wordOf(fact('disk_total')) || '-',
  })
}

function AllFacts({ row }: { row: Row }) {
  const metadata = useQuery(metadataOf(collectionOf('host')))
  const known = factNames.filter((name) => at(row, `gathered_info.${name}`))
  return (
    <Facts row={row} fields={metadata.data?.actions?.GET ?? {}} facts={known.map((name) => `gathered_info.${name}`)} />
  )
}

/** The summary; all facts on hover, the form to correct them on a click. */
export function HardwareCell({ row }: { row: Row }) {
  const summary = summaryOf(row)
  if (!summary) return <span className="muted">–</span>
  const href = can('assets.change_asset') ? `#${pathOf('AssetMoreInformationEdit', row.id)}` : undefined
  return (
    <Popover content={<AllFacts row={row} />} trigger={['hover', 'focus']}>
      {href ? (
        <a href={href}>{summary}</a>
      ) : (
        <button type="button" className="linkish">
          {summary}
        </button>
      )}
    </Popover>
  )
}

/** The section of a host's page. */
export function HardwareFacts({ row }: { row: Row }) {
  if (!factNames.some((name) => at(row, `gathered_info.${name}`))) return null
  return (
    <>
      <div className="section-head">
        <h2>{t('hardware')}</h2>
        {can('assets.change_asset') && (
          <a className="linkish" href={`#${pathOf('AssetMoreInformationEdit', row.id)}`}>
            {t('edit')}
          </a>
        )}
      </div>
      <AllFacts row={row} />
    </>
  )
}
