/** Absolute remote paths, always with `/`. */

export function joinPath(folder: string, name: string): string {
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`
}

export function parentOf(path: string): string {
  const cut = path.replace(/\/+$/, '').lastIndexOf('/')
  return cut <= 0 ? '/' : path.slice(0, cut)
}

/** An entered path: resolved against the folder, with `.` and `..`; `~` is the initial directory. */
export function resolvePath(folder: string, home: string, typed: string): string {
  const text = typed.trim()
  const absolute =
    text === '~' || text.startsWith('~/') ? home + text.slice(1) : text.startsWith('/') ? text : joinPath(folder, text)
  const parts: string[] = []
  for (const part of absolute.split('/')) {
    if (part === '..') parts.pop()
    else if (part && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** The breadcrumbs of a path, root first. */
export function crumbs(path: string): { name: string; path: string }[] {
  const parts = path.split('/').filter(Boolean)
  return [{ name: '/', path: '/' }, ...parts.map((name, i) => ({ name, path: `/${parts.slice(0, i + 1).join('/')}` }))]
}

/** Why a name is invalid; undefined if valid. */
export function badName(name: string): 'empty' | 'slash' | undefined {
  if (!name.trim() || name === '.' || name === '..') return 'empty'
  return name.includes('/') || name.includes('\0') ? 'slash' : undefined
}

const units = ['B', 'KB', 'MB', 'GB', 'TB']

/** Bytes in the largest unit with a value of at least 1, 1 KB = 1024 B. */
export function sizeText(bytes: number): string {
  const at = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** at
  return `${at === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[at]}`
}

/** Octal permission bits as `rwxr-xr-x`. */
export function modeText(mode: number): string {
  return [6, 3, 0].map((shift) => triple((mode >> shift) & 7)).join('')
}

function triple(bits: number): string {
  return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${bits & 1 ? 'x' : '-'}`
}
