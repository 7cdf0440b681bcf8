/** What a quick job moves: files that are sent into a folder of the hosts, or one that is fetched from them. */
import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Input } from 'antd'
import { FileUp, X } from 'lucide-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { number } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { Moved } from './quick-transfer.ts'

const megabytes = (bytes: number) =>
  bytes < 104_858 ? `${number(Math.ceil(bytes / 1024))} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`

function Files({
  files,
  limit,
  disabled,
  onChange,
}: {
  files: readonly File[]
  /** Bytes of the largest file. */
  limit: number | undefined
  disabled: boolean
  onChange: (files: readonly File[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const add = (more: readonly File[]) => {
    const large = more.find(({ size }) => limit !== undefined && size > limit)
    if (large) toast.error(t('transferTooLarge', { name: large.name, limit: megabytes(limit ?? 0) }))
    const kept = more.filter((file) => file !== large && (limit === undefined || file.size <= limit))
    onChange([...files.filter(({ name }) => !kept.some((one) => one.name === name)), ...kept])
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!disabled) add([...event.dataTransfer.files])
  }
  return (
    <section
      className={`transfer-files ${isOver ? 'is-over' : ''}`}
      data-field="files"
      aria-label={t('transferFiles')}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className="transfer-choose">
        <Button icon={<FileUp size={16} />} disabled={disabled} onClick={() => input.current?.click()}>
          {t('transferChoose')}
        </Button>
        <span className="muted">
          {limit === undefined ? t('transferDrop') : t('transferDropUpTo', { limit: megabytes(limit) })}
        </span>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('transferChoose')}
        onChange={(event) => {
          add([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      {files.length > 0 && (
        <ul>
          {files.map((file) => (
            <li key={file.name}>
              <span className="clip">{file.name}</span>
              <span className="muted">{megabytes(file.size)}</span>
              <Button
                type="text"
                size="small"
                icon={<X size={14} />}
                aria-label={t('transferRemove', { name: file.name })}
                disabled={disabled}
                onClick={() => onChange(files.filter((one) => one !== file))}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

export function QuickTransfer({
  kind,
  moved,
  disabled,
  onChange,
}: {
  kind: 'upload' | 'fetch'
  moved: Moved
  disabled: boolean
  onChange: (change: Partial<Moved>) => void
}) {
  const id = useId()
  const limits = useQuery({
    queryKey: ['file-transfer-limits', ...audience()],
    queryFn: () => call<{ file: number }>('/api/v1/ops/file-transfers/limits/', { quiet: true }),
  })
  return (
    <div className="quick-transfer">
      {kind === 'upload' && (
        <Files
          files={moved.files}
          limit={limits.data?.file}
          disabled={disabled}
          onChange={(files) => onChange({ files })}
        />
      )}
      <div className="command-field" data-field={kind === 'upload' ? 'folder' : 'file'}>
        <label htmlFor={id}>{t(kind === 'upload' ? 'transferFolder' : 'transferFile')}</label>
        <Input
          id={id}
          className="mono"
          value={kind === 'upload' ? moved.folder : moved.file}
          placeholder={kind === 'upload' ? '~' : '/var/log/messages'}
          disabled={disabled}
          onChange={({ target: { value } }) => onChange(kind === 'upload' ? { folder: value } : { file: value })}
        />
      </div>
      {kind === 'upload' && (
        <Checkbox
          data-field="overwrite"
          checked={moved.overwrite}
          disabled={disabled}
          onChange={(event) => onChange({ overwrite: event.target.checked })}
        >
          {t('transferOverwrite')}
        </Checkbox>
      )}
    </div>
  )
}
