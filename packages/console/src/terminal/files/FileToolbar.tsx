import type { FileEntry } from '@castellan/contract/web-terminal'
import { Button } from 'antd'
import {
  ArrowUp,
  Download,
  Eye,
  EyeOff,
  FolderPlus,
  House,
  type LucideIcon,
  Pencil,
  RefreshCw,
  Trash2,
  Upload,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '../text.ts'
import { crumbs, parentOf, resolvePath } from './paths.ts'

export interface FileToolbarProps {
  path: string
  home: string
  may: (action: string) => boolean
  locked: boolean
  loading: boolean
  hidden: boolean
  chosen: FileEntry[]
  onGo: (path: string) => void
  onHidden: () => void
  onUpload: (files: FileList) => void
  onFolder: () => void
  onDownload: () => void
  onRename: () => void
  onRemove: () => void
}

/** Current path and tools. A disabled tool explains why. */
export function FileToolbar(props: FileToolbarProps) {
  const { path, may, chosen, locked } = props
  const picker = useRef<HTMLInputElement>(null)
  const paused = locked ? t('paused') : undefined
  const mayUpload = paused ?? (may('upload') ? undefined : t('mayNotUpload'))
  return (
    <div className="file-tools">
      <Tool
        icon={ArrowUp}
        name={t('folderAbove')}
        off={path === '/' ? t('folderIsTop') : undefined}
        onClick={() => props.onGo(parentOf(path))}
      />
      <Tool icon={House} name={t('homeFolder')} onClick={() => props.onGo(props.home)} />
      <PathLine path={path} home={props.home} onGo={props.onGo} />
      <Tool icon={RefreshCw} name={t('refresh')} onClick={() => props.onGo(path)} />
      <Tool
        icon={props.hidden ? Eye : EyeOff}
        name={props.hidden ? t('hideHidden') : t('showHidden')}
        onClick={props.onHidden}
      />
      <span className="file-tools-gap" />
      <Tool
        icon={Download}
        name={t('download')}
        off={
          paused ??
          (!may('download')
            ? t('mayNotDownload')
            : chosen.some(({ type }) => type === 'file')
              ? undefined
              : t('selectFile'))
        }
        onClick={props.onDownload}
      />
      <Tool
        icon={Pencil}
        name={t('rename')}
        off={mayUpload ?? (chosen.length === 1 ? undefined : t('selectOne'))}
        onClick={props.onRename}
      />
      <Tool
        icon={Trash2}
        name={t('remove')}
        off={paused ?? (!may('delete') ? t('mayNotDelete') : chosen.length > 0 ? undefined : t('selectOne'))}
        onClick={props.onRemove}
      />
      <Tool icon={FolderPlus} name={t('newFolder')} off={mayUpload} onClick={props.onFolder} />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          if (event.target.files) props.onUpload(event.target.files)
          event.target.value = ''
        }}
      />
      <Button
        size="small"
        type="primary"
        icon={<Upload size={14} />}
        aria-label={t('upload')}
        disabled={!!mayUpload}
        title={mayUpload}
        onClick={() => picker.current?.click()}
      >
        {t('upload')}
      </Button>
    </div>
  )
}

function Tool({
  icon: Icon,
  name,
  off,
  onClick,
}: {
  icon: LucideIcon
  name: string
  off?: string
  onClick: () => void
}) {
  return (
    <Button
      size="small"
      type="text"
      icon={<Icon size={14} />}
      aria-label={name}
      title={off ? `${name}: ${off}` : name}
      disabled={!!off}
      onClick={onClick}
    />
  )
}

/** The path as breadcrumbs; a click beside them makes it editable. */
function PathLine({ path, home, onGo }: { path: string; home: string; onGo: (path: string) => void }) {
  const [typing, setTyping] = useState(false)
  const end = useRef<HTMLSpanElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the end of a new path
  useEffect(() => {
    end.current?.scrollIntoView({ inline: 'end', block: 'nearest' })
  }, [path])
  if (typing) {
    return (
      <input
        className="path-field mono"
        defaultValue={path}
        aria-label={t('path')}
        ref={(field) => field?.focus()}
        onBlur={() => setTyping(false)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyping(false)
          if (event.key !== 'Enter') return
          setTyping(false)
          onGo(resolvePath(path, home, event.currentTarget.value))
        }}
      />
    )
  }
  const steps = crumbs(path)
  return (
    <div className="path-line">
      {steps.map((step, i) => (
        <button
          type="button"
          key={step.path}
          onClick={() => (i === steps.length - 1 ? setTyping(true) : onGo(step.path))}
        >
          {step.name}
        </button>
      ))}
      <button type="button" className="path-rest" aria-label={t('typePath')} onClick={() => setTyping(true)}>
        <span ref={end} />
      </button>
    </div>
  )
}
