/**
 * What the server writes into `<script type="application/json" id="page">` of the built `signin.html`
 *. Every page posts an ordinary form
 * (`application/x-www-form-urlencoded`) to its own address, always with the hidden field
 * `csrfmiddlewaretoken` = `csrf`; a refusal answers with the same page and `errors`.
 *
 * The writer must escape `<` as `\u003c`, so that no value can close the script element.
 * The page reads the cookie `jms_public_key` for the fields it encrypts (`rsa:aes`).
 */
import type { Language } from './messages.ts'

export interface PageBase {
  /** Token for the hidden field `csrfmiddlewaretoken`. */
  csrf: string
  language: Language
  /** Refusals, localized. The key is a field's name; `''` holds what belongs to no field. */
  errors?: Readonly<Record<string, readonly string[]>>
  /** A notice above the form that is no refusal ("You have signed out"). */
  notice?: string
  brand: SignInBrand
  /** Decided path of our own, for links that must keep it; the form's target keeps the query anyway. */
  next?: string
}

/** The public interface settings a sign-in page shows (`INTERFACE` of `settings/public/open/`). */
export interface SignInBrand {
  /** `INTERFACE.login_title`; the product's own name when empty. */
  title: string
  /** Addresses of uploaded pictures; empty means our own mark. */
  logo?: string
  favicon?: string
  image?: string
  footer?: string
  /** `INTERFACE.theme_info.colors['--color-primary']`, `#rrggbb`; absent means our own accent. */
  accent?: string
}

/** POST fields: username, password (encrypted), auto_login, and what `extra` asks for; `next` stays in the query. */
export interface LoginPage extends PageBase {
  page: 'login'
  /** Refilled after a refusal. */
  username?: string
  autoLogin: { label: string; disabled: boolean }
  extra?:
    | { kind: 'challenge' }
    | { kind: 'mfa'; factors: readonly MfaFactor[] }
    | { kind: 'captcha'; key: string; imageUrl: string }
  /** Where "Forgotten password" leads; absent hides the link. */
  forgotUrl?: string
  /** Other ways to sign in (OIDC, SAML2, passkey …). */
  methods: readonly { name: string; label: string; url: string; logo?: string }[]
}

export interface MfaFactor {
  /** `otp`, `otp_radius`, `sms`, `mfa_custom`: the value of `mfa_type`. */
  name: string
  label: string
  placeholder: string
  disabled: boolean
  /** True when a code must be asked for first (`mfa/select/`, at most once in 60 s). */
  challenge: boolean
}

/** POST fields: mfa_type, code. */
export interface MfaPage extends PageBase {
  page: 'mfa'
  username: string
  factors: readonly MfaFactor[]
  /** Chosen before a refusal. */
  factor?: string
}

/** GET pages without a form; `nextUrl` is where the button leads. */
export interface OtpStartPage extends PageBase {
  page: 'otp-start'
  username: string
  /** True when a second factor is demanded and the sign-in cannot go on without it. */
  forced: boolean
  nextUrl: string
}

export interface OtpInstallPage extends PageBase {
  page: 'otp-install'
  nextUrl: string
  /** Where the authenticator apps may be fetched, when the settings name them. */
  apps?: { ios?: string; android?: string }
}

/** POST fields: otp_code. */
export interface OtpBindPage extends PageBase {
  page: 'otp-bind'
  username: string
  /** The QR code as an SVG element (`<svg …>…</svg>`), drawn by the server. */
  qrSvg: string
  /** Base32, for typing by hand. */
  secret: string
}

/** POST fields: otp_code. */
export interface OtpDisablePage extends PageBase {
  page: 'otp-disable'
  username: string
}

/** The switch PATCHes `/api/v1/users/profile/` with `mfa_level` (header `X-CSRFToken` = `csrf`). */
export interface MfaSettingsPage extends PageBase {
  page: 'mfa-settings'
  username: string
  level: 0 | 1 | 2
  /** True when a setting or an administrator demands it: the switch is locked on. */
  forced: boolean
  factors: readonly {
    name: string
    label: string
    enabled: boolean
    enableUrl?: string
    disableUrl?: string
    /** Why it can be neither enabled nor disabled here. */
    help?: string
  }[]
  backUrl: string
}

/** Step 1 of recovery. POST fields: username. */
export interface ForgotStartPage extends PageBase {
  page: 'forgot-start'
  username?: string
  loginUrl: string
}

/** Step 2. POST fields: form_type, email, sms, code. The code is asked for by POST `sendCodeUrl` (JSON form_type, email, sms). */
export interface ForgotPage extends PageBase {
  page: 'forgot'
  username: string
  formType: 'email' | 'sms'
  methods: readonly ('email' | 'sms')[]
  sendCodeUrl: string
  loginUrl: string
}

/** Step 3, the first password too. POST fields: new_password, confirm_password (both encrypted). */
export interface PasswordResetPage extends PageBase {
  page: 'password-reset'
  username: string
  /** Why it has to be done: asked for, first sign-in, or run out. */
  reason: 'reset' | 'first' | 'expired'
  rules: PasswordRules
  loginUrl: string
}

/** The rules in force for this person (`SECURITY_PASSWORD_*`). */
export interface PasswordRules {
  minLength: number
  upper: boolean
  lower: boolean
  digit: boolean
  special: boolean
}

/** POST fields: password (encrypted). Asked before something delicate on a page. */
export interface PasswordVerifyPage extends PageBase {
  page: 'password-verify'
  username: string
}

/** A flash message, the page after signing out, and every refusal that is a page (403, 404). */
export interface MessagePage extends PageBase {
  page: 'message'
  kind: 'ok' | 'info' | 'error'
  title: string
  message: string
  /** Goes there by itself after `seconds` when `auto`. */
  redirect?: { url: string; label?: string; auto: boolean; seconds: number }
  cancel?: { url: string }
}

/** How one's own programs connect (`/core/download/`): nothing of ours has to be installed. */
export interface ToolsPage extends PageBase {
  page: 'tools'
  /** Of the SSH server. */
  host: string
  port: number
  /** Its host key as OpenSSH shows it at the first connection (`SHA256:…`). */
  fingerprint: string
}

/** Waits for an approver of this sign-in: polls `statusUrl` (`login-confirm-ticket/status/`) until it is `ok`. */
export interface WaitConfirmPage extends PageBase {
  page: 'wait-confirm'
  statusUrl: string
  guardUrl: string
  loginUrl: string
  /** Link an approver may be sent, when a ticket exists. */
  ticketUrl?: string
}

/** Everything the entry can be asked to show; told apart by `page`. */
export type SignInPage =
  | LoginPage
  | MfaPage
  | OtpStartPage
  | OtpInstallPage
  | OtpBindPage
  | OtpDisablePage
  | MfaSettingsPage
  | ForgotStartPage
  | ForgotPage
  | PasswordResetPage
  | PasswordVerifyPage
  | MessagePage
  | ToolsPage
  | WaitConfirmPage

/** Id of the script element; `signin.html` is built with an empty one (`null`) that the server replaces. */
export const pageElementId = 'page'
/** The exact text in the built file to replace. */
export const pagePlaceholder = '<script type="application/json" id="page">null</script>'
