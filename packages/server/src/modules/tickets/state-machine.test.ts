import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Decision, opened, transition } from './state-machine.ts'

const decisions = fc.array(fc.constantFrom<Decision>('approve', 'reject', 'close'), { maxLength: 8 })

describe('the state machine of tickets', () => {
  it('grants exactly once, after an approval of every level and nothing else', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), decisions, (levels, sequence) => {
        let at = opened(levels)
        const taken: Decision[] = []
        let grants = 0
        for (const decision of sequence) {
          const move = transition(at, decision)
          expect(move === undefined).toBe(at.status === 'closed')
          if (!move) continue
          taken.push(decision)
          expect(move.next).toBe(move.to.status === 'open' ? at.step + 1 : undefined)
          if (move.granted) grants += 1
          at = move.to
        }
        const granted = taken.length === levels && taken.every((one) => one === 'approve')
        expect(grants).toBe(granted ? 1 : 0)
        expect(at.state === 'approved').toBe(granted)
        expect(taken.length).toBeLessThanOrEqual(levels)
        expect(taken.slice(0, -1).every((one) => one === 'approve')).toBe(true)
      }),
    )
  })
})
