/** Markdown text with a preview beside it. */
import { Button, Input } from 'antd'
import { Eye, EyeOff } from 'lucide-react'
import { marked } from 'marked'
import { useMemo, useState } from 'react'
import { safeHtml } from '../../sanitise.ts'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'

/** Rendered Markdown without scripts. */
function MarkdownView({ text }: { text: string }) {
  const html = useMemo(() => safeHtml(marked.parse(text, { async: false, breaks: true })), [text])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by an allow-list on the line above
  return <div className="html markdown-view" dangerouslySetInnerHTML={html} />
}

export default function Markdown({ id, aria, value, onChange, field, invalid, disabled }: WidgetProps) {
  const [preview, setPreview] = useState(true)
  const text = typeof value === 'string' ? value : ''
  return (
    <div className={preview ? 'markdown both' : 'markdown'}>
      <Input.TextArea
        id={id}
        {...aria}
        value={text}
        placeholder={field.placeholder}
        disabled={disabled}
        status={invalid ? 'error' : undefined}
        autoSize={{ minRows: 8, maxRows: 20 }}
        onChange={(event) => onChange(event.target.value)}
      />
      {preview && (
        <section aria-label={t('preview')} className="markdown-side">
          {text.trim() ? <MarkdownView text={text} /> : <p className="muted small">{t('previewEmpty')}</p>}
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
