/** Page addresses of the contract; the pages are those of the web terminal. */

const id = '([\\w-]{1,64})'
const page = (path: string) => new RegExp(`^/koko/${path}/?$`)

const withToken = (token: string) => `/luna/frame?${new URLSearchParams({ token })}`
const filesOf = (asset: string | null) => (asset ? `/luna/sftp?${new URLSearchParams({ asset })}` : '/luna/sftp')

const pages: readonly (readonly [RegExp, (id: string, query: URLSearchParams) => string])[] = [
  [page(''), () => '/luna/'],
  [page('connect'), (_id, query) => withToken(query.get('token') ?? '')],
  [page(`token/${id}`), (token) => withToken(token)],
  [page(`share/${id}`), (share) => `/luna/share/${share}`],
  [page(`monitor/${id}`), (session) => `/luna/monitor/${session}`],
  [
    page('elfinder/sftp'),
    (_id, query) => (query.get('token') ? withToken(query.get('token') ?? '') : filesOf(query.get('asset'))),
  ],
  [page(`elfinder/sftp/${id}`), (asset) => filesOf(asset)],
]

/** Where the page of an address is, below `/luna/`; undefined for anything else. */
export function pageOf({ pathname, searchParams }: URL): string | undefined {
  for (const [pattern, target] of pages) {
    const found = pattern.exec(pathname)
    if (found) return target(found[1] ?? '', searchParams)
  }
  return undefined
}
