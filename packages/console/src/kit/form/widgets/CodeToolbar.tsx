/** Toolbar of a code editor: options of a run, declared by the screen. */
import { AutoComplete, Button, Dropdown, Switch } from 'antd'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Select } from '../../Select.tsx'
import { useDebounced } from '../../use-debounced.ts'

export interface ToolOption {
  value: string
  label: string
}

interface Named {
  key: string
  label: string
  disabled?: boolean
}

export type Tool =
  | (Named & { kind: 'button'; icon?: ReactNode; primary?: boolean; loading?: boolean; run: () => unknown })
  | (Named & { kind: 'menu'; options: readonly ToolOption[]; value?: string; onChange: (value: string) => void })
  | (Named & { kind: 'switch'; value: boolean; onChange: (value: boolean) => void })
  | (Named & {
      kind: 'input'
      value: string
      placeholder?: string
      /** Returns suggestions for the typed text. */
      suggest?: (text: string) => Promise<readonly string[]>
      onChange: (value: string) => void
    })
  | (Named & {
      kind: 'select'
      options: readonly ToolOption[]
      value: string | readonly string[] | undefined
      /** Accepts text that is not an option. */
      create?: boolean
      many?: boolean
      onChange: (value: string | string[]) => void
    })

export interface CodeTools {
  left?: readonly Tool[]
  right?: readonly Tool[]
}

export function CodeToolbar({ left = [], right = [], label }: CodeTools & { label: string }) {
  return (
    <div className="code-tools" role="toolbar" aria-label={label}>
      {left.map((tool) => (
        <OneTool key={tool.key} tool={tool} />
      ))}
      <span className="grow" />
      {right.map((tool) => (
        <OneTool key={tool.key} tool={tool} />
      ))}
    </div>
  )
}

function OneTool({ tool }: { tool: Tool }) {
  switch (tool.kind) {
    case 'button':
      return (
        <Button
          size="small"
          type={tool.primary ? 'primary' : 'default'}
          icon={tool.icon}
          loading={tool.loading}
          disabled={tool.disabled}
          onClick={() => void tool.run()}
        >
          {tool.label}
        </Button>
      )
    case 'menu':
      return (
        <Dropdown
          trigger={['click']}
          disabled={tool.disabled}
          menu={{
            items: tool.options.map(({ value, label }) => ({ key: value, label, onClick: () => tool.onChange(value) })),
            selectedKeys: tool.value === undefined ? [] : [tool.value],
          }}
        >
          <Button size="small" icon={<ChevronDown size={14} />} iconPlacement="end">
            {tool.options.find(({ value }) => value === tool.value)?.label ?? tool.label}
          </Button>
        </Dropdown>
      )
    case 'switch':
      return (
        <span className="line">
          <Switch
            size="small"
            aria-label={tool.label}
            checked={tool.value}
            disabled={tool.disabled}
            onChange={tool.onChange}
          />
          <span aria-hidden>{tool.label}</span>
        </span>
      )
    case 'input':
      return <Suggested tool={tool} />
    default:
      return (
        <Select
          size="small"
          className="code-tool"
          aria-label={tool.label}
          placeholder={tool.label}
          disabled={tool.disabled}
          mode={tool.create ? 'tags' : tool.many ? 'multiple' : undefined}
          maxCount={tool.create && !tool.many ? 1 : undefined}
          value={tool.create && typeof tool.value === 'string' ? [tool.value] : (tool.value as string | string[])}
          options={[...tool.options]}
          onChange={(value: string | string[]) =>
            tool.onChange(tool.many || !Array.isArray(value) ? value : (value.at(-1) ?? ''))
          }
        />
      )
  }
}

function Suggested({ tool }: { tool: Extract<Tool, { kind: 'input' }> }) {
  const [found, setFound] = useState<readonly string[]>([])
  const text = useDebounced(tool.value, 240)
  const { suggest } = tool
  useEffect(() => {
    let old = false
    suggest?.(text).then(
      (words) => old || setFound(words),
      // No suggestions; typed text is accepted.
      () => old || setFound([]),
    )
    return () => {
      old = true
    }
  }, [suggest, text])
  return (
    <AutoComplete
      size="small"
      className="code-tool"
      aria-label={tool.label}
      placeholder={tool.placeholder ?? tool.label}
      disabled={tool.disabled}
      value={tool.value}
      options={found.map((value) => ({ value }))}
      onChange={tool.onChange}
    />
  )
}
