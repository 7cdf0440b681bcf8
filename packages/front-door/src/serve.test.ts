import type { AddressInfo, Server } from 'node:net'
import { errors } from '@castellan/contract/messages/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFrontDoor } from './serve.ts'

describe('a front door whose program does not come back', () => {
  let door: Server
  let url = ''
  beforeAll(async () => {
    door = await openFrontDoor({ host: '127.0.0.1', port: 0, behind: () => '/nowhere/at-all.sock' })
    url = `http://127.0.0.1:${(door.address() as AddressInfo).port}/ui/`
  })
  afterAll(() => door.close())

  it('answers a browser with a page in its language that looks again, and a program with an error of the API', async () => {
    const html = { accept: 'text/html,*/*;q=0.8' }
    const [page, chosen, told] = await Promise.all([
      fetch(url, { headers: { ...html, 'accept-language': 'ja,en;q=0.5' } }),
      fetch(url, { headers: { ...html, 'accept-language': 'ja', cookie: 'a=1; django_language=en' } }),
      fetch(url, { headers: { accept: 'application/json', 'accept-language': 'zh-CN' } }),
    ])
    for (const answer of [page, chosen, told]) {
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('2')
    }
    const text = await page.text()
    expect(text).toContain(errors.program_restarting.ja)
    expect(text).toMatch(/<html lang="ja">.*http-equiv="refresh"/)
    expect(await chosen.text()).toContain(errors.program_restarting.en)
    expect(await told.json()).toEqual({ code: 'service_unavailable', detail: errors.program_restarting.zh })
  }, 20_000)
})
