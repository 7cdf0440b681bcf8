import { expect, test } from 'vitest'
import { LineEditor } from './line-editor.ts'
import { drawTable } from './table.ts'
import { fit, textWidth } from './text-width.ts'

test('texts are measured and cut by cells', () => {
  expect(textWidth('主机a')).toBe(5)
  expect(textWidth('e\u0301')).toBe(1)
  expect(fit('主机甲乙', 5)).toBe('主机…')
  expect(textWidth(fit('主机甲乙', 6))).toBe(6)
  expect(fit('ab\u001b[31m', 4)).not.toContain('\u001b')
})

test('a table fits its width and keeps columns in line', () => {
  const rows = [
    ['1', '数据库主机一号', '10.0.0.1'],
    ['2', 'a', 'very-long-address.example.com'],
  ]
  const lines = drawTable(
    [
      { title: 'ID', weight: 0, least: 3 },
      { title: '名称', weight: 1, least: 6 },
      { title: 'Address', weight: 1, least: 9 },
    ],
    rows,
    40,
  )
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(40)
  const at = (line: string) => textWidth(line.slice(0, line.lastIndexOf(' | ')))
  expect(at(lines[2] as string)).toBe(at(lines[3] as string))
})

test('the line editor edits, recalls and hides', async () => {
  let shown = ''
  const editor = new LineEditor((text) => {
    shown += text
  })
  const first = editor.read('> ')
  editor.input(Buffer.from('主机\u007fx\u001b[Da\r\nnext'))
  expect(await first).toEqual({ kind: 'line', text: '主ax' })
  const second = editor.read('> ')
  editor.input(Buffer.from('\u0015\u001b[A\r'))
  expect(await second).toEqual({ kind: 'line', text: '主ax' })
  shown = ''
  const secret = editor.read('Password: ', { secret: true })
  editor.input(Buffer.from('hunter2\r'))
  expect(await secret).toEqual({ kind: 'line', text: 'hunter2' })
  expect(shown).toBe('Password: \r\n')
})
