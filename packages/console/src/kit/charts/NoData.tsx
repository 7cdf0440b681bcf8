import { t } from '../text.ts'

/** Replaces a chart without values. */
export const NoData = ({ chart }: { chart: string }) => (
  <p className="in-card muted" data-chart={chart}>
    {t('noData')}
  </p>
)
