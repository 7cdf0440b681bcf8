import type { Context } from './context.ts'

type Listener<P> = (ctx: Context, payload: P) => unknown

/**
 * A point in one module at which others take part, inside the transaction in which it happens. Its module declares it in
 * `hooks`, and every listener's module declares the listener in `listens`.
 */
export class Hook<P> {
  readonly name: string
  #listeners: readonly Listener<P>[] = []

  constructor(name: string) {
    this.name = name
  }

  get hasListeners(): boolean {
    return this.#listeners.length > 0
  }

  /** Calls the listeners one after the other, in the order of their modules. What one throws ends the transaction. */
  async run(ctx: Context, payload: P): Promise<void> {
    for (const listener of this.#listeners) await listener(ctx, payload)
  }

  /** Sets the listeners; for `connectModules` only. */
  connect(listeners: readonly Listener<P>[]): void {
    this.#listeners = listeners
  }
}

export const defineHook = <P>(name: string): Hook<P> => new Hook<P>(name)

/** A listener as its module declares it. */
export interface HookListener {
  readonly hook: Hook<never>
  readonly listener: Listener<never>
}

export const on = <P>(hook: Hook<P>, listener: Listener<P>): HookListener => ({
  hook: hook as unknown as Hook<never>,
  listener: listener as Listener<never>,
})

/**
 * Functions that a module needs from one that imports it. The module declares the port in `ports`; exactly one other
 * module implements it in `provides`.
 */
export class Port<T> {
  readonly name: string
  #implementation: T | undefined

  constructor(name: string) {
    this.name = name
  }

  get use(): T {
    if (this.#implementation === undefined) throw new Error(`No module provides ${this.name}.`)
    return this.#implementation
  }

  /** Sets the implementation; for `connectModules` only. */
  connect(implementation: T): void {
    this.#implementation = implementation
  }
}

export const definePort = <T>(name: string): Port<T> => new Port<T>(name)

/** An implementation as its module declares it. */
export interface PortImplementation {
  readonly port: Port<unknown>
  readonly implementation: unknown
}

export const provide = <T>(port: Port<T>, implementation: T): PortImplementation => ({
  port,
  implementation,
})
