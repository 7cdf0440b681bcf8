/** Markdown text with a preview beside it. */
import { Button, Input } from 'antd'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import MarkdownText from '../../MarkdownText.tsx'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'

export default function Markdown({ id, aria, value, onChange, field, invalid, disabled }: WidgetProps) {
  const [preview, setPreview] = useState(true)
  const text = typeof value === 'string' ? value : ''
  return (
    <div className={preview ? 'markdown both' : 'markdown'}>
      <Input.TextArea
        id={id}
        {...aria}
        value={text}
        placeholder={field.texts?.placeholder}
        disabled={disabled}
        status={invalid ? 'error' : undefined}
        autoSize={{ minRows: 8, maxRows: 20 }}
        onChange={(event) => onChange(event.target.value)}
      />
      {preview && (
        <section aria-label={t('preview')} className="markdown-side">
          {text.trim() ? <MarkdownText text={text} /> : <p className="muted small">{t('previewEmpty')}</p>}
        </section>
      )}
      <Button
        size="small"
        type="text"
        icon={preview ? <EyeOff size={14} /> : <Eye size={14} />}
        onClick={() => setPreview(!preview)}
      >
        {t(preview ? 'previewHide' : 'previewShow')}
      </Button>
    </div>
  )
}
