/** The current license, and import of another one. */
import { assetLimit } from '@castellan/contract/license'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton, Upload } from 'antd'
import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { Facts } from '../../kit/detail/Facts.tsx'
import { licenseQuery, licenseText } from '../../kit/license.ts'
import { Failed } from '../../kit/list/states.tsx'
import { PageHead } from '../../kit/page.tsx'
import { number, type Row, timestampOf } from '../../kit/row.ts'
import { licensed } from '../../kit/session.ts'
import { Badge } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'

/** A date this far in the future means "no expiry" on the wire. */
const forEver = (value: unknown): boolean => (timestampOf(value)?.getFullYear() ?? 9999) >= 9999

export default function License() {
  const license = useQuery(licenseQuery())
  const [busy, setBusy] = useState(false)
  const take = async (file: File) => {
    const body = new FormData()
    body.append('file', file)
    const { status, msg } = await call<{ status: boolean; msg: string }>('/api/v1/xpack/license/import', {
      method: 'POST',
      body,
    })
    if (!status) return toast.error(msg)
    toast.ok(msg)
    // Menus, selector and banners depend on the license: everything is reloaded.
    setTimeout(() => location.reload(), 500)
  }
  const problem = license.data && licenseText(license.data)
  return (
    <div className="page">
      <PageHead
        title={t('license')}
        // The banner shows problems.
        after={!problem && licensed() && <Badge is="ok">{t('licenseValid')}</Badge>}
      >
        <Upload
          accept=".lic,.license,.txt"
          maxCount={1}
          showUploadList={false}
          beforeUpload={(file) => {
            setBusy(true)
            void attempt(() => take(file)).finally(() => setBusy(false))
            return false
          }}
        >
          <Button type="primary" icon={<FileUp size={16} />} loading={busy}>
            {t('licenseImport')}
          </Button>
        </Upload>
      </PageHead>
      <p className="page-help">{t('licenseHelp')}</p>
      {license.isPending && <Skeleton active title={false} />}
      {license.error && <Failed error={license.error} retry={() => void license.refetch()} />}
      {license.data && (
        <Facts
          row={license.data as unknown as Row}
          fields={{}}
          facts={[
            {
              name: 'edition',
              label: 'licenseEdition',
              render: () => t(licensed() ? 'editionEnterprise' : 'editionCommunity'),
            },
            { name: 'corporation', label: 'licenseCorporation', visible: () => licensed() },
            {
              name: 'date_expired',
              label: 'licenseExpires',
              visible: () => licensed(),
              render: (row) => (forEver(row.date_expired) ? t('licenseForEver') : String(row.date_expired)),
            },
            {
              name: 'asset_count',
              label: 'licenseAssets',
              render: (row) => {
                const count = number(Number(row.current_asset_count ?? 0))
                const limit = assetLimit(row.asset_count)
                return limit === undefined
                  ? t('licenseAssetsFree', { count })
                  : t('licenseAssetsOf', { count, limit: number(limit) })
              },
            },
            { name: 'subscription_id', label: 'licenseSubscription', mono: true, visible: () => licensed() },
            {
              name: 'serial_no',
              label: 'licenseSerial',
              mono: true,
              visible: (row) => licensed() && row.serial_no !== row.subscription_id,
            },
            { name: 'remark', label: 'licenseRemark', visible: (row) => Boolean(row.remark) },
          ]}
        />
      )}
    </div>
  )
}
