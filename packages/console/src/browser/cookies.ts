/** Cookies shared with the server. */
export function readCookie(name: string, jar: string = document.cookie): string | undefined {
  for (const part of jar.split('; ')) {
    const at = part.indexOf('=')
    if (part.slice(0, at) === name) return decodeURIComponent(part.slice(at + 1)).replace(/^"(.*)"$/, '$1')
  }
  return undefined
}

/** Writes a cookie for the whole site. Without `seconds` it lasts until the browser closes. */
export function writeCookie(name: string, value: string, seconds?: number): void {
  const life = seconds === undefined ? '' : `; max-age=${seconds}`
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API does not exist over plain http, which a first start uses
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; samesite=lax${life}`
}

/** The CSRF token. The cookie name has the prefix of the installation. */
export function csrfToken(jar: string = document.cookie): string | undefined {
  const prefix = readCookie('SESSION_COOKIE_NAME_PREFIX', jar) ?? 'jms_'
  return readCookie(`${prefix === "''" ? '' : prefix}csrftoken`, jar) ?? readCookie('jms_csrftoken', jar)
}
