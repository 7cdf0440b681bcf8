/** How a command runs: account, policy, module, time limit, folder. */
import { useQuery } from '@tanstack/react-query'
import { AutoComplete, Input } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { audience, metadataOf } from '../../kit/api/metadata.ts'
import { Select } from '../../kit/Select.tsx'
import { type TextKey, t } from '../../kit/text.ts'
import { useDebounced } from '../../kit/use-debounced.ts'
import { type Chosen, type Command, jobsUrl, usernamesFor } from './quick-command.ts'

function Labeled({ name, label, children }: { name: string; label: TextKey; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="command-field" data-field={name}>
      <label htmlFor={id}>{t(label)}</label>
      {children(id)}
    </div>
  )
}

const timeouts = [10, 30, 60, 300, 3600, -1]
const timeoutWord = (seconds: number): string =>
  seconds < 0
    ? t('timeoutNone')
    : seconds < 60
      ? t('timeoutSeconds', { count: seconds })
      : t('timeoutMinutes', { count: seconds / 60 })

/** Usernames on the chosen assets, as they are typed. */
function useHints(chosen: Chosen, typed: string) {
  const query = useDebounced(typed.split(',').at(-1)?.trim() ?? '', 300)
  const keys = [...chosen.keys()].join()
  const hints = useQuery({
    queryKey: ['username-hints', keys, query, ...audience()],
    queryFn: () => usernamesFor(chosen, query),
    enabled: chosen.size > 0,
  })
  return (hints.data ?? []).map((value) => ({ value }))
}

export function CommandBar({
  command,
  chosen,
  withCommand,
  disabled,
  onChange,
}: {
  command: Command
  chosen: Chosen
  /** Language and working folder are asked for, which only commands have. */
  withCommand: boolean
  disabled: boolean
  onChange: (change: Partial<Command>) => void
}) {
  const metadata = useQuery(metadataOf(jobsUrl))
  const fields = metadata.data?.actions?.POST ?? {}
  const optionsOf = (name: 'module' | 'runas_policy') =>
    (fields[name]?.choices ?? []).map(({ value, label }) => ({ value: String(value), label: String(label) }))
  const [typed, setTyped] = useState('')
  const hints = useHints(chosen, typed)
  return (
    <div className="command-bar">
      <Labeled name="runas" label="runAs">
        {(id) => (
          <AutoComplete
            id={id}
            value={command.runas}
            options={hints}
            disabled={disabled}
            placeholder="root"
            onFocus={() => setTyped(command.runas)}
            onChange={(runas) => {
              setTyped(runas ?? '')
              onChange({ runas: runas ?? '' })
            }}
          />
        )}
      </Labeled>
      <Labeled name="runas_policy" label="runAsPolicy">
        {(id) => (
          <Select
            id={id}
            value={command.runas_policy}
            options={optionsOf('runas_policy')}
            disabled={disabled}
            popupMatchSelectWidth={false}
            onChange={(runas_policy) => onChange({ runas_policy })}
          />
        )}
      </Labeled>
      {withCommand && (
        <Labeled name="module" label="commandModule">
          {(id) => (
            <Select
              id={id}
              value={command.module}
              options={optionsOf('module')}
              disabled={disabled}
              onChange={(module) => onChange({ module })}
            />
          )}
        </Labeled>
      )}
      <Labeled name="timeout" label="commandTimeout">
        {(id) => (
          <Select
            id={id}
            value={command.timeout}
            options={[...new Set([...timeouts, command.timeout])].map((value) => ({
              value,
              label: timeoutWord(value),
            }))}
            disabled={disabled}
            onChange={(timeout) => onChange({ timeout })}
          />
        )}
      </Labeled>
      {withCommand && (
        <Labeled name="chdir" label="commandFolder">
          {(id) => (
            <Input
              id={id}
              className="mono"
              value={command.chdir}
              disabled={disabled}
              placeholder="~"
              onChange={(event) => onChange({ chdir: event.target.value })}
            />
          )}
        </Labeled>
      )}
    </div>
  )
}
