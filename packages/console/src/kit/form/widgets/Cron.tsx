/** Schedule: cron expression, a dialog to build it, and the next five runs. */
import { Button, Checkbox, Input, InputNumber, Modal, Radio, Tabs } from 'antd'
import { Cron as Schedule } from 'croner'
import { CalendarClock } from 'lucide-react'
import { useState } from 'react'
import { exactTime, monthName, weekdayName } from '../../row.ts'
import { t } from '../../text.ts'
import type { WidgetProps } from '../spec.ts'
import {
  type CronFields,
  type CronMode,
  type CronPart,
  cronLimits,
  cronParts,
  defaultCron,
  isCron,
  joinCron,
  modeOf,
  onlyCron,
  splitCron,
  textOf,
  withPart,
} from './cron.ts'

/** The next five runs in the browser's time zone; none if the expression is invalid. */
function nextRuns(expression: string): Date[] {
  if (!isCron(expression)) return []
  try {
    return new Schedule(expression).nextRuns(5)
  } catch {
    return []
  }
}

function Runs({ of }: { of: string }) {
  const runs = nextRuns(of)
  if (runs.length === 0) return <p className="muted small">{t('cronNever')}</p>
  return (
    <ol className="cron-runs" aria-label={t('cronNext')}>
      {runs.map((run) => (
        <li key={run.getTime()}>
          <time dateTime={run.toISOString()}>{exactTime(run)}</time>
        </li>
      ))}
    </ol>
  )
}

export default function CronInput({ id, aria, value, onChange, invalid, disabled }: WidgetProps) {
  const text = typeof value === 'string' ? value : ''
  const [draft, setDraft] = useState<CronFields>()
  const expression = draft && joinCron(draft)
  return (
    <>
      <div className="join">
        <Input
          id={id}
          {...aria}
          className="mono"
          value={text}
          placeholder={defaultCron}
          allowClear
          disabled={disabled}
          status={invalid ? 'error' : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
        <Button
          icon={<CalendarClock size={16} />}
          disabled={disabled}
          onClick={() => setDraft(splitCron(isCron(text) ? text : defaultCron))}
        >
          {t('cronEdit')}
        </Button>
      </div>
      {isCron(text) && (
        <small className="muted">
          {t('cronNext')}: {nextRuns(text).slice(0, 1).map(exactTime).join()}
        </small>
      )}
      <Modal
        open={draft !== undefined}
        width={580}
        title={t('cronTitle')}
        onCancel={() => setDraft(undefined)}
        footer={[
          <Button key="reset" type="text" onClick={() => setDraft(splitCron(defaultCron))}>
            {t('reset')}
          </Button>,
          <Button key="cancel" onClick={() => setDraft(undefined)}>
            {t('cancel')}
          </Button>,
          <Button
            key="apply"
            type="primary"
            disabled={!expression || !isCron(expression)}
            onClick={() => {
              onChange(expression)
              setDraft(undefined)
            }}
          >
            {t('apply')}
          </Button>,
        ]}
      >
        {draft && (
          <>
            <Tabs
              items={cronParts.map((part) => ({
                key: part,
                label: t(partWords[part]),
                children: (
                  <Part part={part} text={draft[part]} onChange={(next) => setDraft(withPart(draft, part, next))} />
                ),
              }))}
            />
            <div className="cron-fields">
              {cronParts.map((part) => (
                <div className="field" key={part}>
                  <label htmlFor={`${id}-${part}`}>{t(partWords[part])}</label>
                  <Input
                    id={`${id}-${part}`}
                    className="mono"
                    value={draft[part]}
                    onChange={(event) => setDraft({ ...draft, [part]: onlyCron(event.target.value) })}
                  />
                </div>
              ))}
            </div>
            <div className="section-head">
              <h3>{t('cronNext')}</h3>
              <code className="mono">{expression}</code>
            </div>
            <Runs of={expression ?? ''} />
          </>
        )}
      </Modal>
    </>
  )
}

const partWords = {
  minute: 'cronMinute',
  hour: 'cronHour',
  day: 'cronDay',
  month: 'cronMonth',
  week: 'cronWeek',
} as const

const wordOf = (part: CronPart, value: number): string =>
  part === 'week' ? weekdayName(value) : part === 'month' ? monthName(value) : String(value)

function Part({ part, text, onChange }: { part: CronPart; text: string; onChange: (text: string) => void }) {
  const [low, high] = cronLimits[part]
  const mode = modeOf(text)
  const first = part === 'week' ? 1 : low
  const range = mode.kind === 'range' ? mode : { from: first, to: high }
  const step = mode.kind === 'every' ? mode.step : 1
  const values = part === 'week' ? [1, 2, 3, 4, 5, 6, 0] : Array.from({ length: high - low + 1 }, (_, at) => low + at)
  const listed = mode.kind === 'list' ? mode.values : []
  const choose = (kind: CronMode['kind']) => {
    if (kind === 'any') onChange('*')
    else if (kind === 'range') onChange(textOf({ kind, from: range.from, to: range.to }))
    else if (kind === 'every') onChange(textOf({ kind, step }))
    else onChange(textOf({ kind: 'list', values: [first] }))
  }
  const limit = (value: number | null, usual: number) => Math.min(high, Math.max(first, value ?? usual))
  return (
    <Radio.Group
      className="choice-lines"
      value={mode.kind}
      aria-label={t(partWords[part])}
      onChange={(event) => choose(event.target.value as CronMode['kind'])}
    >
      <Radio value="any">{t('cronAny')}</Radio>
      <div className="line">
        <Radio value="range">{t('cronRange')}</Radio>
        <InputNumber
          size="small"
          precision={0}
          min={first}
          max={high}
          aria-label={t('cronFrom')}
          value={range.from}
          onChange={(from) => onChange(textOf({ kind: 'range', from: limit(from, first), to: range.to }))}
        />
        –
        <InputNumber
          size="small"
          precision={0}
          min={first}
          max={high}
          aria-label={t('cronTo')}
          value={range.to}
          onChange={(to) => onChange(textOf({ kind: 'range', from: range.from, to: limit(to, high) }))}
        />
      </div>
      {part !== 'week' && (
        <div className="line">
          <Radio value="every">{t('cronEvery')}</Radio>
          <InputNumber
            size="small"
            precision={0}
            min={1}
            max={high}
            aria-label={t('cronStep')}
            value={step}
            onChange={(next) => onChange(textOf({ kind: 'every', step: limit(next, 1) }))}
          />
        </div>
      )}
      <Radio value="list">{t('cronListed')}</Radio>
      <Checkbox.Group
        className="cron-values"
        value={listed}
        options={values.map((value) => ({ value, label: wordOf(part, value) }))}
        onChange={(next) => onChange(textOf({ kind: 'list', values: next }))}
      />
    </Radio.Group>
  )
}
