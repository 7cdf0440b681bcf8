/** Password input: generate, show, copy and strength. */

import { Button, Input } from 'antd'
import { Copy, Dices } from 'lucide-react'
import { useState } from 'react'
import { randomText } from '../../api/secret.ts'
import { copyText } from '../../copy.ts'
import { session } from '../../session.ts'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'

export interface Rules {
  minLength: number
  upper: boolean
  lower: boolean
  digit: boolean
  special: boolean
}

/** Password rules of the installation. Administrators have their own minimum length. */
export function passwordRules(admin = false): Rules {
  const rule = session().settings.PASSWORD_RULE ?? {}
  const length = rule[admin ? 'SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH' : 'SECURITY_PASSWORD_MIN_LENGTH']
  return {
    minLength: typeof length === 'number' ? length : 7,
    upper: rule.SECURITY_PASSWORD_UPPER_CASE === true,
    lower: rule.SECURITY_PASSWORD_LOWER_CASE === true,
    digit: rule.SECURITY_PASSWORD_NUMBER === true,
    special: rule.SECURITY_PASSWORD_SPECIAL_CHAR === true,
  }
}

const kinds = { upper: /[A-Z]/, lower: /[a-z]/, digit: /\d/, special: /[^A-Za-z0-9]/ }

/** 0 to 4, from length and variety. At most "weak" while a rule is broken. */
export function strength(value: string, rules: Rules): number {
  if (!value) return 0
  const variety = Object.values(kinds).filter((kind) => kind.test(value)).length
  const score = Math.min(4, Math.floor(value.length / 5) + (variety > 2 ? 1 : 0) + (value.length >= 12 ? 1 : 0))
  const broken =
    value.length < rules.minLength ||
    (Object.keys(kinds) as (keyof typeof kinds)[]).some((kind) => rules[kind] && !kinds[kind].test(value))
  return Math.max(1, broken ? Math.min(1, score) : score)
}

/** The message of the first broken rule. */
export function brokenRule(value: string, rules: Rules): string | undefined {
  if (!value) return undefined
  if (value.length < rules.minLength) return t('ruleLength', { limit: rules.minLength })
  if (rules.upper && !kinds.upper.test(value)) return t('ruleUpper')
  if (rules.lower && !kinds.lower.test(value)) return t('ruleLower')
  if (rules.digit && !kinds.digit.test(value)) return t('ruleDigit')
  if (rules.special && !kinds.special.test(value)) return t('ruleSpecial')
  return undefined
}

const words = ['strengthNone', 'strengthWeak', 'strengthFair', 'strengthGood', 'strengthStrong'] as const

/** Generates 20 characters of all kinds. */
function generate(): string {
  const special = '#%+,-.:=@_~'
  for (;;) {
    const text = randomText(20, `ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789${special}`)
    if (Object.values(kinds).every((kind) => kind.test(text))) return text
  }
}

export function Secret({ id, aria, value, onChange, field, invalid, disabled }: WidgetProps) {
  const [shown, setShown] = useState(false)
  const text = typeof value === 'string' ? value : ''
  const rules = (field.with?.rules as Rules | undefined) ?? {
    minLength: 1,
    upper: false,
    lower: false,
    digit: false,
    special: false,
  }
  const level = strength(text, rules)
  return (
    <div>
      <div className="join">
        <Input.Password
          id={id}
          {...aria}
          value={text}
          disabled={disabled}
          status={invalid ? 'error' : undefined}
          autoComplete="new-password"
          placeholder={field.texts?.placeholder}
          visibilityToggle={{ visible: shown, onVisibleChange: setShown }}
          onChange={(event) => onChange(event.target.value)}
        />
        <Button
          icon={<Dices size={16} />}
          disabled={disabled}
          title={t('generate')}
          aria-label={t('generate')}
          onClick={() => {
            onChange(generate())
            setShown(true)
          }}
        />
        <Button
          icon={<Copy size={16} />}
          disabled={!text}
          title={t('copy')}
          aria-label={t('copy')}
          onClick={() => void copyText(text)}
        />
      </div>
      {text && (
        <div className={`strength level-${level}`} role="status">
          <i />
          <i />
          <i />
          <i />
          <span>{t(words[level] ?? 'strengthNone')}</span>
        </div>
      )}
    </div>
  )
}
