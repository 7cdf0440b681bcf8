import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allRoutes, resourcesByPath } from '../../application.ts'
import { startServer } from '../../testing/server.ts'
import { apiSurface, surfaceChanges } from './api-surface.ts'

const kept = () =>
  readFileSync(join(import.meta.dirname, '../../../api-surface.txt'), 'utf8')
    .split('\n')
    .filter(Boolean)

describe('the surface of the API', () => {
  it('matches the recorded one; after an intended change, `npm run api-surface` records it', () => {
    const now = apiSurface(allRoutes(), resourcesByPath().values())
    expect(surfaceChanges(kept(), now)).toEqual({ breaking: [], added: [] })
  })

  it('separates breaking changes from additions', () => {
    const before = ['GET /api/v1/a/b/ needs a.view_b', '/api/v1/a/b/ name: string', '/api/v1/a/b/ size: integer']
    const after = [
      'GET /api/v1/a/b/ needs a.view_b',
      'GET /api/v1/a/c/ needs valid',
      '/api/v1/a/b/ name: integer',
      '/api/v1/a/b/ color: string, required',
      '/api/v1/a/b/ note: string',
    ]
    expect(surfaceChanges(before, after)).toEqual({
      breaking: [
        'changed: /api/v1/a/b/ name: string → /api/v1/a/b/ name: integer',
        'gone: /api/v1/a/b/ size: integer',
        'new: /api/v1/a/b/ color: string, required',
      ],
      added: ['new: GET /api/v1/a/c/ needs valid', 'new: /api/v1/a/b/ note: string'],
    })
  })
})

describe('the description of the API', () => {
  it('is an OpenAPI 3.1 document in which every reference resolves, and a page in three languages', async () => {
    const server = await startServer()
    const document = await server.admin.request<Record<string, unknown>>('GET', '/api/swagger.json')
    expect(document.openapi).toBe('3.1.0')
    const { schemas } = document.components as { schemas: Record<string, unknown> }
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      (match) => match[1],
    )
    expect(references.length).toBeGreaterThan(100)
    expect(references.filter((name) => !schemas[name ?? ''])).toEqual([])
    const operations = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>)
    const ids = operations.flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    expect(new Set(ids).size).toBe(ids.length)

    const pages: string[] = []
    for (const language of ['en', 'zh', 'ja']) {
      const answer = await fetch(new URL('/api/docs/?app=users', server.url), {
        headers: { ...server.admin.proof('GET', '/api/docs/'), 'accept-language': language },
      })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      pages.push(await answer.text())
    }
    expect(pages[0]).toContain('/api/v1/users/groups/')
    expect(pages[0]).not.toContain('<script')
    expect(new Set(pages).size).toBe(3)
    expect((await fetch(new URL('/api/docs/', server.url))).status).toBe(401)
    await server.close()
  })
})
