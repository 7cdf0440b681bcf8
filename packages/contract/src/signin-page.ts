/**
 * Data the server writes into `<script type="application/json" id="page">` of the built `signin.html`. Every page posts
 * a plain form (`application/x-www-form-urlencoded`) to its own address with the hidden field `csrfmiddlewaretoken` =
 * `csrf`. The response to an invalid form is the same page with `errors`.
 * The writer must escape `<` as `\u003c`, so that no value can close the script element. The page reads the cookie
 * `jms_public_key` for the fields it encrypts (`rsa:aes`).
 */
import type { Language } from './messages.ts'

export interface PageBase {
  /** Token for the hidden field `csrfmiddlewaretoken`. */
  csrf: string
  language: Language
  /** Localized errors. The key is a field name; `''` holds errors without a field. */
  errors?: Readonly<Record<string, readonly string[]>>
  /** A notice above the form that is not an error ("You have signed out"). */
  notice?: string
  brand: SignInBrand
  /** Validated local path, for links that must preserve it. The form's target preserves the query. */
  next?: string
}

/** Public interface settings of the sign-in pages (`INTERFACE` of `settings/public/open/`). */
export interface SignInBrand {
  /** `INTERFACE.login_title`; the product name if empty. */
  title: string
  /** Addresses of uploaded pictures; the built-in logo if empty. */
  logo?: string
  favicon?: string
  image?: string
  footer?: string
  /** `INTERFACE.theme_info.colors['--color-primary']`, `#rrggbb`; the built-in accent color if absent. */
  accent?: string
}

/** POST fields: captcha_0 (the key), captcha_1 (the answer). */
export interface CaptchaPicture {
  key: string
  imageUrl: string
}

/** POST fields: username, password (encrypted), auto_login, and the fields of `extra`. `next` stays in the query. */
export interface LoginPage extends PageBase {
  page: 'login'
  /** Refilled after an error. */
  username?: string
  autoLogin: { label: string; disabled: boolean }
  extra?:
    | { kind: 'challenge' }
    | { kind: 'mfa'; factors: readonly MfaFactor[] }
    | ({ kind: 'captcha' } & CaptchaPicture)
  /** Target of "Forgotten password"; the link is hidden if absent. */
  forgotUrl?: string
  /** Other authentication methods (OIDC, SAML2, passkey …). */
  methods: readonly { name: string; label: string; url: string; logo?: string }[]
}

/** Asks `optionsUrl` for a challenge, and posts the browser's answer as `passkeys` (JSON) to `action`. */
export interface PasskeyPage extends PageBase {
  page: 'passkey'
  optionsUrl: string
  action: string
  loginUrl: string
}

export interface MfaFactor {
  /** `otp`, `otp_radius`, `sms`, `mfa_custom`: the value of `mfa_type`. */
  name: string
  label: string
  placeholder: string
  disabled: boolean
  /** True if a code must be requested first (`mfa/select/`, at most once in 60 s). */
  challenge: boolean
  /** Where the challenge comes from that a key has to sign; the answer, as JSON, is the code. */
  optionsUrl?: string
}

/** POST fields: mfa_type, code. */
export interface MfaPage extends PageBase {
  page: 'mfa'
  username: string
  factors: readonly MfaFactor[]
  /** The method chosen before an error. */
  factor?: string
}

/** GET pages without a form; `nextUrl` is the target of the button. */
export interface OtpStartPage extends PageBase {
  page: 'otp-start'
  username: string
  /** True if a second factor is required to continue the sign-in. */
  forced: boolean
  nextUrl: string
}

export interface OtpInstallPage extends PageBase {
  page: 'otp-install'
  nextUrl: string
  /** Download addresses of authenticator apps, if configured. */
  apps?: { ios?: string; android?: string }
}

/** POST fields: otp_code. */
export interface OtpBindPage extends PageBase {
  page: 'otp-bind'
  username: string
  /** The QR code as an SVG element (`<svg …>…</svg>`), drawn by the server. */
  qrSvg: string
  /** Base32, for manual entry. */
  secret: string
}

