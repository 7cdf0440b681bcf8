import { describe, expect, it } from 'vitest'
import { subjectOf } from './subject.ts'
import { clientOf } from './user-agent.ts'

describe('audit logs', () => {
  it('show browser and system of a user agent, and leave other programs unchanged', () => {
    const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
    const agents = {
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36':
        'Chrome 156 · Linux',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0':
        'Edge 141 · Windows',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:148.0) Gecko/20100101 Firefox/148.0': 'Firefox 148 · macOS',
      [`Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${apple} Version/19.0 Mobile/15E148 Safari/604.1`]:
        'Safari 19 · iOS',
      'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36':
        'Chrome 140 · Android',
      'SSH-2.0-OpenSSH_9.2': 'SSH-2.0-OpenSSH_9.2',
      node: 'node',
      '': '',
    }
    expect(Object.fromEntries(Object.keys(agents).map((agent) => [agent, clientOf(agent)]))).toEqual(agents)
  })

  it('show user and asset of a recording without the recorded English words', () => {
    const id = '3e5fc5a2-5ab4-4437-ae39-0050f03c1f40'
    expect(subjectOf(`${id} of Olivia(olivia) to web-1(10.0.0.5)`)).toBe('Olivia(olivia) → web-1(10.0.0.5)')
    expect(subjectOf('Duke of York to be')).toBe('Duke of York to be')
    expect(subjectOf(undefined)).toBe('')
  })
})
