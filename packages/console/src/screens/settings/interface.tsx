/** Title, theme and pictures of the product. */
import { Button } from 'antd'
import { RotateCcw } from 'lucide-react'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { confirmed } from '../../kit/confirm.ts'
import { FormPanel } from '../../kit/form/FormPanel.tsx'
import { PageHead, useScreen } from '../../kit/page.tsx'
import { rawOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'

const url = '/api/v1/xpack/interface/setting/'

/** The recommended size of each picture, in pixels. */
const sizes = {
  logo_index: { width: 185, height: 55 },
  logo_logout: { width: 82, height: 82 },
  favicon: { width: 16, height: 16 },
  login_image: { width: 492, height: 472 },
} as const

async function restore(): Promise<void> {
  await confirmed({ title: t('interfaceRestore'), text: t('interfaceRestoreText'), verb: t('interfaceRestore') })
  await call(`${url}restore/`, { method: 'PUT' })
  location.reload()
}

export default function Interface() {
  const screen = useScreen()
  return (
    <div className="page">
      <PageHead title={t(screen.title)}>
        <Button icon={<RotateCcw size={16} />} onClick={() => void attempt(restore)}>
          {t('interfaceRestore')}
        </Button>
      </PageHead>
      <FormPanel
        // Every page shows them.
        onSaved={() => location.reload()}
        spec={{
          url,
          single: true,
          noun: 'settingsInterface',
          submit: {
            method: 'PUT',
            // Addresses of stored pictures are not sent back.
            clean: (body) =>
              Object.fromEntries(
                Object.entries(body)
                  .filter(([name, value]) => !(name in sizes) || value instanceof File)
                  .map(([name, value]) => [name, name === 'theme' ? rawOf(value) : value]),
              ),
          },
          groups: [
            { key: 'basic', title: 'groupBasic', fields: ['login_title', 'theme'] },
            { key: 'logos', title: 'interfaceLogos', fields: ['logo_index', 'logo_logout', 'favicon'] },
            { key: 'images', title: 'interfaceImages', fields: ['login_image'] },
          ],
          fields: Object.fromEntries(
            Object.entries(sizes).map(([name, size]) => [name, { widget: 'image' as const, with: size }]),
          ),
        }}
      />
    </div>
  )
}
