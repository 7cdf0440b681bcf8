import { Button } from 'antd'
import { FolderOpen, SquareTerminal } from 'lucide-react'
import { t } from './text.ts'

/** Empty state before the first connection: a hint, and important keyboard shortcuts. */
export function NothingOpen({ busy, files, onFind }: { busy: boolean; files: boolean; onFind: () => void }) {
  const Icon = files ? FolderOpen : SquareTerminal
  const keys: [string, string][] = [
    ['Ctrl Shift O', t('findAsset')],
    ['Ctrl Shift D', t('splitRight')],
    ['Ctrl Shift F', t('findInOutput')],
    ['Ctrl Shift ←  →', t('otherTab')],
    ['Ctrl Shift + −', t('fontLarger')],
  ]
  return (
    <div className="nothing-open">
      <Icon size={28} className="kind" />
      <p>{busy ? t('connecting') : t(files ? 'nothingOpenFiles' : 'nothingOpen')}</p>
      <Button type="primary" onClick={onFind}>
        {t('findAsset')}
      </Button>
      <dl>
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
