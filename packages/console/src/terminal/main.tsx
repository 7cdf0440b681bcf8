import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { App } from 'antd'
import type { Locale } from 'antd/es/locale'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, Route, Routes } from 'react-router'
import { useFocusScope } from '../browser/focus-scope.ts'
import { resolvePageLanguage } from '../browser/languages.ts'
import { lazyComponent } from '../kit/lazy-component.tsx'
import { StartFailed } from '../kit/StartFailed.tsx'
import { session } from '../kit/session.ts'
import { language } from '../kit/text.ts'
import { Theme } from '../kit/theme.tsx'
import { Hosts } from './Hosts.tsx'
import { start, toLogin } from './start.ts'
import { loadTexts, t } from './text.ts'
import 'antd/dist/antd.css'
import '../kit/base.css'
import '../kit/list/states.css'
import '../kit/status.css'
import './css/app.css'
import './css/dialogs.css'
import './css/files.css'
import './css/session.css'
import './css/sharing.css'
import '../ant-design/shared.css'
import '../ant-design/terminal.css'

const locales = {
  en: () => import('antd/es/locale/en_US'),
  zh: () => import('antd/es/locale/zh_CN'),
  ja: () => import('antd/es/locale/ja_JP'),
}
const TerminalApp = lazyComponent(
  () => import('./TerminalApp.tsx').then((module) => ({ default: module.TerminalApp })),
  null,
  'thrown',
)
const MonitorPage = lazyComponent(
  () => import('./monitor/MonitorPage.tsx').then((module) => ({ default: module.MonitorPage })),
  null,
  'thrown',
)
const FramePage = lazyComponent(
  () => import('./frame/FramePage.tsx').then((module) => ({ default: module.FramePage })),
  null,
  'thrown',
)
const SharePage = lazyComponent(
  () => import('./sharing/SharePage.tsx').then((module) => ({ default: module.SharePage })),
  null,
  'thrown',
)
const ReplayPage = lazyComponent(
  () => import('./replay/ReplayPage.tsx').then((module) => ({ default: module.ReplayPage })),
  null,
  'thrown',
)

const client = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })

function Pages({ locale }: { locale: Locale }) {
  useFocusScope()
  return (
    <QueryClientProvider client={client}>
      <Theme locale={locale}>
        <App>
          <BrowserRouter basename="/luna">
            <Routes>
              <Route path="/" element={<TerminalApp />} />
              <Route path="/connect" element={<TerminalApp single />} />
              <Route path="/sftp" element={<TerminalApp files />} />
              <Route path="/frame" element={<FramePage />} />
              <Route path="/monitor/:sid" element={<MonitorPage />} />
              <Route path="/share/:id" element={<SharePage />} />
              <Route path="/replay/:sid" element={<ReplayPage />} />
              <Route path="*" element={<p className="page-word">{t('noSuchPage')}</p>} />
            </Routes>
          </BrowserRouter>
          <Hosts />
        </App>
      </Theme>
    </QueryClientProvider>
  )
}

const root = createRoot(document.getElementById('root') as HTMLElement)

async function begin(): Promise<void> {
  const chosen = resolvePageLanguage()
  const [{ default: locale }, , started] = await Promise.all([locales[chosen](), loadTexts(chosen), start()])
  if (started === 'signed-out') return toLogin()
  if (started !== 'ready') throw started.failed
  document.title = session().settings.INTERFACE.login_title || 'Castellan'
  document.documentElement.lang = language
  // No strict mode: it mounts twice, and a connection token opens only one session.
  root.render(<Pages locale={locale} />)
}

begin().catch((error: unknown) => root.render(<StartFailed error={error} />))
