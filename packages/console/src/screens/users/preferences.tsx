import { useQuery } from '@tanstack/react-query'
import { metadataOf } from '../../kit/api/metadata.ts'
import { FormPanel } from '../../kit/form/FormPanel.tsx'
import type { GroupSpec } from '../../kit/form/spec.ts'
import { PageHead, type Tab, TabBar, useScreen, useTabs } from '../../kit/page.tsx'
import { type TextKey, t } from '../../kit/text.ts'

const titles: Readonly<Record<string, TextKey>> = {
  basic: 'groupBasic',
  graphics: 'groupGraphics',
  command_line: 'groupCommandLine',
}
/** Chosen in the terminal, not here. */
const hidden = new Set(['basic.terminal_theme_name'])

function Category({ category }: { category: string }) {
  const url = `/api/v1/users/preference/?category=${category}`
  const metadata = useQuery(metadataOf(url))
  const fields = metadata.data?.actions?.PATCH ?? {}
  const groups: GroupSpec[] = Object.entries(fields).map(([key, info]) => ({
    key,
    title: titles[key] ?? 'groupOther',
    fields: Object.keys(info.children ?? {})
      .map((child) => `${key}.${child}`)
      .filter((name) => !hidden.has(name)),
  }))
  return (
    <FormPanel
      key={groups.length}
      spec={{
        url,
        single: true,
        submit: { method: 'PATCH' },
        noun: 'preferences',
        groups,
        fields: { 'basic.secret_key': { widget: 'password' }, 'basic.secret_key_again': { widget: 'password' } },
      }}
    />
  )
}

const categories: readonly [string, string, TextKey][] = [
  ['LinaUpdate', 'lina', 'preferencesConsole'],
  ['LunaUpdate', 'luna', 'preferencesTerminal'],
  ['KokoUpdate', 'koko', 'preferencesFiles'],
]

/** Preferences of the user; fields come from the server. */
export default function Preferences() {
  const screen = useScreen()
  const tabs: Tab[] = categories.map(([key, category, title]) => ({
    key,
    title,
    render: () => <Category category={category} />,
  }))
  const { visible, active, open } = useTabs(tabs)
  return (
    <div className="page list-page">
      <PageHead title={t(screen.title)} />
      <TabBar tabs={visible} active={active?.key} onOpen={open} />
      <div className="tab-body" key={active?.key}>
        {active?.render()}
      </div>
    </div>
  )
}
