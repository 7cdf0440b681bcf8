/** Rules for generated passwords: a summary, and a dialog to change them. */
import { Button, Modal, Slider, Switch } from 'antd'
import { useState } from 'react'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'

const kinds = ['uppercase', 'lowercase', 'digit', 'symbol'] as const
const words = {
  uppercase: 'kindUppercase',
  lowercase: 'kindLowercase',
  digit: 'kindDigit',
  symbol: 'kindSymbol',
} as const
type Rules = { length: number } & Partial<Record<(typeof kinds)[number], boolean>>

const usual: Rules = { length: 16, uppercase: true, lowercase: true, digit: true, symbol: true }

export default function PasswordRules({ id, value, onChange, disabled }: WidgetProps) {
  const rules: Rules = { ...usual, ...(value as Partial<Rules> | undefined) }
  const [draft, setDraft] = useState<Rules>()
  const chosen = kinds.filter((kind) => rules[kind]).map((kind) => t(words[kind]))
  const none = draft !== undefined && !kinds.some((kind) => draft[kind])
  return (
    <div className="line">
      <span>{t('passwordRulesAre', { length: rules.length, kinds: chosen.join(', ') })}</span>
      <Button id={id} size="small" disabled={disabled} onClick={() => setDraft(rules)}>
        {t('change')}
      </Button>
      <Modal
        open={draft !== undefined}
        width={460}
        title={t('passwordRules')}
        okText={t('apply')}
        cancelText={t('cancel')}
        okButtonProps={{ disabled: none }}
        onCancel={() => setDraft(undefined)}
        onOk={() => {
          onChange(draft)
          setDraft(undefined)
        }}
      >
        {draft && (
          <div className="stack-8">
            <div className="field">
              <b id={`${id}-length`}>
                {t('passwordLength')}: {draft.length}
              </b>
              <Slider
                min={8}
                max={30}
                value={draft.length}
                ariaLabelledByForHandle={`${id}-length`}
                onChange={(length) => setDraft({ ...draft, length })}
              />
            </div>
            {kinds.map((kind) => (
              <div className="field inline" key={kind}>
                <label htmlFor={`${id}-${kind}`}>{t(words[kind])}</label>
                <Switch
                  id={`${id}-${kind}`}
                  checked={draft[kind] === true}
                  onChange={(on) => setDraft({ ...draft, [kind]: on })}
                />
              </div>
            ))}
            {none && <small className="is-danger">{t('passwordKindNeeded')}</small>}
          </div>
        )}
      </Modal>
    </div>
  )
}
