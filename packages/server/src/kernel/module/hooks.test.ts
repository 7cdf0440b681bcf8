import { describe, expect, it } from 'vitest'
import type { Context } from './context.ts'
import { defineHook, definePort, on, provide } from './hooks.ts'
import { connectHooks, connectPorts, defineModule } from './module.ts'

const ctx = {} as Context

describe('hooks of modules', () => {
  it('run the listeners of all modules in the order of the modules, however often they are connected', async () => {
    const saved = defineHook<string>('first.saved')
    const heard: string[] = []
    const modules = [
      defineModule({ app: 'first', hooks: [saved] }),
      defineModule({ app: 'second', listens: [on(saved, (_ctx, name) => heard.push(`second ${name}`))] }),
      defineModule({ app: 'third', listens: [on(saved, (_ctx, name) => heard.push(`third ${name}`))] }),
    ]
    for (let times = 0; times < 2; times++) connectHooks(modules)
    await saved.run(ctx, 'row')
    expect(heard).toEqual(['second row', 'third row'])
  })

  it('are refused where no module declares them', () => {
    const listens = [on(defineHook<string>('nobody.saved'), () => undefined)]
    expect(() => connectHooks([defineModule({ app: 'second', listens })])).toThrow('nobody.saved')
  })
})

describe('ports of modules', () => {
  const port = definePort<() => number>('first.count')
  const owner = defineModule({ app: 'first', ports: [port] })
  const provider = (app: string) => defineModule({ app, provides: [provide(port, () => 7)] })

  it('have exactly one implementation', () => {
    expect(() => port.use()).toThrow('first.count')
    expect(() => connectPorts([owner])).toThrow('first.count')
    expect(() => connectPorts([owner, provider('second'), provider('third')])).toThrow('first.count')
    expect(() => connectPorts([provider('second')])).toThrow('first.count')
    connectPorts([owner, provider('second')])
    expect(port.use()).toBe(7)
  })
})
