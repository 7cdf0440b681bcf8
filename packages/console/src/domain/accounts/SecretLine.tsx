/** A secret that is shown, copied and saved only when asked. */
import { Button } from 'antd'
import { Copy, Download, Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { copyText } from '../../kit/copy.ts'
import { t } from '../../kit/text.ts'

function saveAs(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = `${name}.txt`
  link.click()
  URL.revokeObjectURL(link.href)
}

export function SecretLine({
  name,
  secret,
  saves = true,
  children,
}: {
  name: string
  secret: string
  /** Offers to save it as a file. */
  saves?: boolean
  /** Further buttons. */
  children?: ReactNode
}) {
  const [shown, setShown] = useState(false)
  if (!secret)
    return (
      <div className="secret-line">
        <span className="muted">{t('secretNone')}</span>
        {children}
      </div>
    )
  return (
    <div className="secret-line">
      <code className="mono">{shown ? secret : '******'}</code>
      <Button
        type="text"
        size="small"
        icon={shown ? <EyeOff size={14} /> : <Eye size={14} />}
        aria-label={t(shown ? 'hide' : 'show')}
        onClick={() => setShown(!shown)}
      />
      <Button
        type="text"
        size="small"
        icon={<Copy size={14} />}
        aria-label={t('copy')}
        onClick={() => void copyText(secret)}
      />
      {saves && (
        <Button
          type="text"
          size="small"
          icon={<Download size={14} />}
          aria-label={t('download')}
          onClick={() => saveAs(name, secret)}
        />
      )}
      {children}
    </div>
  )
}
