import { Modal } from 'antd'
import { licensed, session } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { Brand } from './Mark.tsx'

/** Edition, license and version. */
export default function About({ onClose }: { onClose: () => void }) {
  const { settings } = session()
  return (
    <Modal open title={t('about')} footer={null} onCancel={onClose}>
      <div className="about">
        <Brand logo={settings.INTERFACE.logo_logout} />
        <p>{t(licensed() ? 'editionEnterprise' : 'editionOpen')}</p>
        <p className="mono">v3.9.1</p>
        {licensed() && settings.XPACK_LICENSE_INFO?.corporation && (
          <p>{t('licensedTo', { name: settings.XPACK_LICENSE_INFO.corporation })}</p>
        )}
        <p>
          <a href="/core/download/" target="_blank" rel="noopener">
            {t('ownTools')}
          </a>
        </p>
        {settings.SOURCE_URL && (
          <p>
            <a href={settings.SOURCE_URL} target="_blank" rel="noopener">
              {t('sourceCode')}
            </a>
          </p>
        )}
      </div>
    </Modal>
  )
}
