import { Tree, type TreeDataNode } from 'antd'
import { ChevronDown } from 'lucide-react'
import type { FieldChoice } from '../../api/metadata.ts'
import { rawOf } from '../../row.ts'
import type { WidgetProps } from '../spec.ts'

const leaves = (node: FieldChoice): string[] => (node.children ? node.children.flatMap(leaves) : [String(node.value)])

/** Text in brackets explains a label: it is shown on hover. */
function titleOf(label: string) {
  const [, word, tip] = /^(.*?)\s*[(（](.+)[)）]\s*$/.exec(label) ?? []
  return word && tip ? <span title={tip}>{word}</span> : label
}

const nodeOf = (node: FieldChoice): TreeDataNode => ({
  key: String(node.value),
  title: titleOf(node.label),
  children: node.children?.map(nodeOf),
})

/** A tree of checkboxes. The value is the list of checked leaves. */
export default function TreeChoices({ value, onChange, info, disabled }: WidgetProps) {
  const roots = info.tree ?? []
  const known = new Set(roots.flatMap(leaves))
  const ticked = (Array.isArray(value) ? value : []).map((item) => String(rawOf(item)))
  return (
    <Tree
      className="choice-tree"
      checkable
      switcherIcon={<ChevronDown size={14} />}
      selectable={false}
      defaultExpandAll
      disabled={disabled}
      checkedKeys={ticked.includes('all') ? [...known] : ticked}
      treeData={roots.map(nodeOf)}
      onCheck={(keys) =>
        onChange((Array.isArray(keys) ? keys : keys.checked).map(String).filter((key) => known.has(key)))
      }
    />
  )
}
