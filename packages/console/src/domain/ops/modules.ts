/** How the code of a module is highlighted. */
import type { CodeLanguage } from '../../kit/form/widgets/code-mirror.ts'

const databases = new Set<string>(['mysql', 'mariadb', 'postgresql', 'sqlserver', 'oracle'])

export const languageOf = (module: unknown): CodeLanguage => {
  if (databases.has(String(module))) return 'sql'
  return module === 'python' ? 'python' : module === 'win_shell' ? 'powershell' : 'shell'
}
