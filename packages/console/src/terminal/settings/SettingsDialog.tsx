import { Checkbox, Modal, Slider } from 'antd'
import { useId } from 'react'
import { Select } from '../../kit/Select.tsx'
import { defaultTheme, themeNames, themeOf } from '../screen/themes.ts'
import { t } from '../text.ts'
import { fontSizes, type TerminalSettings } from './preferences.ts'

/** Preview of a color scheme: a word in its foreground color, equal in all languages as a shell is, and its colors. */
const sample = '$ ls'
const shown = ['red', 'green', 'yellow', 'blue', 'magenta'] as const

export interface SettingsDialogProps {
  open: boolean
  settings: TerminalSettings
  onChange: (some: Partial<TerminalSettings>) => void
  onClose: () => void
}

/** Settings are applied and saved immediately, without confirmation. */
export function SettingsDialog({ open, settings, onChange, onClose }: SettingsDialogProps) {
  const size = useId()
  const theme = themeOf(settings.themeName)
  return (
    <Modal open={open} title={t('settings')} footer={null} onCancel={onClose} width={520}>
      <div className="field">
        <b>{t('colorScheme')}</b>
        <div className="schemes" role="radiogroup" aria-label={t('colorScheme')}>
          {themeNames.map((name) => {
            const look = themeOf(name)
            return (
              <label key={name} className={name === settings.themeName ? 'on' : ''}>
                <input
                  type="radio"
                  name="scheme"
                  checked={name === settings.themeName}
                  data-first={name === settings.themeName || undefined}
                  onChange={() => onChange({ themeName: name })}
                />
                <span aria-hidden style={{ background: look.background, color: look.foreground }}>
                  {sample}{' '}
                  {shown.map((color) => (
                    <i key={color} style={{ background: look[color] }} />
                  ))}
                </span>
                {name === defaultTheme ? t('defaultScheme') : name}
              </label>
            )
          })}
        </div>
      </div>
      <div className="field">
        <b id={size}>{t('fontSize', { n: settings.fontSize })}</b>
        <Slider
          min={fontSizes.min}
          max={24}
          value={settings.fontSize}
          onChange={(fontSize: number) => onChange({ fontSize })}
          ariaLabelledByForHandle={size}
        />
        <div
          className="font-sample"
          style={{ background: theme.background, color: theme.foreground, fontSize: settings.fontSize }}
        >
          {t('sampleLine')}
        </div>
      </div>
      <div className="field checks">
        <Checkbox
          checked={settings.rightClickPaste}
          onChange={(event) => onChange({ rightClickPaste: event.target.checked })}
        >
          {t('rightClickPaste')}
        </Checkbox>
        <Checkbox
          checked={settings.backspaceAsCtrlH}
          onChange={(event) => onChange({ backspaceAsCtrlH: event.target.checked })}
        >
          {t('backspaceAsCtrlH')}
        </Checkbox>
        <Checkbox checked={settings.lazyTree} onChange={(event) => onChange({ lazyTree: event.target.checked })}>
          {t('lazyTree')}
        </Checkbox>
      </div>
      <div className="field">
        <b>{t('whenNameExists')}</b>
        <Select
          aria-label={t('whenNameExists')}
          value={settings.fileConflict}
          onChange={(fileConflict) => onChange({ fileConflict })}
          options={[
            { value: 'replace', label: t('replaceFile') },
            { value: 'suffix', label: t('keepBoth') },
          ]}
        />
      </div>
    </Modal>
  )
}
