import { expect, it } from 'vitest'
import { riskTone } from './sessions.ts'

it('every risk level of a command has a color', () => {
  expect([0, 4, 5, 6, 7, 8].map(riskTone)).toEqual([undefined, 'warning', 'danger', 'danger', 'warning', 'danger'])
})
