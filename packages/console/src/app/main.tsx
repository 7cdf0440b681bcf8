import '../kit/api/early.ts'
import { pathOf } from '@castellan/contract/routes'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { App } from 'antd'
import type { Locale } from 'antd/es/locale'
import dayjs from 'dayjs'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import 'antd/dist/antd.css'
import '../css/index.css'
import { readCookie } from '../kit/api/cookies.ts'
import { ApiError } from '../kit/api/errors.ts'
import { Look } from '../kit/look.tsx'
import { session } from '../kit/session.ts'
import { detectLanguage, setTexts, t } from '../kit/text.ts'
import { followNewVersion } from './new-version.ts'
import { makeRouter } from './router.tsx'
import { chosenAccent, start, toLogin } from './startup.ts'

const language = detectLanguage(localStorage.getItem('lang'), readCookie('django_language'), navigator.language)

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
      staleTime: 5000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && error instanceof ApiError && error.status === 0,
    },
  },
})

const root = createRoot(document.getElementById('root') as HTMLElement)

async function main(): Promise<void> {
  followNewVersion()
  const starting = start()
  // Most screens are lists: what draws them comes while the session is still being read.
  void import('../kit/pages/list.tsx').catch(() => {})
  const [[texts, locale], started] = await Promise.all([catalogues[language](), starting])
  setTexts(language, texts.default)
  dayjs.locale({ en: 'en', zh: 'zh-cn', ja: 'ja' }[language])
  if (!started.ok) {
    if (started.reason === 'signed-out') return void setTimeout(toLogin, 100)
    return root.render(
      <div className="state whole" role="alert">
        <b>{t('startFailed')}</b>
        <p>{started.reason === 'untrusted' ? t('untrustedDomain') : started.text || t('errorNetwork')}</p>
        <button type="button" onClick={() => location.reload()}>
          {t('retry')}
        </button>
      </div>,
    )
  }
  const { settings } = session()
  const icon = settings.INTERFACE.favicon
  if (icon && !icon.startsWith('/static/')) document.querySelector('link[rel=icon]')?.setAttribute('href', icon)
  if (started.first && !location.hash.startsWith('#/profile')) location.hash = pathOf('ProfileImprovement')
  root.render(
    <QueryClientProvider client={client}>
      <Look locale={locale.default as Locale} accent={chosenAccent(settings)}>
        <App component={false}>
          <RouterProvider router={makeRouter(client)} />
        </App>
      </Look>
    </QueryClientProvider>,
  )
}

void main()
