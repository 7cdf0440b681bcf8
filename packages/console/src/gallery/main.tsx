/**
 * All form controls on one page, for developers, tests and screenshots; not part of the built console. Vite serves it
 * as `/gallery.html`. The saved values are shown below the form.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { App } from 'antd'
import type { Locale } from 'antd/es/locale'
import dayjs from 'dayjs'
import { useMemo, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { start } from '../app/startup.ts'
import { Theme } from '../kit/theme.tsx'
import 'antd/dist/antd.css'
import '../app/styles.css'
import { resolvePageLanguage } from '../browser/languages.ts'
import { useForm } from '../kit/form/controller.ts'
import { Contents, FormFoot, FormGroups, showFirstError } from '../kit/form/FormView.tsx'
import { setTexts, t } from '../kit/text.ts'
import { fields, groups, specs } from './fields.ts'
import { useTools } from './tools.ts'

const language = resolvePageLanguage()
const catalogues = {
  en: () => Promise.all([import('virtual:texts/console/en'), import('antd/es/locale/en_US'), undefined]),
  zh: () =>
    Promise.all([import('virtual:texts/console/zh'), import('antd/es/locale/zh_CN'), import('dayjs/locale/zh-cn')]),
  ja: () =>
    Promise.all([import('virtual:texts/console/ja'), import('antd/es/locale/ja_JP'), import('dayjs/locale/ja')]),
}

function Gallery() {
  const [saved, setSaved] = useState<Record<string, unknown>>()
  const { tools, chosen } = useTools()
  const form = useForm(
    {
      url: 'gallery',
      noun: 'value',
      groups,
      fields: {
        ...specs,
        script: {
          ...specs.script,
          with: { language: chosen.language, tools },
        },
      },
      local: {
        fields,
        save: (body) => {
          setSaved(body)
          return { id: 'gallery', ...body }
        },
      },
    },
    { query: new URLSearchParams(location.search) },
  )
  const save = async () => {
    if (!(await form.save())) showFirstError()
  }
  return (
    <main className="content" data-visit={location.hash}>
      <form className="form-shell" noValidate onSubmit={(event) => event.preventDefault()}>
        <div className="form-top">
          <h1>{t('details')}</h1>
        </div>
        <div className="page form-page">
          <div>
            <FormGroups form={form} />
            <p id="tools">{JSON.stringify(chosen)}</p>
            {saved && (
              <output className="mono" style={{ whiteSpace: 'pre-wrap' }}>
                {JSON.stringify(saved, (_key, value) => (value instanceof File ? value.name : value), 1)}
              </output>
            )}
          </div>
          <Contents form={form} />
        </div>
        <FormFoot form={form} verb={t('save')} onSave={() => void save()} />
      </form>
    </main>
  )
}

const [[texts, locale]] = await Promise.all([catalogues[language](), start()])
setTexts(language, texts.default)
dayjs.locale({ en: 'en', zh: 'zh-cn', ja: 'ja' }[language])
const followHash = (changed: () => void) => {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

/** A form nobody has touched for each part behind the `#` of the address: quicker than loading the page again. */
function Fresh() {
  const visit = useSyncExternalStore(followHash, () => location.hash)
  const client = useMemo(() => ({ visit, queries: new QueryClient() }), [visit]).queries
  return (
    <QueryClientProvider key={visit} client={client}>
      <Theme locale={locale.default as Locale}>
        <App component={false}>
          <Gallery />
        </App>
      </Theme>
    </QueryClientProvider>
  )
}
createRoot(document.getElementById('root') as HTMLElement).render(<Fresh />)
