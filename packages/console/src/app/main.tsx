import '../kit/api/early.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { App } from 'antd'
import type { Locale } from 'antd/es/locale'
import dayjs from 'dayjs'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import 'antd/dist/antd.css'
import './styles.css'
import { pageLanguage } from '../browser/languages.ts'
import { defaultStaleTime, retryFailedOnMount, staleAfter } from '../kit/query-freshness.ts'
import { StartFailed } from '../kit/StartFailed.tsx'
import { session } from '../kit/session.ts'
import { setTexts } from '../kit/text.ts'
import { Theme } from '../kit/theme.tsx'
import { followNewVersion } from './new-version.ts'
import { makeRouter } from './router.tsx'
import { start, toLogin } from './startup.ts'

const language = pageLanguage()

const catalogues = {
  en: () => Promise.all([import('virtual:texts/console/en'), import('antd/es/locale/en_US'), undefined]),
  zh: () =>
    Promise.all([import('virtual:texts/console/zh'), import('antd/es/locale/zh_CN'), import('dayjs/locale/zh-cn')]),
  ja: () =>
    Promise.all([import('virtual:texts/console/ja'), import('antd/es/locale/ja_JP'), import('dayjs/locale/ja')]),
}

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: staleAfter(defaultStaleTime),
      refetchOnWindowFocus: false,
      // No retries. A prefetch that failed must not be repeated when the screen mounts.
      retry: false,
      retryOnMount: retryFailedOnMount,
    },
  },
})

const root = createRoot(document.getElementById('root') as HTMLElement)

async function main(): Promise<void> {
  followNewVersion()
  const starting = start()
  // Most screens are lists: their code loads in parallel with the session.
  void import('../kit/pages/list.tsx').catch(() => {})
  const [[texts, locale], started] = await Promise.all([catalogues[language](), starting])
  setTexts(language, texts.default)
  dayjs.locale({ en: 'en', zh: 'zh-cn', ja: 'ja' }[language])
  if (started === 'signed-out') return void setTimeout(toLogin, 100)
  if (started !== 'ready') throw started.failed
  const { settings } = session()
  const icon = settings.INTERFACE.favicon
  if (icon && !icon.startsWith('/static/')) document.querySelector('link[rel=icon]')?.setAttribute('href', icon)
  root.render(
    <QueryClientProvider client={client}>
      <Theme locale={locale.default as Locale} colors={settings.INTERFACE.theme_info?.colors}>
        <App component={false}>
          <RouterProvider router={makeRouter(client)} />
        </App>
      </Theme>
    </QueryClientProvider>,
  )
}

main().catch((error: unknown) => root.render(<StartFailed error={error} />))
