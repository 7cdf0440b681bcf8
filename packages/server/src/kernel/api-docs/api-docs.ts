import type { Language } from '@castellan/contract/messages'
import { apiDocs as words } from '@castellan/contract/messages/api-docs'

type Json = Record<string, unknown>
interface Operation {
  summary: string
  description: string
  tags: string[]
  parameters: { name: string; in: string }[]
  requestBody?: unknown
  responses: Record<string, Json>
}
interface Schema {
  title?: string
  description?: string
  type?: string | string[]
  items?: Schema
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  readOnly?: boolean
  writeOnly?: boolean
  $ref?: string
}
export interface Description extends Json {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (words: string) => words.replace(/[&<>"']/g, (character) => entities[character] ?? '')

const style = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{max-width:76rem;margin:0 auto;padding:1.5rem}
nav a{display:inline-block;margin:0 .9rem .3rem 0}
nav a[aria-current]{font-weight:700}
summary{cursor:pointer;padding:.45rem 0;border-top:1px solid #8884}
code{font:13px ui-monospace,monospace}
.method{display:inline-block;min-width:4.5rem;font-weight:700}
table{border-collapse:collapse;margin:.3rem 0 1rem}
th,td{text-align:left;padding:.15rem 1.2rem .15rem 0;vertical-align:top;border-top:1px solid #8883}
p{margin:.3rem 0}
.flags{opacity:.75}`

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].filter(Boolean).join(' | ')
  const own = [schema.type ?? []].flat().join(' | ')
  return schema.type === 'array' && schema.items ? `${typeOf(schema.items) || 'any'}[]` : own
}

function fieldsTable(schema: Schema, say: (key: keyof typeof words) => string): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const flags = [
      schema.required?.includes(name) ? say('required') : '',
      field.readOnly ? say('read_only') : '',
      field.writeOnly ? say('write_only') : '',
    ].filter(Boolean)
    const meaning = [field.title, field.description].filter(Boolean).join('. ')
    return `<tr><td><code>${escaped(name)}</code></td><td>${escaped(typeOf(field))} <span class="flags">${flags.join(', ')}</span></td><td>${escaped(meaning)}</td></tr>`
  })
  const head = [say('name'), say('type'), say('meaning')].map((title) => `<th scope="col">${title}</th>`).join('')
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/** The component schema that an operation's body or response refers to. */
function schemaOf(document: Description, operation: Operation): Schema | undefined {
  const found = /"#\/components\/schemas\/([^"]+)"/.exec(JSON.stringify(operation))
  return found ? document.components.schemas[found[1] ?? ''] : undefined
}

/**
 * Renders the API description as an HTML page, one app at a time. The page needs no script, so its policy can forbid
 * scripts entirely.
 */
export function apiPage(document: Description, language: Language, wanted: string | undefined): string {
  const say = (key: keyof typeof words) => escaped(words[key][language])
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const apps = [...new Set(operations.map(({ operation }) => operation.tags[0] ?? ''))].sort()
  const app = apps.find((name) => name === wanted) ?? apps[0] ?? ''
  const links = apps.map(
    (name) =>
      `<a href="?app=${encodeURIComponent(name)}"${name === app ? ' aria-current="page"' : ''}>${escaped(name)}</a>`,
  )
  const entries = operations
    .filter(({ operation }) => operation.tags[0] === app)
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ path, method, operation }) => {
      const schema = method === 'delete' ? undefined : schemaOf(document, operation)
      const names = operation.parameters.map(({ name }) => `<code>${escaped(name)}</code>`).join(' ')
      return `<details><summary><span class="method">${method.toUpperCase()}</span><code>${escaped(path)}</code></summary>
<p>${escaped(operation.summary)}. ${escaped(operation.description)}</p>
${names ? `<p>${say('parameters')}: ${names}</p>` : ''}
${schema ? `<h3>${say('fields')}</h3>${fieldsTable(schema, say)}` : ''}</details>`
    })
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${say('title')}</title><style>${style}</style></head><body><h1>${say('title')}</h1>
<p>${say('intro')} <a href="/api/swagger.json">swagger.json</a></p>
<nav>${links.join('')}</nav><main><h2>${escaped(app)}</h2>${entries.join('\n')}</main></body></html>`
}
