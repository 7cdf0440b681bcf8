import { Button } from 'antd'
import { SquareTerminal } from 'lucide-react'
import { t } from './text.ts'

/** Before the first connection: what to do, and the keys worth knowing. */
export function NothingOpen({ busy, onFind }: { busy: boolean; onFind: () => void }) {
  const keys: [string, string][] = [
    ['Ctrl Shift O', t('findAsset')],
    ['Ctrl Shift D', t('splitRight')],
    ['Ctrl Shift F', t('findInOutput')],
    ['Ctrl Shift ←  →', t('otherTab')],
    ['Ctrl Shift + −', t('fontLarger')],
  ]
  return (
    <div className="nothing-open">
      <SquareTerminal size={28} className="kind" />
      <p>{busy ? t('connecting') : t('nothingOpen')}</p>
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
