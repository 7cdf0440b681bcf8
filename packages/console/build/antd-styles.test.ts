import { expect, it } from 'vitest'
import { purged } from './antd-styles.ts'

const used = new Set(['button', 'input', 'input-number', 'date-picker', 'table', 'select'])
const rest = (css: string) => purged(css, used)

it('rules of used components are kept, those of others are removed', () => {
  expect(rest('.ant-btn{color:red}.ant-rate{color:red}.ant-carousel .slick-list{color:red}')).toBe(
    '.ant-btn{color:red}',
  )
})

it('a component is not confused with one whose name it starts with, or whose classes differ from its folder', () => {
  const kept = '.ant-input-number-input{a:b}.ant-picker-cell{a:b}.ant-select-item{a:b}'
  expect(rest(`${kept}.ant-picker-calendar-full{a:b}.ant-select-tree-node{a:b}.ant-qrcode{a:b}`)).toBe(kept)
})

it('only needed selectors of a list are kept', () => {
  expect(rest('.ant-btn,.ant-rate,.ant-table-rtl .ant-btn{a:b}')).toBe('.ant-btn{a:b}')
})

it('rules outside components are kept, and empty conditions are removed', () => {
  const kept = '.anticon{a:b}@keyframes antFadeIn{0%{a:b}100%{a:b}}@media (width > 1px){.ant-btn{a:b}}'
  expect(rest(`${kept}@media (width > 1px){.ant-rate{a:b}}`)).toBe(kept)
})
