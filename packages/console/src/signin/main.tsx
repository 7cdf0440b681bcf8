import type { SignInPage } from '@castellan/contract/signin-page'
import { createRoot } from 'react-dom/client'
import 'virtual:tokens.css'
import './signin.css'
import { languageChoices, saveLanguage } from '../browser/languages.ts'
import { logoPath } from '../kit/logo.ts'
import { DirectApproval } from './approval.tsx'
import { Leave } from './leave.tsx'
import { page } from './page.ts'
import { Passkey } from './passkey.tsx'
import { Forgot, ForgotStart, Message, PasswordReset } from './passwords.tsx'
import { MfaSettings, OtpBind, OtpDisable, OtpInstall, OtpStart } from './second-factor.tsx'
import { Login, Mfa, PasswordVerify, WaitConfirm } from './sign-in.tsx'
import { t } from './text.ts'
import { Tools } from './tools.tsx'

function Body({ page }: { page: SignInPage }) {
  switch (page.page) {
    case 'login':
      return <Login page={page} />
    case 'passkey':
      return <Passkey page={page} />
    case 'mfa':
      return <Mfa page={page} />
    case 'otp-start':
      return <OtpStart page={page} />
    case 'otp-install':
      return <OtpInstall page={page} />
    case 'otp-bind':
      return <OtpBind page={page} />
    case 'otp-disable':
      return <OtpDisable page={page} />
    case 'mfa-settings':
      return <MfaSettings page={page} />
    case 'forgot-start':
      return <ForgotStart page={page} />
    case 'forgot':
      return <Forgot page={page} />
    case 'password-reset':
      return <PasswordReset page={page} />
    case 'password-verify':
      return <PasswordVerify page={page} />
    case 'message':
      return <Message page={page} />
    case 'tools':
      return <Tools page={page} />
    case 'direct-approval':
      return <DirectApproval page={page} />
    case 'leave':
      return <Leave page={page} />
    case 'wait-confirm':
      return <WaitConfirm page={page} />
  }
}

/** Loads the page again by GET, so that a submitted form is not sent twice. */
function choose(choice: (typeof languageChoices)[number]): void {
  saveLanguage(choice)
  location.assign(location.pathname + location.search)
}

function App() {
  const { brand } = page
  return (
    <div className="signin">
      <main className={page.page === 'tools' ? 'signin-card wide' : 'signin-card'}>
        {brand.logo ? (
          <img src={brand.logo} alt="" height={32} />
        ) : (
          <svg width={40} height={40} viewBox="0 0 32 32" aria-hidden="true">
            <path d={logoPath} fill="var(--accent)" fillRule="evenodd" />
          </svg>
        )}
        <Body page={page} />
      </main>
      <footer>
        <div className="languages">
          {languageChoices.map((choice) => (
            <button
              type="button"
              key={choice.language}
              lang={choice.cookie}
              className={choice.language === page.language ? 'on' : ''}
              onClick={() => choose(choice)}
            >
              {choice.label}
            </button>
          ))}
        </div>
        <p>{brand.footer || t('recorded')}</p>
      </footer>
    </div>
  )
}

document.documentElement.lang = { en: 'en', zh: 'zh-CN', ja: 'ja' }[page.language]
document.title = page.brand.title || 'Castellan'
const own = localStorage.getItem('theme')
if (own) document.documentElement.dataset.theme = own
if (page.brand.accent && /^#[0-9a-f]{6}$/i.test(page.brand.accent))
  document.documentElement.style.setProperty('--accent', page.brand.accent)
createRoot(document.getElementById('root') as HTMLElement).render(<App />)
