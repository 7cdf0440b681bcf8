/** Secrets and files that are stored once and replaced later: shows that a value exists, with a link to replace it. */
import { Button, Input } from 'antd'
import { FileUp, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'
import { isEmpty } from '../values.ts'

/** Shows that a value exists, until the user replaces it. */
function Standing({ what, disabled, onUpdate }: { what: ReactNode; disabled: boolean; onUpdate: () => void }) {
  return (
    <div className="line standing">
      <span className="mono">{what}</span>
      <Button type="link" size="small" disabled={disabled} onClick={onUpdate}>
        {t('update')}
      </Button>
    </div>
  )
}

/** A write-only secret. If one is stored, a link opens the input. */
export function UpdateSecret({ id, aria, value, onChange, field, invalid, disabled, context }: WidgetProps) {
  const [open, setOpen] = useState(!context.id)
  if (!open) return <Standing what="******" disabled={disabled} onUpdate={() => setOpen(true)} />
  return (
    <Input.Password
      id={id}
      {...aria}
      autoFocus={Boolean(context.id)}
      value={typeof value === 'string' ? value : ''}
      placeholder={field.texts?.placeholder}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      autoComplete="new-password"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function PickFile({
  id,
  accept,
  disabled,
  label,
  aria,
  onPick,
}: {
  id: string
  accept?: string
  disabled: boolean
  label: string
  aria: WidgetProps['aria']
  onPick: (file: File) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        id={id}
        {...aria}
        className="only-read"
        type="file"
        tabIndex={-1}
        accept={accept}
        disabled={disabled}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) onPick(file)
          event.target.value = ''
        }}
      />
      <Button size="small" icon={<FileUp size={14} />} disabled={disabled} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  )
}

/** A key from a file, and the fingerprint of a stored one. With `json`, a `.json` file is sent parsed. */
export function KeyFile({ id, aria, value, onChange, field, disabled, context }: WidgetProps) {
  const fingerprint = (field.with?.fingerprint as ((loaded: unknown) => string | undefined) | undefined)?.(
    context.loaded,
  )
  const [open, setOpen] = useState(!fingerprint)
  const [name, setName] = useState('')
  const [wrong, setWrong] = useState(false)
  if (!open) return <Standing what={fingerprint} disabled={disabled} onUpdate={() => setOpen(true)} />
  // The form may have been reset meanwhile.
  const chosen = wrong || !isEmpty(value) ? name : ''
  const read = async (file: File) => {
    const text = await file.text()
    setName(file.name)
    setWrong(false)
    if (!field.with?.json || !file.name.endsWith('.json')) return onChange(text)
    try {
      onChange(JSON.parse(text))
    } catch {
      setWrong(true)
    }
  }
  return (
    <div className="line">
      <PickFile
        id={id}
        aria={aria}
        accept={field.with?.accept as string | undefined}
        disabled={disabled}
        label={t('chooseFile')}
        onPick={(file) => void read(file)}
      />
      {chosen && (
        <>
          <span className="mono clip">{chosen}</span>
          <Button
            type="text"
            size="small"
            icon={<Trash2 size={14} />}
            aria-label={t('removeName', { name: chosen })}
            onClick={() => {
              setName('')
              setWrong(false)
              onChange('')
            }}
          />
        </>
      )}
      {wrong && <small className="is-danger">{t('notJson')}</small>}
    </div>
  )
}

const images = ['image/png', 'image/jpeg', 'image/gif', 'image/svg+xml', 'image/x-icon', 'image/vnd.microsoft.icon']

/** A picture: stored or newly chosen, with its recommended size. */
export function ImageFile({ id, aria, value, onChange, field, disabled, context }: WidgetProps) {
  const { width, height } = (field.with ?? {}) as { width?: number; height?: number }
  const [wrong, setWrong] = useState(false)
  const [preview, setPreview] = useState<string>()
  const chosen = value instanceof File ? value : undefined
  useEffect(() => {
    if (!chosen) return setPreview(undefined)
    const url = URL.createObjectURL(chosen)
    setPreview(url)
    return () => URL.revokeObjectURL(url)
  }, [chosen])
  const standing = typeof value === 'string' ? value : undefined
  const initial = field.with?.initial ?? (context.loaded && (context.loaded[String(field.with?.name ?? '')] as unknown))
  return (
    <div className="stack-8">
      {(preview ?? standing) && (
        <div className="image-preview">
          <img src={preview ?? standing} alt={t('preview')} style={{ maxWidth: width, maxHeight: height }} />
        </div>
      )}
      <div className="line">
        <PickFile
          id={id}
          aria={aria}
          accept={images.join()}
          disabled={disabled}
          label={t('chooseFile')}
          onPick={(file) => {
            setWrong(!images.includes(file.type))
            if (images.includes(file.type)) onChange(file)
          }}
        />
        {chosen && (
          <Button size="small" type="text" onClick={() => onChange(initial ?? null)}>
            {t('cancel')}
          </Button>
        )}
        {width && height && <span className="muted small">{t('imageSize', { width, height })}</span>}
      </div>
      {wrong && (
        <small className="is-danger" role="alert">
          {t('wrongFile')}
        </small>
      )}
    </div>
  )
}
