import { expect, it } from 'vitest'
import { withChanges } from './changelog.mjs'

it('opens a section for a version and adds to it later', () => {
  const first = withChanges('', '1.0.0', '2026-01-31', ['One.'])
  expect(first).toBe('# Changelog\n\n## 1.0.0 – 2026-01-31\n\n- One.\n')
  const more = withChanges(first, '1.0.0', '2026-02-01', ['Three.', 'Two.'])
  expect(more).toBe('# Changelog\n\n## 1.0.0 – 2026-01-31\n\n- Three.\n- Two.\n- One.\n')
  expect(withChanges(more, '1.1.0', '2026-03-01', ['Four.'])).toBe(
    '# Changelog\n\n## 1.1.0 – 2026-03-01\n\n- Four.\n\n## 1.0.0 – 2026-01-31\n\n- Three.\n- Two.\n- One.\n',
  )
})
