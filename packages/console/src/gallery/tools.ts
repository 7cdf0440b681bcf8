/** A toolbar for the gallery's code editor, with a tool of every kind. The chosen values are shown below the form. */
import { useMemo, useState } from 'react'
import type { CodeTools } from '../kit/form/widgets/CodeToolbar.tsx'

const languages = ['python', 'shell'].map((value) => ({ value, label: value }))
const suggest = async (text: string) => ['root', 'deploy'].filter((name) => text !== '' && name.startsWith(text))

export function useTools() {
  const [chosen, setChosen] = useState({ language: 'python', runAs: '', hosts: ['web-1'], dry: false, ran: 0 })
  const tools = useMemo((): CodeTools => {
    const put = (part: Partial<typeof chosen>) => setChosen((old) => ({ ...old, ...part }))
    return {
      left: [
        {
          key: 'run',
          kind: 'button',
          label: 'Run',
          primary: true,
          run: () => setChosen((old) => ({ ...old, ran: old.ran + 1 })),
        },
        {
          key: 'language',
          kind: 'menu',
          label: 'Language',
          options: languages,
          value: chosen.language,
          onChange: (language) => put({ language }),
        },
      ],
      right: [
        {
          key: 'as',
          kind: 'input',
          label: 'Run as',
          value: chosen.runAs,
          suggest,
          onChange: (runAs) => put({ runAs }),
        },
        {
          key: 'hosts',
          kind: 'select',
          label: 'Hosts',
          many: true,
          create: true,
          options: [{ value: 'web-1', label: 'web-1' }],
          value: chosen.hosts,
          onChange: (hosts) => put({ hosts: hosts as string[] }),
        },
        { key: 'dry', kind: 'switch', label: 'Dry run', value: chosen.dry, onChange: (dry) => put({ dry }) },
      ],
    }
  }, [chosen])
  return { tools, chosen }
}