/** POST fields: otp_code. */
export interface OtpDisablePage extends PageBase {
  page: 'otp-disable'
  username: string
}

/** The switch sends PATCH `/api/v1/users/profile/` with `mfa_level` (header `X-CSRFToken` = `csrf`). */
export interface MfaSettingsPage extends PageBase {
  page: 'mfa-settings'
  username: string
  level: 0 | 1 | 2
  /** True if a setting or an administrator requires MFA: the switch is locked on. */
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
  /** Where to go first when the switch answers 412; it leads back. */
  verifyUrl: string
}

/** Step 1 of recovery. POST fields: username, and those of the captcha. */
export interface ForgotStartPage extends PageBase {
  page: 'forgot-start'
  username?: string
  captcha?: CaptchaPicture
  loginUrl: string
}

/**
 * Step 2. POST fields: form_type, email, sms, code. The code is requested by POST `sendCodeUrl` (JSON form_type, email,
 * sms).
 */
export interface ForgotPage extends PageBase {
  page: 'forgot'
  username: string
  formType: 'email' | 'sms'
  methods: readonly ('email' | 'sms')[]
  sendCodeUrl: string
  loginUrl: string
}

/** Step 3, also the initial password change. POST fields: new_password, confirm_password (both encrypted). */
export interface PasswordResetPage extends PageBase {
  page: 'password-reset'
  username: string
  /** The cause: requested, first sign-in, or expired. */
  reason: 'reset' | 'first' | 'expired'
  rules: PasswordRules
  loginUrl: string
}

/** The password rules of this user (`SECURITY_PASSWORD_*`). */
export interface PasswordRules {
  minLength: number
  upper: boolean
  lower: boolean
  digit: boolean
  special: boolean
}

/** POST fields: password (encrypted). Required before sensitive actions on a page. */
export interface PasswordVerifyPage extends PageBase {
  page: 'password-verify'
  username: string
}

/** A flash message, the page after sign-out, and every error page (403, 404). */
export interface MessagePage extends PageBase {
  page: 'message'
  kind: 'ok' | 'info' | 'error'
  title: string
  message: string
  /** With `auto`, redirects after `seconds`. */
  redirect?: { url: string; label?: string; auto: boolean; seconds: number }
  cancel?: { url: string }
}

/** Connection settings for the user's own programs (`/core/download/`). No download is required. */
export interface ToolsPage extends PageBase {
  page: 'tools'
  /** Host of the SSH server. */
  host: string
  port: number
  /** Its host key fingerprint as OpenSSH shows it at the first connection (`SHA256:…`). */
  fingerprint: string
}

/** Posts `fields` to the address of a provider by itself; the button is for browsers that did not. */
export interface LeavePage extends PageBase {
  page: 'leave'
  action: string
  fields: Readonly<Record<string, string>>
  /** Name of the provider. */
  provider: string
}

/** Waits for the approval of this sign-in: polls `statusUrl` (`login-confirm-ticket/status/`) until it returns `ok`. */
export interface WaitConfirmPage extends PageBase {
  page: 'wait-confirm'
  statusUrl: string
  guardUrl: string
  loginUrl: string
  /** Link for an approver, if a ticket exists. */
  ticketUrl?: string
  /** Who is asked: `name(username)`. */
  reviewers: readonly string[]
}

/** Decides a ticket from a mail: POST field `action` is `approve` or `reject`. */
export interface DirectApprovalPage extends PageBase {
  page: 'direct-approval'
  /** Label and value. */
  items: readonly (readonly [string, string])[]
  /** The ticket in the console. */
  ticketUrl: string
}

/** All pages of the sign-in entry, discriminated by `page`. */
export type SignInPage =
  | LoginPage
  | PasskeyPage
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
  | LeavePage
  | DirectApprovalPage

/** Id of the script element. `signin.html` is built with an empty one (`null`) that the server replaces. */
export const pageElementId = 'page'
/** The exact text in the built file to replace. */
export const pagePlaceholder = '<script type="application/json" id="page">null</script>'
