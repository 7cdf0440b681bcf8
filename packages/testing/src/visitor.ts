/** A browser without a screen: keeps the cookies of every site, and redirects are followed one by one. */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>()

  #jar(url: URL): Map<string, string> {
    const jar = this.#cookies.get(url.origin) ?? new Map<string, string>()
    this.#cookies.set(url.origin, jar)
    return jar
  }

  cookie(address: string, name: string): string | undefined {
    return this.#jar(new URL(address)).get(name)
  }

  async open(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address)
    const jar = this.#jar(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0(;|$)|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }

  /** Follows redirects until a page, or until an address begins with `stop`; the address where it ended. */
  async follow(address: string, stop?: string): Promise<{ url: string; answer: Response | undefined }> {
    let url = address
    for (let steps = 0; steps < 20; steps++) {
      if (stop && url.startsWith(stop) && steps > 0) return { url, answer: undefined }
      const answer = await this.open(url)
      const location = answer.headers.get('location')
      if (!location) return { url, answer }
      url = new URL(location, url).href
    }
    throw new Error(`More than 20 redirects, the last to ${url}`)
  }
}
