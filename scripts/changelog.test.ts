import { expect, it } from 'vitest'
import { readNote, withChanges } from './changelog.mjs'

it('opens a section for a version, and adds to its categories later', () => {
  const first = withChanges('', '1.0.0', '2026-01-31', [{ category: 'Fixed', sentence: 'One.' }])
  expect(first).toBe('# Changelog\n\n## 1.0.0 – 2026-01-31\n\n### Fixed\n\n- One.\n')
  const more = withChanges(first, '1.0.0', '2026-02-01', [
    { category: 'Fixed', sentence: 'Three.' },
    { category: 'Security', sentence: 'Two.' },
  ])
  const section = '## 1.0.0 – 2026-01-31\n\n### Fixed\n\n- Three.\n- One.\n\n### Security\n\n- Two.\n'
  expect(more).toBe(`# Changelog\n\n${section}`)
  expect(withChanges(more, '1.1.0', '2026-03-01', [{ category: 'Added', sentence: 'Four.' }])).toBe(
    `# Changelog\n\n## 1.1.0 – 2026-03-01\n\n### Added\n\n- Four.\n\n${section}`,
  )
})

it('reads a note with its category', () => {
  expect(readNote('security: Keys are rotated.\n')).toEqual({ category: 'Security', sentence: 'Keys are rotated.' })
  expect(readNote('Keys are rotated.')).toBeUndefined()
})
